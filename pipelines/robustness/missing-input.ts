import { type Decimal, type DecimalString, formatDecimal, ONE, SCALE, ZERO } from '../../primitives/decimal.ts'
import type { ImpairedState, StateReason } from '../../vocabulary/index-level.ts'
import { formatBasisPoints } from '../index/correction.ts'
import { formatLevel, levelSums } from '../index/level.ts'
import { levelDifference } from '../index/level-difference.ts'
import { decideQuality } from '../index/quality.ts'
import { type LevelBasis, type LevelConstituent, usableOf, weightedSums } from './level-basis.ts'

/** Effect of one missing input on a level (methodology robustness-1 §2). */
type MissingInput = {
  readonly constituent_id: string
  /** Level without the input; null: the index would have no level of its own. */
  readonly level_without: DecimalString | null
  /** level_without - level, 4 decimals. */
  readonly move: DecimalString | null
  /** |move| / level in basis points, 2 decimals; null where the level is 0. */
  readonly move_bp: DecimalString | null
  /** State without the input: degraded, stale or suspended. */
  readonly quality_state: ImpairedState
  readonly reason_codes: readonly StateReason[]
  readonly coverage_ratio: DecimalString
  /** Levels if the input were 0 and if it were 1: bounds of the level whatever the input is. */
  readonly level_if_zero: DecimalString
  readonly level_if_one: DecimalString
}

/** Effects of each missing input, and the largest of them. */
export type MissingInputBound = {
  readonly level: DecimalString
  readonly inputs: readonly MissingInput[]
  /** Input whose absence moves the level most, of equals the first; null: no input may be missing. */
  readonly largest: MissingInput | null
  /** Inputs without which the index has no level. */
  readonly indispensable_ids: readonly string[]
}

/**
 * Returns how far a level could move if each of its inputs were missing, by the index's own rules: the input leaves numerator and
 * denominator alike, and the state follows from what is left (methodology robustness-1 §2).
 * @returns null: nothing is usable, so there is no level
 */
export function missingInputBound(basis: LevelBasis): MissingInputBound | null {
  const { weighted, weight } = weightedSums(usableOf(basis))
  if (weight.isZero()) return null
  const level = formatLevel(basis.k, weighted.div(weight))
  const inputs = basis.constituents.map((constituent) => withoutInput(basis, constituent, level))
  const largest = inputs.reduce<MissingInput | null>((most, input) => (movesMore(input, most) ? input : most), null)
  const indispensable_ids = inputs.flatMap((input) => (input.level_without === null ? [input.constituent_id] : []))
  return { level, inputs, largest, indispensable_ids }
}

function movesMore({ move }: MissingInput, most: MissingInput | null): boolean {
  if (move === null) return false
  return most === null || sizeOf(move) > sizeOf(most.move!)
}

/** Returns the size of a move in units of its last decimal. */
function sizeOf(move: DecimalString): bigint {
  return BigInt(move.replace(/[-.]/g, ''))
}

function withoutInput(basis: LevelBasis, missing: LevelConstituent, level: DecimalString): MissingInput {
  const { k, rules } = basis
  const inputs = basis.constituents.map(({ constituent_id, w, x, freshness }) =>
    constituent_id === missing.constituent_id
      ? { w, x: null, c: ZERO, freshness: 'missing' as const }
      : { w, x, c: ONE, freshness },
  )
  const sums = levelSums(inputs)
  const any_fresh_or_settled = inputs.some(({ freshness }) => freshness === 'fresh' || freshness === 'settled')
  // A missing constituent alone makes a level degraded, so the rules after that one need no facts.
  const facts = { halted: false, scheduled: false, dispersed: false, indicative: false, any_missing: true }
  const { minimum_coverage_ratio, usable_min } = rules
  const quality_state = decideQuality(
    { ...facts, ...sums, any_fresh_or_settled, minimum_coverage_ratio, fallback_ratio: ZERO },
    { usable_min, min_confidence: ZERO, max_fallback_weight: ONE },
  ) as MissingInput['quality_state']
  const level_without = quality_state === 'degraded' ? formatLevel(k, sums.s!) : null
  const move = levelDifference(level, level_without)
  return {
    constituent_id: missing.constituent_id,
    level_without,
    move,
    move_bp: formatBasisPoints(level, level_without),
    quality_state,
    reason_codes: reasonsOf(sums, rules, any_fresh_or_settled),
    coverage_ratio: formatDecimal(sums.coverage_ratio, SCALE.coverage_ratio),
    level_if_zero: levelWith(basis, missing, ZERO),
    level_if_one: levelWith(basis, missing, ONE),
  }
}

function reasonsOf(
  { usable_ratio, coverage_ratio }: { readonly usable_ratio: Decimal; readonly coverage_ratio: Decimal },
  { minimum_coverage_ratio, usable_min }: LevelBasis['rules'],
  any_fresh_or_settled: boolean,
): StateReason[] {
  const conditions: readonly (readonly [StateReason, boolean])[] = [
    ['CONSTITUENT_MISSING', true],
    ['COVERAGE_LOW', coverage_ratio.lt(minimum_coverage_ratio)],
    ['NO_FRESH_INPUT', !any_fresh_or_settled],
    ['USABLE_WEIGHT_LOW', usable_ratio.lt(usable_min)],
  ]
  return conditions.flatMap(([reason, holds]) => (holds ? [reason] : []))
}

/** Returns the level if one input had a value, and all others their own. */
function levelWith(basis: LevelBasis, { constituent_id, w }: LevelConstituent, x: Decimal): DecimalString {
  const others = weightedSums(usableOf(basis).filter((constituent) => constituent.constituent_id !== constituent_id))
  return formatLevel(basis.k, others.weighted.plus(w.times(x)).div(others.weight.plus(w)))
}
