import Type, { type Static } from 'typebox'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { Count, closed, Decimal, Instant, orNull, Text, texts } from '../scalars.ts'

/** Open, high, low and close of a half-open bucket [bucket_start, bucket_end); buckets without a price are omitted. */
export const Candle = Type.Object(
  {
    bucket_start: Instant,
    bucket_end: Instant,
    open: Decimal,
    high: Decimal,
    low: Decimal,
    close: Decimal,
    observation_count: Count,
    coverage_ratio_min: orNull(Decimal),
    quality_states: Type.Array(texts(QUALITY_STATES)),
    methodology_version: orNull(Text),
    published_at: Instant,
  },
  { ...closed, title: 'Candle' },
)
export type Candle = Static<typeof Candle>
