import { type Decimal, formatDecimal, SCALE, ZERO } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import { FALLBACK_RULES, type QualityState } from '../../vocabulary/index-level.ts'
import { type Evaluation, type EvaluationState, NO_EVALUATION_STATE, weightShare } from './evaluate.ts'
import type { EvaluatedConstituent, ExcludedInput } from './evaluate-constituent.ts'
import { formatContribution, formatLevel, GAUGE_FACTOR } from './level.ts'
import { decideQuality, isIndicative } from './quality.ts'
import type { IndexVersion } from './version.ts'

/** State of a calculation between ticks: the legs' memory and the last level. */
export type CalculationState = EvaluationState & { readonly last_level: LastLevel | null }
export type LastLevel = { readonly level: string; readonly source_cutoff_at: Micros }

export const NO_CALCULATION_STATE: CalculationState = { ...NO_EVALUATION_STATE, last_level: null }

/** Governance facts that decide a state: an operator halt or suspension, or an index that is only scheduled. */
export type IndexGate = { readonly halted: boolean; readonly scheduled: boolean }
export const OPEN_GATE: IndexGate = { halted: false, scheduled: false }

/** One tick's result; decimals as published. */
export type TickResult = {
  readonly tick_at: Micros
  readonly version: IndexVersion
  readonly source_cutoff_at: Micros | null
  readonly level: string | null
  readonly quality_state: QualityState
  readonly coverage_ratio: string
  readonly confidence: string
  readonly link_factor: Decimal | null
  readonly missing_constituent_ids: readonly string[]
  readonly excluded_inputs: readonly ExcludedInput[]
  readonly input_observation_ids: readonly string[]
  readonly reason_codes: readonly string[]
  readonly constituents: readonly EvaluatedConstituent[]
  readonly used_weight: Decimal
}

/** Computes level, ratios and state from an evaluation (steps 6 and 7). */
export function concludeTick(
  evaluation: Evaluation,
  version: IndexVersion,
  k: Decimal | null,
  last_level: LastLevel | null,
  gate: IndexGate,
): { result: TickResult; state: CalculationState } {
  const { constituents, sums, cutoff } = evaluation
  const quality_state = stateOf(evaluation, version, gate)
  const priced = quality_state !== 'suspended' && quality_state !== 'stale' && k !== null
  const level = priced
    ? { level: formatLevel(k, sums.s!), source_cutoff_at: cutoff }
    : quality_state === 'stale'
      ? last_level
      : null
  const result: TickResult = {
    tick_at: cutoff,
    version,
    source_cutoff_at: quality_state === 'suspended' ? cutoff : (level?.source_cutoff_at ?? null),
    level: level?.level ?? null,
    quality_state,
    coverage_ratio: formatDecimal(sums.coverage_ratio, SCALE.coverage_ratio),
    confidence: formatDecimal(sums.confidence, SCALE.confidence),
    link_factor: k,
    missing_constituent_ids: constituents.filter((c) => c.x === null).map((c) => c.constituent.constituent_id),
    excluded_inputs: constituents.flatMap((c) => c.excluded),
    input_observation_ids: [...new Set(constituents.flatMap(sourceIds))].sort(),
    reason_codes: reasonCodes(evaluation),
    constituents,
    used_weight: sums.used_weight,
  }
  return { result, state: { ...evaluation.state, last_level: priced ? level : last_level } }
}

function stateOf(evaluation: Evaluation, version: IndexVersion, gate: IndexGate): QualityState {
  const { constituents, sums } = evaluation
  const has = (reason: string) => constituents.some((c) => c.reasons.includes(reason))
  return decideQuality(
    {
      ...gate,
      usable_ratio: sums.usable_ratio,
      coverage_ratio: sums.coverage_ratio,
      confidence: sums.confidence,
      fallback_ratio: weightShare(constituents, ZERO, (c) => FALLBACK_RULES.includes(c.mark_rule)),
      any_fresh_or_settled: constituents.some((c) => c.freshness === 'fresh' || c.freshness === 'settled'),
      any_missing: constituents.some((c) => c.x === null),
      dispersed: has('VENUE_DISPERSION'),
      indicative:
        evaluation.fixing_failed ||
        constituents.some((c) => isIndicative({ ...c, settled: c.freshness === 'settled' })),
      minimum_coverage_ratio: version.minimum_coverage_ratio,
    },
    version.methodology.parameters.quality,
  )
}

/** Returns the observation ids behind one constituent's x, frozen and carried ones included. */
export function sourceIds(constituent: EvaluatedConstituent): readonly string[] {
  return constituent.used.flatMap(({ evaluation }) => evaluation.mark!.source_ids)
}

function reasonCodes({ constituents, fixing_failed }: Evaluation): readonly string[] {
  const codes = new Set(constituents.flatMap((c) => c.reasons))
  if (fixing_failed) codes.add('FIXING_UNAVAILABLE')
  return [...codes].sort()
}

/** Returns the contribution of each constituent to the level, 12 decimals; null where it adds nothing. */
export function contributions(result: TickResult): readonly (string | null)[] {
  const { link_factor, used_weight } = result
  return result.constituents.map(({ x, constituent }) =>
    x === null || link_factor === null
      ? null
      : formatContribution(link_factor, constituent.target_weight, x, used_weight),
  )
}

/** Link factor K of gauge mode. */
export const GAUGE_K: Decimal = GAUGE_FACTOR
