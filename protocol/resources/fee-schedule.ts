import Type, { type Static } from 'typebox'
import { Count, closed, Instant, orNull, Quantity, Text } from '../scalars.ts'

/** A version of fee rates; a fee is rate x min(price, 1 - price) x quantity. Orders keep the version of their acceptance. */
export const FeeSchedule = Type.Object(
  {
    schedule_id: Text,
    schedule_version: Count,
    taker_rate: Quantity,
    maker_rate: Quantity,
    effective_from: Instant,
    superseded_at: orNull(Instant, 'when the next version was published; null: this is the newest'),
    market_count: Type.Integer({ minimum: 0, description: 'markets whose new orders are accepted under this version' }),
  },
  { ...closed, title: 'FeeSchedule' },
)
export type FeeSchedule = Static<typeof FeeSchedule>
