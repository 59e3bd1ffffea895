import Type, { type Static } from 'typebox'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { Count, closed, Id, Instant, orNull, Price, Quantity, Sequence, texts } from '../scalars.ts'

/** One price level, best first. order_count is null where the venue does not say it. A delta's quantity "0" removes the level. */
const BookLevel = Type.Object(
  { price: Price, quantity: Quantity, order_count: orNull(Count) },
  { ...closed, title: 'BookLevel' },
)

/** The whole book of one outcome; the base of the deltas of market.orderbook, numbered alike. */
export const OrderBook = Type.Object(
  {
    market_id: Id,
    outcome_id: Id,
    sequence: Sequence,
    bids: Type.Array(BookLevel),
    asks: Type.Array(BookLevel),
    asks_derived: Type.Boolean({ description: "asks are the other outcome's bids, taken from 1" }),
    source_at: Instant,
    received_at: Instant,
    published_at: Instant,
    quality_state: texts(QUALITY_STATES),
  },
  { ...closed, title: 'OrderBook' },
)
export type OrderBook = Static<typeof OrderBook>
