import { backtestRatings, type EndedMarket, type RatingBacktest } from '../../pipelines/rating/backtest.ts'
import { type DurationString, durationMicros, formatMicros, type Instant, toMicros } from '../../primitives/instants.ts'
import { inForceSql } from '../../warehouse/read/in-force-sql.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { checkRange } from '../review/check-range.ts'

export type RatingBacktestRequest = {
  /** Half-open range in which trading ended; null: from the first market, up to as_of. */
  readonly from: Instant | null
  readonly to: Instant | null
  /** Instant of knowledge for the actual outcomes; null: now. */
  readonly as_of: Instant | null
  /** Time before the end of trading at which the rating is taken. */
  readonly lead: DurationString
  /** A final outcome that takes longer from the close is late. */
  readonly delay: DurationString
  readonly warehouse: Warehouse
}

export type RatingBacktestReport = RatingBacktest & {
  readonly from: Instant | null
  readonly to: Instant
  readonly as_of: Instant
  readonly lead: DurationString
  readonly delay: DurationString
}

const BEGIN = '1970-01-01T00:00:00Z'

/** The rating of each market of the statement at its observation instant. */
const IN_FORCE = inForceSql({
  columns: 'market_id, rating_id, issuer.kind as kind, band, score',
  heads: 'heads',
  subject: 'market_id',
  at: 'observed_at',
})

/**
 * Compares the ratings that were known before markets ended with what happened after: each rating is read as of its
 * observation instant.
 * @throws {ServiceError} VALIDATION_RANGE_INVALID, VALIDATION_AS_OF_IN_FUTURE
 */
export async function backtestPublishedRatings(request: RatingBacktestRequest): Promise<RatingBacktestReport> {
  const { from, lead, delay, warehouse } = request
  const [lead_us, delay_us] = [durationMicros(lead, 'lead'), durationMicros(delay, 'delay')]
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const tables = ['market', 'market_resolution', 'market_rating'] as const
  const session = await openReadSession(warehouse, { as_of, tables })
  try {
    const to = request.to === null ? session.as_of : Math.min(toMicros(request.to, 'to'), session.as_of)
    checkRange(from, to)
    const range = { from: from ?? BEGIN, to: formatMicros(to), lead_us }
    const rows = await session.query(
      readSql(import.meta.url, 'sql/backtest_ratings.sql', { in_force: IN_FORCE }),
      range,
    )
    const found = backtestRatings(rows as unknown as EndedMarket[], delay_us)
    return { from, to: formatMicros(to), as_of: formatMicros(session.as_of), lead, delay, ...found }
  } finally {
    await session.close()
  }
}
