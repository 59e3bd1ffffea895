import type { DecimalString } from '../../primitives/decimal.ts'
import {
  durationMicros,
  formatMicros,
  type Instant,
  MICROS_PER_DAY,
  type Micros,
  toMicros,
} from '../../primitives/instants.ts'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'

/** Length of a bucket of the line. */
export const DAY_INTERVAL = 'PT15M'
const BUCKET: Micros = durationMicros(DAY_INTERVAL)
/** A level that is this much later than 24 hours ago does not say what changed in 24 hours. */
const LATE_BUCKETS = 4
const LEVEL_SCALE = 4

/** Half-open range of the line. */
export type DayRange = { readonly from: Micros; readonly to: Micros }
/** Last priced level of one bucket. */
export type BucketLevel = { readonly at: Micros; readonly level: DecimalString }

/** The 24 hours up to a level. */
export type DayLine = {
  readonly start_time: Instant
  readonly end_time: Instant
  readonly interval: typeof DAY_INTERVAL
  /** One item a bucket; null: no priced level in it. */
  readonly levels: (DecimalString | null)[]
  /** Level that stood 24 hours ago; null: none is known. */
  readonly base_level: DecimalString | null
  readonly base_at: Instant | null
  /** Latest level minus that one; null: one of the two is not known. */
  readonly change: DecimalString | null
}

/**
 * Returns the range of the line that ends with a level: 24 hours of buckets up to the one of its tick, and one more before them, whose last
 * level stood when the 24 hours began.
 */
export function dayRange(tick_at: Micros): DayRange {
  const last = Math.floor(tick_at / BUCKET) * BUCKET
  return { from: last - MICROS_PER_DAY - BUCKET, to: last + BUCKET }
}

/**
 * Builds the line of a day.
 * @param found  last priced level of each bucket, any order; those outside of the range do not count
 * @param latest the level that the day ends with; null: it has none
 */
export function dayLine(range: DayRange, found: readonly BucketLevel[], latest: DecimalString | null): DayLine {
  const { from, to } = range
  const by_bucket = new Map(found.map((one) => [Math.floor((one.at - from) / BUCKET), one]))
  const buckets = Array.from({ length: (to - from) / BUCKET }, (_, bucket) => by_bucket.get(bucket) ?? null)
  const base = buckets.slice(0, LATE_BUCKETS + 1).find((one) => one !== null) ?? null
  return {
    start_time: formatMicros(from),
    end_time: formatMicros(to),
    interval: DAY_INTERVAL,
    levels: buckets.map((one) => one?.level ?? null),
    base_level: base?.level ?? null,
    base_at: base === null ? null : formatMicros(base.at),
    change: base === null || latest === null ? null : difference(latest, base.level),
  }
}

/** Returns the levels of rows that name an instant and a level. */
export function bucketLevel(source_cutoff_at: unknown, level: unknown): BucketLevel {
  return { at: toMicros(source_cutoff_at), level: String(level) }
}

function difference(to: DecimalString, from: DecimalString): DecimalString {
  return fromScaled(toScaled(to, LEVEL_SCALE) - toScaled(from, LEVEL_SCALE), LEVEL_SCALE)
}
