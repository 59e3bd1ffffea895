import {
  Decimal,
  type DecimalString,
  formatDecimal,
  ONE,
  parseDecimal,
  sumDecimals,
  ZERO,
} from '../../primitives/decimal.ts'
import type { SeverityLevel, SeverityQualityState } from '../../vocabulary/severity.ts'
import { levelOf } from './assess.ts'
import { SEVERITY_SCALE, type SeverityParameters } from './methodology.ts'

/** One event of a severity index. */
export type IndexedEvent = {
  /** Relevance, in (0, 1]. */
  readonly relevance: DecimalString
  /** Level of its current assessment; null or UNKNOWN: left out. */
  readonly level: SeverityLevel | null
  readonly score: DecimalString | null
  /** Days since its end; null: ongoing. */
  readonly days_since_end: DecimalString | null
}

export type SeverityIndexParameters = {
  /** Weight factor of each following event, by rank. */
  readonly rho: Decimal
  readonly decay_days: Decimal
  readonly degraded_below: Decimal
  readonly suspended_below: Decimal
}

export const SEVERITY_INDEX_PARAMETERS: SeverityIndexParameters = {
  rho: new Decimal('0.20'),
  decay_days: new Decimal('90'),
  degraded_below: new Decimal('0.60'),
  suspended_below: new Decimal('0.30'),
}

/** Value of a severity index. It is not a price, and nothing trades on it. */
export type SeverityIndexValue = {
  /** null: no event is known. */
  readonly value: DecimalString | null
  readonly level_equivalent: SeverityLevel
  readonly coverage_ratio: DecimalString
  readonly quality_state: SeverityQualityState
}

/**
 * Returns the rank-discounted sum of methodology severity-1 §11: the worst event counts fully, each next one rho times less. A
 * single event gives its own score, and a further event never lowers the value.
 */
export function severityIndex(
  events: readonly IndexedEvent[],
  severity: SeverityParameters,
  parameters: SeverityIndexParameters,
): SeverityIndexValue {
  const weighed = events.map((event) => ({ event, weight: weightOf(event, parameters) }))
  const known = weighed.filter(({ event }) => isKnown(event))
  const coverage = coverageOf(
    sumDecimals(known.map(({ weight }) => weight)),
    sumDecimals(weighed.map(({ weight }) => weight)),
  )
  const coverage_ratio = formatDecimal(coverage, 6)
  if (known.length === 0) {
    return { value: null, level_equivalent: 'UNKNOWN', coverage_ratio, quality_state: 'suspended' }
  }
  const scores = known.map(({ event, weight }) => parseDecimal(event.score, 'score').times(weight))
  const value = formatDecimal(Decimal.min(100, rankDiscounted(scores, parameters.rho)), SEVERITY_SCALE)
  const quality_state = qualityOf(coverage, parameters)
  return { value, level_equivalent: levelOf(value, severity), coverage_ratio, quality_state }
}

/** Returns the sum of rho^(rank - 1) x score, greatest first. */
function rankDiscounted(scores: readonly Decimal[], rho: Decimal): Decimal {
  const sorted = scores.toSorted((a, b) => b.cmp(a))
  return sumDecimals(sorted.map((score, rank) => score.times(rho.pow(rank))))
}

/** Returns the relevance, fading to zero over the decay time after the event's end. */
function weightOf({ relevance, days_since_end }: IndexedEvent, { decay_days }: SeverityIndexParameters): Decimal {
  const weight = parseDecimal(relevance, 'relevance')
  if (days_since_end === null) return weight
  const faded = ONE.minus(parseDecimal(days_since_end, 'days_since_end').div(decay_days))
  return weight.times(Decimal.max(ZERO, faded))
}

function isKnown({ level, score }: IndexedEvent): boolean {
  return level !== null && level !== 'UNKNOWN' && score !== null
}

function coverageOf(known: Decimal, all: Decimal): Decimal {
  return all.isZero() ? ZERO : known.div(all)
}

function qualityOf(coverage: Decimal, { degraded_below, suspended_below }: SeverityIndexParameters) {
  if (coverage.lt(suspended_below)) return 'suspended'
  return coverage.lt(degraded_below) ? 'degraded' : 'valid'
}
