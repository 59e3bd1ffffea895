import {
  Decimal,
  type DecimalString,
  formatDecimal,
  parseDecimal,
  sumDecimals,
  ZERO,
} from '../../primitives/decimal.ts'
import {
  type Band,
  RATED_BANDS,
  RATING_COMPONENTS,
  type RatedBand,
  type RatingComponent,
} from '../../vocabulary/rating.ts'
import type { EvidenceTier } from '../../vocabulary/review.ts'
import { type ComponentDefinition, RATING_SCALE, type RatingParameters } from './methodology.ts'

/** Published components; null: missing, which is never zero. */
export type ComponentScores = Readonly<Record<RatingComponent, DecimalString | null>>

/** One piece of evidence of a component, by its age at the rating's cutoff. */
export type EvidenceFact = {
  readonly component: RatingComponent
  readonly tier: EvidenceTier
  readonly age_days: DecimalString
}

/** Score and band of a market on one day, before stability. `score` is null exactly where `band` is NR. */
export type Composite = {
  readonly band: Band
  readonly score: DecimalString | null
  /** Sum of the weights of the present components, in [0, 1]. */
  readonly weight_present: DecimalString
  readonly confidence: DecimalString
  /** Reasons why the band is not better, or is NR, in the order of the decisions. */
  readonly reason_codes: readonly string[]
}

/**
 * Computes score and band of methodology rating-1 §3 and 10: the weighted mean of the published components, the band of the
 * score, and the caps of weak links and missing components; NR if too little is known.
 */
export function rateComponents(
  components: ComponentScores,
  evidence: readonly EvidenceFact[],
  parameters: RatingParameters,
): Composite {
  const present = parameters.components.filter(({ name }) => components[name] !== null)
  const weight = sumDecimals(present.map((one) => one.weight))
  const weight_present = formatDecimal(weight, RATING_SCALE)
  const lacking = lackOf(components, evidence, weight, parameters)
  const confidence = formatDecimal(confidenceOf(evidence, weight, parameters), 4)
  if (lacking.length > 0) return { band: 'NR', score: null, weight_present, confidence, reason_codes: lacking }
  const goodness = present.map((one) => ({ ...one, good: goodnessOf(one, components[one.name]!) }))
  const score = formatDecimal(sumDecimals(goodness.map((one) => one.good.times(one.weight))).div(weight), RATING_SCALE)
  const caps = [
    ...weakLinks(goodness, parameters),
    ...(present.length < parameters.components.length
      ? [{ best: parameters.best_when_missing, reason: 'COMPONENT_MISSING' }]
      : []),
  ]
  const of_score = bandOf(score, parameters)
  const band = caps.reduce((worst, { best }) => worseOf(worst, best), of_score)
  const binding = caps.filter(({ best }) => rank(best) > rank(of_score))
  return { band, score, weight_present, confidence, reason_codes: binding.map(({ reason }) => reason) }
}

/** Returns the band of a score alone. */
export function bandOf(score: DecimalString, { thresholds }: Pick<RatingParameters, 'thresholds'>): RatedBand {
  const value = parseDecimal(score, 'score')
  return RATED_BANDS.find((band) => value.gte(thresholds[band])) ?? 'MR5'
}

/** Returns 0 for MR1 to 4 for MR5. */
export function rank(band: RatedBand): number {
  return RATED_BANDS.indexOf(band)
}

/** Returns the worse of two bands. */
function worseOf(a: RatedBand, b: RatedBand): RatedBand {
  return rank(a) >= rank(b) ? a : b
}

/** Returns the reasons that keep a market from being rated. */
function lackOf(
  components: ComponentScores,
  evidence: readonly EvidenceFact[],
  weight: Decimal,
  parameters: RatingParameters,
): string[] {
  const missing = parameters.components.filter((one) => one.required && components[one.name] === null)
  const recent = evidence.filter((one) => parseDecimal(one.age_days, 'age_days').lte(parameters.evidence_age_max_days))
  const evidenced = new Set(recent.map(({ component }) => component))
  const bare = RATING_COMPONENTS.filter((name) => components[name] !== null && !evidenced.has(name))
  return [
    ...missing.map(({ name }) => `MISSING_REQUIRED:${name}`),
    ...(weight.lt(parameters.minimum_weight) ? ['WEIGHT_BELOW_MINIMUM'] : []),
    ...bare.map((name) => `EVIDENCE_INSUFFICIENT:${name}`),
  ]
}

/** Returns weight present x mean weight of the evidence's tiers x its remaining value after ageing. */
function confidenceOf(evidence: readonly EvidenceFact[], weight: Decimal, parameters: RatingParameters): Decimal {
  if (evidence.length === 0) return ZERO
  const tiers = sumDecimals(evidence.map(({ tier }) => parameters.tier_weights[tier])).div(evidence.length)
  const ages = evidence.map(({ age_days }) => parseDecimal(age_days, 'age_days'))
  const age = sumDecimals(ages).div(evidence.length)
  const fresh = Decimal.max(ZERO, new Decimal(1).minus(age.div(parameters.confidence_age_days)))
  return weight.times(tiers).times(fresh)
}

function goodnessOf({ name, higher_is_better }: ComponentDefinition, text: DecimalString): Decimal {
  const value = parseDecimal(text, name)
  return higher_is_better ? value : new Decimal(100).minus(value)
}

type Good = ComponentDefinition & { readonly good: Decimal }

/** Returns for each weak link the best band that it allows. */
function weakLinks(components: readonly Good[], { weak_links }: RatingParameters) {
  return components.flatMap(({ name, good }) => {
    const found = weak_links.find(({ below }) => good.lt(below))
    return found === undefined ? [] : [{ best: found.best, reason: `WEAK_LINK:${name}` }]
  })
}
