import type { Decimal } from '../../primitives/decimal.ts'
import { ZERO } from '../../primitives/decimal.ts'
import {
  type CorrectionReason,
  EXPLAINED_BY,
  FALLBACK_RULES,
  type QualityState,
  STATE_REASONS,
  type StateReason,
} from '../../vocabulary/index-level.ts'
import type { TickResult } from './calculate.ts'
import type { EvaluatedConstituent } from './evaluate-constituent.ts'
import { levelSums } from './level.ts'
import { isIndicative } from './quality.ts'

/**
 * Returns the reasons of a tick with those of its state: every condition of Q1 to Q4 that holds and gives no reason of its own
 * (methodology index-2 §12), and the correction's reason where the state is `corrected`. Sorted, each once.
 */
export function reasonsOfTick(
  result: TickResult,
  quality_state: QualityState,
  correction_reason: string | null,
): readonly string[] {
  const corrected = quality_state === 'corrected' && correction_reason !== null ? [correction_reason] : []
  return eachOnce([...result.reason_codes, ...stateReasons(result), ...corrected])
}

function stateReasons({ constituents, version, quality_state, reason_codes }: TickResult): StateReason[] {
  const { quality } = version.methodology.parameters
  const sums = levelSums(
    constituents.map((c) => ({ w: c.constituent.target_weight, x: c.x, c: c.confidence, freshness: c.freshness })),
  )
  const conditions: readonly (readonly [StateReason, boolean])[] = [
    ['USABLE_WEIGHT_LOW', sums.usable_ratio.lt(quality.usable_min)],
    ['NO_FRESH_INPUT', !constituents.some((c) => c.freshness === 'fresh' || c.freshness === 'settled')],
    ['COVERAGE_LOW', sums.coverage_ratio.lt(version.minimum_coverage_ratio)],
    ['CONSTITUENT_MISSING', constituents.some((c) => c.x === null)],
    ['FALLBACK_WEIGHT_HIGH', fallbackWeight(constituents).gt(quality.max_fallback_weight)],
    ['CONFIDENCE_LOW', sums.confidence.lt(quality.min_confidence)],
  ]
  const found = conditions.flatMap(([reason, holds]) => (holds ? [reason] : []))
  return [...found, ...gateReasons(quality_state, constituents, [...reason_codes, ...found])]
}

/** Returns the reason of a gate: what is left where nothing else leads to the state. */
function gateReasons(
  state: QualityState,
  constituents: readonly EvaluatedConstituent[],
  codes: readonly string[],
): StateReason[] {
  if (isExplained(state, codes)) return []
  if (state === 'suspended') return ['INDEX_HALTED']
  const held = constituents.some((c) => isIndicative({ ...c, settled: c.freshness === 'settled' }))
  return state === 'indicative' && !held ? ['INDEX_SCHEDULED'] : []
}

function fallbackWeight(constituents: readonly EvaluatedConstituent[]): Decimal {
  return constituents.reduce(
    (sum, c) => (FALLBACK_RULES.includes(c.mark_rule) ? sum.plus(c.constituent.target_weight) : sum),
    ZERO,
  )
}

/** The published fields that tell why a record has its state. */
export type StatedReasons = {
  readonly quality_state: QualityState
  readonly underlying_quality_state: QualityState
  readonly correction_reason: CorrectionReason | string | null
  readonly coverage_ratio: string
  readonly reason_codes: readonly string[]
  readonly missing_constituent_ids: readonly string[]
}

/**
 * Returns the reasons of a published record. Records from before states had reasons of their own get the one that their other
 * fields imply; no such index was halted or scheduled.
 */
export function reasonsOfRecord(record: StatedReasons): readonly string[] {
  const { quality_state, underlying_quality_state: state, correction_reason, reason_codes } = record
  const corrected = quality_state === 'corrected' && correction_reason !== null ? [correction_reason] : []
  const implied = isExplained(state, reason_codes) ? [] : impliedReasons(record)
  const added = [...implied, ...corrected].filter((reason) => !reason_codes.includes(reason))
  return added.length === 0 ? reason_codes : eachOnce([...reason_codes, ...added])
}

/**
 * Returns whether a record's reasons are those of its recomputation. A record from before states had reasons of their own may
 * leave some of those out.
 */
export function agreesOnReasons(record: StatedReasons, computed: readonly string[]): boolean {
  const { reason_codes } = record
  const isOwn = (code: string) =>
    (STATE_REASONS as readonly string[]).includes(code) || code === record.correction_reason
  const others = (codes: readonly string[]) => codes.filter((code) => !isOwn(code)).join()
  const own = reason_codes.filter((code) => isOwn(code) && code !== 'COVERAGE_OR_FALLBACK')
  return others(reason_codes) === others(computed) && own.every((code) => computed.includes(code))
}

function impliedReasons({
  underlying_quality_state: state,
  missing_constituent_ids,
  coverage_ratio,
}: StatedReasons): StateReason[] {
  if (state === 'suspended') return ['USABLE_WEIGHT_LOW']
  if (state === 'stale') return ['NO_FRESH_INPUT']
  if (state === 'indicative') return ['CONFIDENCE_LOW']
  if (missing_constituent_ids.length > 0) return ['CONSTITUENT_MISSING']
  return [/^1(\.0*)?$/.test(coverage_ratio) ? 'FALLBACK_WEIGHT_HIGH' : 'COVERAGE_OR_FALLBACK']
}

/** Returns whether one of the codes alone leads to a state. A code may end with `:` and a value. */
function isExplained(state: QualityState, codes: readonly string[]): boolean {
  const explaining = EXPLAINED_BY[state]
  return explaining === null || codes.some((code) => explaining.includes(code.split(':')[0]!))
}

function eachOnce(codes: readonly string[]): readonly string[] {
  return [...new Set(codes)].sort()
}
