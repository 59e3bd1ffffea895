import Type, { type Static } from 'typebox'
import { FILL_WALK_ENDS } from '../../vocabulary/order.ts'
import { Count, closed, Decimal, Id, Instant, orNull, Price, Quantity, Sequence, Text, texts } from '../scalars.ts'

const PastLevel = Type.Object({ price: Price, quantity: Quantity, order_count: Count }, closed)
const TakenLevel = Type.Object({ price: Price, quantity: Quantity }, closed)

const WouldBeFill = Type.Object(
  {
    filled_at: Instant,
    quantity: Quantity,
    price: Price,
    cumulative_quantity: Quantity,
    trade_id: orNull(Id, 'the public trade it would have been in; null: taken at once, or met an order that rested'),
  },
  { ...closed, title: 'WouldBeFill' },
)

const FillBound = Type.Object(
  {
    fills: Type.Array(WouldBeFill),
    fills_omitted: Count,
    filled_quantity: Quantity,
    busted_quantity: Quantity,
    remaining_quantity: Quantity,
    completed_at: orNull(Instant),
  },
  {
    ...closed,
    title: 'FillBound',
    description: 'busted_quantity: filled and undone later; filled, busted and remaining quantity add up to the order',
  },
)

/** Fills that an order would have had from a past book on, by the public record alone. */
export const WouldFill = Type.Object(
  {
    until: Instant,
    ended_at: Instant,
    end_reason: texts(FILL_WALK_ENDS),
    book: Type.Object({ sequence: Sequence, bids: Type.Array(PastLevel), asks: Type.Array(PastLevel) }, closed),
    taken: Type.Object(
      {
        quantity: Quantity,
        average_price: orNull(Decimal),
        fee: orNull(Quantity),
        schedule_id: orNull(Text),
        schedule_version: orNull(Count),
        levels: Type.Array(TakenLevel),
      },
      closed,
    ),
    resting: orNull(
      Type.Object(
        { quantity: Quantity, price: Price, ahead_quantity: Quantity, ahead_order_count: Count },
        { ...closed, title: 'WouldRest' },
      ),
    ),
    pessimistic: FillBound,
    optimistic: FillBound,
    assumptions: Type.Array(Text),
  },
  {
    ...closed,
    title: 'WouldFill',
    description: 'fills of an order that was never placed: between the pessimistic and the optimistic bound',
  },
)
export type WouldFill = Static<typeof WouldFill>
