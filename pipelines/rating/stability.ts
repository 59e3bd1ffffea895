import { type DecimalString, parseDecimal } from '../../primitives/decimal.ts'
import type { Band, RatedBand } from '../../vocabulary/rating.ts'
import type { RatingParameters } from './methodology.ts'
import { bandOf, type Composite, rank } from './rate.ts'

const OUTLOOKS = ['positive', 'stable', 'negative'] as const
export type Outlook = (typeof OUTLOOKS)[number]
const WATCH_STATUSES = ['none', 'negative'] as const
export type WatchStatus = (typeof WATCH_STATUSES)[number]

/** Past of a market that a rating needs. */
export type RatingPast = {
  /** Last band of the window other than NR; null: none. A market that was unrated for a while is not new. */
  readonly band: RatedBand | null
  /** Composite of the day before; null: there was none. */
  readonly day_before: Pick<Composite, 'band' | 'score'> | null
  /** Score 30 days before; null: there was none. */
  readonly score_30d: DecimalString | null
}

/**
 * Returns the band in force from today on: a downgrade at once, an upgrade only if the score is past the better band's
 * threshold by the margin today and the day before, and neither day's caps forbid it. A market without a band in the window
 * takes its own at once; a day without a rating between two bands does not count as a day of an upgrade.
 */
export function stableBand(
  today: Pick<Composite, 'band' | 'score'>,
  past: RatingPast,
  parameters: RatingParameters,
): Band {
  const { band, score } = today
  if (band === 'NR' || score === null || past.band === null || rank(band) >= rank(past.band)) return band
  const before = past.day_before
  if (before === null || before.band === 'NR' || before.score === null) return past.band
  const reached = [today, before].map((day) => withMargin(day.band as RatedBand, day.score!, parameters))
  const upgraded = Math.max(...reached.map(rank))
  return upgraded < rank(past.band) ? reached.find((one) => rank(one) === upgraded)! : past.band
}

/** Returns the band that a day allows for an upgrade: that of the score less the margin, and no better than the day's own. */
function withMargin(band: RatedBand, score: DecimalString, parameters: RatingParameters): RatedBand {
  const lowered = parseDecimal(score, 'score').minus(parameters.upgrade_margin)
  const allowed = bandOf(lowered.isNegative() ? '0' : lowered.toFixed(), parameters)
  return rank(allowed) >= rank(band) ? allowed : band
}

/** Returns the direction of the score over 30 days; stable if nothing was known then. */
export function outlookOf(
  score: DecimalString | null,
  score_30d: DecimalString | null,
  { trend }: RatingParameters,
): Outlook {
  if (score === null || score_30d === null) return 'stable'
  const change = parseDecimal(score, 'score').minus(parseDecimal(score_30d, 'score_30d'))
  if (change.gte(trend)) return 'positive'
  return change.lte(trend.neg()) ? 'negative' : 'stable'
}

/** Returns negative if the score is within the margin above its band's threshold, and has fallen by the trend in 30 days. */
export function watchOf(
  band: Band,
  score: DecimalString | null,
  score_30d: DecimalString | null,
  parameters: RatingParameters,
): WatchStatus {
  if (band === 'NR' || score === null) return 'none'
  const near = parseDecimal(score, 'score').lt(parameters.thresholds[band].plus(parameters.watch_margin))
  return near && outlookOf(score, score_30d, parameters) === 'negative' ? 'negative' : 'none'
}
