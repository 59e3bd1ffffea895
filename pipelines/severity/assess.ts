import {
  Decimal,
  type DecimalString,
  formatDecimal,
  ONE,
  parseDecimal,
  sumDecimals,
  ZERO,
} from '../../primitives/decimal.ts'
import type { EvidenceTier } from '../../vocabulary/review.ts'
import {
  SCORED_LEVELS,
  type ScoredLevel,
  SEVERITY_COMPONENTS,
  type SeverityComponent,
  type SeverityLevel,
} from '../../vocabulary/severity.ts'
import { SEVERITY_SCALE, type SeverityParameters } from './methodology.ts'

/** A component: its value, and the range given by the better sources of the last 72 hours. Published decimals. */
export type AssessedComponent = {
  readonly value: DecimalString
  readonly low: DecimalString
  readonly high: DecimalString
  /** Whether an official source verified it, which makes a zero a finding. */
  readonly verified: boolean
}
/** null: missing, which is never zero. */
export type AssessedComponents = Readonly<Record<SeverityComponent, AssessedComponent | null>>

/** One assessment. `score` and `score_range` are null where nothing is known of any component. */
export type Assessment = {
  readonly level: SeverityLevel
  readonly score: DecimalString | null
  readonly score_range: { readonly low: DecimalString; readonly high: DecimalString } | null
  readonly confidence: DecimalString
  /** Reasons for UNKNOWN; empty otherwise. */
  readonly reason_codes: readonly string[]
}

/**
 * Computes score, range and level of methodology severity-1 §4 to 6.
 * @param tiers tiers of the evidence
 */
export function assess(
  components: AssessedComponents,
  tiers: readonly EvidenceTier[],
  parameters: SeverityParameters,
): Assessment {
  const weight = weightPresent(components, parameters)
  const score = scoreOf(pick(components, 'value'), parameters)
  if (score === null) {
    return { level: 'UNKNOWN', score: null, score_range: null, confidence: '0.0000', reason_codes: ['NO_CONSEQUENCE'] }
  }
  const low = scoreOf(pick(components, 'low'), parameters)!
  const high = scoreOf(withLargestHigh(components), parameters)!
  const reason_codes = unknownReasons(components, tiers, { weight, score, low, high }, parameters)
  return {
    level: reason_codes.length > 0 ? 'UNKNOWN' : levelOf(score, parameters),
    score,
    score_range: { low, high },
    confidence: confidenceOf(weight, low, high, tiers, parameters),
    reason_codes,
  }
}

/** Returns the level of a score. */
export function levelOf(score: DecimalString, { cut_points }: Pick<SeverityParameters, 'cut_points'>): ScoredLevel {
  const value = parseDecimal(score, 'score')
  const index = cut_points.findLastIndex((cut) => value.gte(cut))
  return SCORED_LEVELS[Math.max(index, 0)]!
}

type Values = Partial<Record<SeverityComponent, DecimalString>>

/**
 * Returns 0.6 of the worst consequence plus 0.4 of the weighted mean of the present components. Null if no consequence is known.
 */
export function scoreOf(values: Values, parameters: SeverityParameters): DecimalString | null {
  const present = SEVERITY_COMPONENTS.filter((name) => values[name] !== undefined)
  const worst = parameters.consequences
    .filter((name) => values[name] !== undefined)
    .map((name) => decimal(values, name))
  if (worst.length === 0) return null
  const weight = sumDecimals(present.map((name) => parameters.weights[name]))
  const sum = sumDecimals(present.map((name) => decimal(values, name).times(parameters.weights[name])))
  const mean = sum.div(weight).times(ONE.minus(parameters.worst_share))
  return formatDecimal(
    Decimal.max(...worst)
      .times(parameters.worst_share)
      .plus(mean),
    SEVERITY_SCALE,
  )
}

function decimal(values: Values, name: SeverityComponent): Decimal {
  return parseDecimal(values[name], name)
}

function pick(components: AssessedComponents, field: 'value' | 'low' | 'high'): Values {
  const present = SEVERITY_COMPONENTS.filter((name) => components[name] !== null)
  return Object.fromEntries(present.map((name) => [name, components[name]![field]]))
}

/** Fills missing components with the worst known upper bound. */
function withLargestHigh(components: AssessedComponents): Values {
  const known = pick(components, 'high')
  const largest = formatDecimal(
    Decimal.max(...Object.values(known).map((text) => parseDecimal(text, 'high'))),
    SEVERITY_SCALE,
  )
  return Object.fromEntries(SEVERITY_COMPONENTS.map((name) => [name, known[name] ?? largest]))
}

function weightPresent(components: AssessedComponents, { weights }: SeverityParameters): Decimal {
  return sumDecimals(SEVERITY_COMPONENTS.filter((name) => components[name] !== null).map((name) => weights[name]))
}

type Scores = {
  readonly weight: Decimal
  readonly score: DecimalString
  readonly low: DecimalString
  readonly high: DecimalString
}

function unknownReasons(
  components: AssessedComponents,
  tiers: readonly EvidenceTier[],
  { weight, score, low, high }: Scores,
  parameters: SeverityParameters,
): string[] {
  const rank = (text: DecimalString) => SCORED_LEVELS.indexOf(levelOf(text, parameters))
  const is_zero = levelOf(score, parameters) === 'SEV-0'
  return [
    ...(weight.lt(parameters.minimum_weight) ? ['WEIGHT_BELOW_MINIMUM'] : []),
    ...(rank(high) - rank(low) >= parameters.range_levels_max ? ['RANGE_TOO_WIDE'] : []),
    ...(tiers.every((tier) => tier === 'D') ? ['EVIDENCE_UNVERIFIED'] : []),
    ...(is_zero && !isVerifiedZero(components, tiers, parameters) ? ['ZERO_NOT_VERIFIED'] : []),
  ]
}

/** Returns whether SEV-0 is a finding: all consequences present, verified and next to nothing, with one official source. */
function isVerifiedZero(
  components: AssessedComponents,
  tiers: readonly EvidenceTier[],
  { consequences, verified_zero_below }: SeverityParameters,
): boolean {
  const all = consequences.every((name) => {
    const one = components[name]
    return one?.verified === true && parseDecimal(one.value, name).lt(verified_zero_below)
  })
  return all && tiers.includes('A')
}

/** Returns weight present x (1 - width of the range / 100) x mean weight of the tiers. */
function confidenceOf(
  weight: Decimal,
  low: DecimalString,
  high: DecimalString,
  tiers: readonly EvidenceTier[],
  { tier_weights }: SeverityParameters,
): DecimalString {
  const width = parseDecimal(high, 'high').minus(low).div(100)
  const mean = tiers.length === 0 ? ZERO : sumDecimals(tiers.map((tier) => tier_weights[tier])).div(tiers.length)
  return formatDecimal(weight.times(ONE.minus(width)).times(mean), 4)
}
