import Type, { type Static } from 'typebox'
import { ORDER_STATUSES, SIDES } from '../../vocabulary/order.ts'
import { Count, closed, Id, Instant, orNull, Quantity, Sequence, texts } from '../scalars.ts'

const Ahead = Type.Object({ quantity: Quantity, order_count: Count }, { ...closed, title: 'QuantityAhead' })

/** Orders that would execute before one order of the account, own ones included. */
export const QueuePosition = Type.Object(
  {
    order_id: Id,
    market_id: Id,
    outcome_id: Id,
    side: texts(SIDES),
    limit_price: Quantity,
    status: texts(ORDER_STATUSES),
    remaining_quantity: Quantity,
    ahead_at_price: orNull(Ahead),
    ahead_at_better_prices: orNull(Ahead),
    engine_sequence: Sequence,
    as_of: Instant,
  },
  {
    ...closed,
    title: 'QueuePosition',
    description: 'ahead_at_price: older orders at the same price; both are null if the order is not in the book',
  },
)
export type QueuePosition = Static<typeof QueuePosition>
