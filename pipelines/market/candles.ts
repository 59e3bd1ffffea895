import { type Decimal, type DecimalString, parseDecimal } from '../../primitives/decimal.ts'
import { invariant, ServiceError } from '../../primitives/errors.ts'
import { durationMicros, formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { fromScaled, toScaled } from '../../primitives/scaled.ts'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { CANDLE_INTERVALS, type CandleInterval } from '../../vocabulary/market.ts'

/** A row of current(T): one chain. Instants in microseconds, decimals as published; quality states in the order of `states`. */
export type CandleRow = {
  readonly tick_at: Micros
  readonly source_cutoff_at: Micros | null
  readonly level: string | null
  readonly quality_state: string
  /** null: the rows have no notion of coverage. */
  readonly coverage_ratio: string | null
  readonly published_at: Micros
  readonly row_ordinal: number
  /** null: the rows are not made by a methodology. */
  readonly methodology_version: string | null
}

/** A valid trade: its instant and quantity. */
export type TradedQuantity = { readonly at: Micros; readonly quantity: DecimalString }

/** Knowledge that candles are made with. */
export type CandleKnowledge = {
  /** Instant of the answer: a bucket that ends after it is still open. */
  readonly at: Micros
  /** Trades in the range, each once; null: unknown. */
  readonly trades: readonly TradedQuantity[] | null
}

/** One bucket [bucket_start, bucket_end), fields as the interface names them. */
export type Candle = {
  readonly bucket_start: Instant
  readonly bucket_end: Instant
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly observation_count: number
  readonly coverage_ratio_min: string | null
  /** Sum of the quantities traded in the bucket, inside the range; null: trades are unknown. */
  readonly volume: string | null
  readonly quality_states: readonly string[]
  /** Methodology version of the row that closes the bucket; null: no methodology. */
  readonly methodology_version: string | null
  /** Greatest publication time of the bucket's rows; before it the candle did not exist in this form. */
  readonly published_at: Instant
  /** false: the bucket is still open at the instant of the answer, or the range cuts it. */
  readonly final: boolean
}

export type CandleRange = { readonly from: Micros; readonly to: Micros; readonly interval: CandleInterval }

type Priced<T extends CandleRow = CandleRow> = T & { readonly source_cutoff_at: Micros; readonly level: string }
type Bucket<T extends CandleRow = CandleRow> = {
  readonly start: Micros
  readonly priced: Priced<T>[]
  readonly others: T[]
}

/**
 * Builds open, high, low and close per half-open bucket, aligned to the Unix epoch (methodology index-1 §15).
 *
 * A row with a level whose state is not stale gives a price, in the bucket of its source_cutoff_at. Any other row gives its state
 * only, in the bucket of its tick_at. A bucket without a priced row is omitted: missing data is never a flat candle.
 * @param rows  current(T) of one series, one row per chain, any order
 * @param range [from, to); buckets that it cuts hold only the rows inside it, and are not final
 */
export function buildCandles(
  rows: readonly CandleRow[],
  range: CandleRange,
  { at, trades }: CandleKnowledge,
): Candle[] {
  const step = durationMicros(range.interval, 'interval')
  const volumes = trades === null ? null : volumesOf(trades, range, step)
  return pricedBuckets(rows, range, step).map((bucket) => {
    const [start, end] = [bucket.start, bucket.start + step]
    const volume = volumes === null ? null : fromScaled(volumes.get(start) ?? 0n, QUANTITY_SCALE)
    const is_final = start >= range.from && end <= range.to && end <= at
    return buildCandle(bucket, step, { volume, final: is_final })
  })
}

const QUANTITY_SCALE = 6

/** Returns the quantity traded in each bucket, inside the range, exact. */
function volumesOf(trades: readonly TradedQuantity[], range: CandleRange, step: Micros): Map<Micros, bigint> {
  const volumes = new Map<Micros, bigint>()
  for (const { at, quantity } of trades) {
    if (at < range.from || at >= range.to) continue
    const start = Math.floor(at / step) * step
    volumes.set(start, (volumes.get(start) ?? 0n) + toScaled(quantity, QUANTITY_SCALE, 'quantity'))
  }
  return volumes
}

/**
 * Returns the last priced row of each bucket, in order: sampling `latest_per_interval` (methodology index-1 §15).
 * @param instantOf instant of a row by the clock that range and buckets refer to, see `closing`; rows without it are left out
 */
export function latestPerInterval<T extends CandleRow>(
  rows: readonly T[],
  range: CandleRange,
  instantOf: (row: T) => Micros | null = closing,
): T[] {
  const step = durationMicros(range.interval, 'interval')
  const latest = new Map<Micros, { readonly row: T; readonly at: Micros }>()
  for (const row of rows) {
    const at = isPriced(row) ? instantOf(row) : null
    if (at === null || at < range.from || at >= range.to) continue
    const start = Math.floor(at / step) * step
    const known = latest.get(start)
    if (known === undefined || at > known.at || (at === known.at && byCommit(row, known.row) > 0))
      latest.set(start, { row, at })
  }
  return [...latest].sort(([a], [b]) => a - b).map(([, { row }]) => row)
}

/** Instant of the row that closes a candle. */
function closing({ source_cutoff_at }: CandleRow): Micros | null {
  return source_cutoff_at
}

/**
 * Checks a bucket length given by a user.
 * @throws {ServiceError} VALIDATION_DURATION_INVALID
 */
export function parseInterval(value: string): CandleInterval {
  const known = CANDLE_INTERVALS.find((interval) => interval === value)
  if (known !== undefined) return known
  throw new ServiceError(
    'VALIDATION_DURATION_INVALID',
    `interval is ${JSON.stringify(value)}; allowed: ${CANDLE_INTERVALS.join(', ')}`,
    { field: 'interval', value },
  )
}

/** Returns the buckets that have a price, in order. */
function pricedBuckets<T extends CandleRow>(rows: readonly T[], range: CandleRange, step: Micros): Bucket<T>[] {
  const buckets = new Map<Micros, Bucket<T>>()
  for (const row of rows) {
    const at = isPriced(row) ? row.source_cutoff_at : row.tick_at
    if (at < range.from || at >= range.to) continue
    const start = Math.floor(at / step) * step
    const bucket = buckets.get(start) ?? { start, priced: [], others: [] }
    buckets.set(start, bucket)
    if (isPriced(row)) bucket.priced.push(row)
    else bucket.others.push(row)
  }
  return [...buckets.values()].filter(({ priced }) => priced.length > 0).sort((a, b) => a.start - b.start)
}

function isPriced<T extends CandleRow>(row: T): row is Priced<T> {
  return row.level !== null && row.quality_state !== 'stale' && row.source_cutoff_at !== null
}

/** Builds a candle, whose fields have the order of the columns of its tables. */
function buildCandle(
  { start, priced, others }: Bucket,
  step: Micros,
  { volume, final }: Pick<Candle, 'volume' | 'final'>,
): Candle {
  const ordered = priced.sort(commitOrder)
  const open = ordered[0]
  const close = ordered.at(-1)
  invariant(open !== undefined && close !== undefined, 'buildCandle: a bucket without a priced row')
  const levels = ordered.map((row) => row.level)
  return {
    bucket_start: formatMicros(start),
    bucket_end: formatMicros(start + step),
    open: open.level,
    high: greatest(levels),
    low: least(levels),
    close: close.level,
    observation_count: ordered.length,
    coverage_ratio_min: leastOrNull(ordered.flatMap(({ coverage_ratio }) => coverage_ratio ?? [])),
    volume,
    quality_states: statesOf([...priced, ...others]),
    methodology_version: close.methodology_version,
    published_at: formatMicros([...priced, ...others].reduce((at, row) => Math.max(at, row.published_at), 0)),
    final,
  }
}

/** Orders rows by (source_cutoff_at, published_at, row_ordinal), which decides first and last. */
function commitOrder(a: Priced, b: Priced): number {
  return a.source_cutoff_at - b.source_cutoff_at || byCommit(a, b)
}

function byCommit(a: CandleRow, b: CandleRow): number {
  return a.published_at - b.published_at || a.row_ordinal - b.row_ordinal
}

function statesOf(rows: readonly CandleRow[]): string[] {
  const seen = new Set(rows.map((row) => row.quality_state))
  return QUALITY_STATES.filter((state) => seen.has(state))
}

function greatest(values: readonly string[]): string {
  return values.reduce((a, b) => (toDecimal(b).gt(toDecimal(a)) ? b : a))
}

function leastOrNull(values: readonly string[]): string | null {
  return values.length === 0 ? null : least(values)
}

function least(values: readonly string[]): string {
  return values.reduce((a, b) => (toDecimal(b).lt(toDecimal(a)) ? b : a))
}

function toDecimal(text: string): Decimal {
  return parseDecimal(text, 'candle value')
}
