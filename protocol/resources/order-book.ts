import Type, { type Static } from 'typebox'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { Count, closed, Id, Instant, orNull, Price, Quantity, Sequence, texts } from '../scalars.ts'

/** One price level. order_count is null if the venue does not state it. A delta's quantity "0" removes the level. */
const BookLevel = Type.Object(
  { price: Price, quantity: Quantity, order_count: orNull(Count) },
  { ...closed, title: 'BookLevel' },
)

/** The whole book of one outcome; its sequence is the one that the deltas of market.orderbook continue. */
export const OrderBook = Type.Object(
  {
    market_id: Id,
    outcome_id: Id,
    sequence: Sequence,
    bids: Type.Array(BookLevel),
    asks: Type.Array(BookLevel),
    asks_derived: Type.Boolean({ description: "true: asks are computed as 1 minus the other outcome's bids" }),
    source_at: Instant,
    received_at: Instant,
    published_at: Instant,
    quality_state: texts(QUALITY_STATES),
  },
  { ...closed, title: 'OrderBook' },
)
export type OrderBook = Static<typeof OrderBook>
