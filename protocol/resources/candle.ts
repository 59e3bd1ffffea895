import Type, { type Static } from 'typebox'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { Count, closed, Decimal, Instant, orNull, Quantity, Text, texts } from '../scalars.ts'

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
    coverage_ratio_min: orNull(Decimal, 'least coverage of the levels; null: values of markets have none'),
    volume: orNull(Quantity, 'sum of the quantities traded in the bucket, inside the range asked for; null: unknown'),
    quality_states: Type.Array(texts(QUALITY_STATES)),
    methodology_version: orNull(
      Text,
      'of the level or mark that closes the bucket; null: the field follows no methodology',
    ),
    published_at: Instant,
    final: Type.Boolean({
      description:
        'false: the bucket is still open at the instant of the answer, or start_time or end_time cuts it. A late or corrected record may still change a bucket that has ended.',
    }),
  },
  { ...closed, title: 'Candle' },
)
export type Candle = Static<typeof Candle>
