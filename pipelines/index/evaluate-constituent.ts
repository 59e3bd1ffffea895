import { type Decimal, formatDecimal, ONE, roundDecimal, SCALE, sumDecimals, ZERO } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import {
  FINALITY_CONFLICT,
  FRESHNESS_CLASSES,
  type FreshnessClass,
  type MarkRule,
} from '../../vocabulary/index-level.ts'
import { inputConfidence } from '../market/freshness.ts'
import { formatMark } from '../market/mark.ts'
import { HAMPEL_RULE, type LegEvaluation } from './evaluate-leg.ts'
import { logOddsPool, sumToOne } from './normalize.ts'
import type { Parameters } from './parameters.ts'
import { type PoolParts, poolParts } from './pool-finality.ts'
import { contractPair, daysToResolution, rollPrice } from './roll.ts'
import type { Constituent, Leg, Roll } from './version.ts'

/** An input kept out of a level, with the numbers behind the decision (methodology index-1 §6). */
export type ExcludedInput = {
  readonly constituent_id: string
  readonly observation_id: string
  readonly rule: string
  readonly raw_value: string
  readonly reference_value: string
  readonly threshold: string
}

/** One constituent at one cutoff, normalized. x has 6 decimals; null = missing. */
export type EvaluatedConstituent = {
  readonly constituent: Constituent
  readonly x: Decimal | null
  readonly freshness: FreshnessClass
  /** Confidence of the input in [0, 1], unrounded; 0 when missing. */
  readonly confidence: Decimal
  readonly mark_rule: MarkRule | null
  readonly provisional: boolean
  readonly pending: boolean
  /** Reasons that limit the index's state, or explain the input. */
  readonly reasons: readonly string[]
  readonly excluded: readonly ExcludedInput[]
  /** Legs whose marks entered x, own leg first. */
  readonly used: readonly { readonly leg: Leg; readonly evaluation: LegEvaluation }[]
  /** Leg of each mark, and when its source last stated it, by the mark's first record. */
  readonly known: ReadonlyMap<string, KnownMark>
  /** Excluded pool legs; they need `readmit` to return. */
  readonly pool_excluded: ReadonlySet<string>
}

type KnownMark = { readonly leg: Leg; readonly confirmed_at: Micros }

export type ConstituentContext = {
  readonly cutoff: Micros
  readonly parameters: Parameters
  readonly roll: Roll | null
  readonly evaluations: ReadonlyMap<string, LegEvaluation>
  readonly pool_excluded_before: ReadonlySet<string>
  readonly expectedResolution: (leg: Leg) => Micros | null
}

type Used = { readonly leg: Leg; readonly evaluation: LegEvaluation }
type Normalized = {
  readonly x: Decimal | null
  readonly used: readonly Used[]
  readonly reasons?: readonly string[]
  readonly excluded?: readonly ExcludedInput[]
  readonly pool_excluded?: ReadonlySet<string>
}

/** Normalizes one constituent, step 5 of a calculation run (methodology index-1 §7, 11). */
export function evaluateConstituent(constituent: Constituent, context: ConstituentContext): EvaluatedConstituent {
  const legs = constituent.legs.map((leg) => ({ leg, evaluation: context.evaluations.get(leg.key)! }))
  const result = normalize(constituent, legs, context)
  const used = result.x === null ? [] : result.used
  const held = legs.filter(({ evaluation }) => evaluation.pending !== null)
  return {
    constituent,
    x: result.x === null ? null : roundDecimal(result.x, SCALE.mark),
    freshness: worstFreshness(used),
    confidence: pooledConfidence(used, context),
    mark_rule: weakestRule(used),
    provisional: used.some(({ evaluation }) => evaluation.provisional),
    pending: held.length > 0,
    reasons: [...(result.reasons ?? []), ...legs.flatMap(({ evaluation }) => evaluation.reason ?? [])],
    excluded: [...held.map((leg) => heldBackInput(constituent, leg)), ...(result.excluded ?? [])],
    used,
    known: new Map(legs.flatMap(knownMarks)),
    pool_excluded: result.pool_excluded ?? new Set(),
  }
}

function knownMarks({ leg, evaluation }: Used): [string, KnownMark][] {
  const marks = [evaluation.mark, evaluation.pending?.mark ?? null]
  return marks.flatMap((mark) =>
    mark === null ? [] : [[mark.source_ids[0]!, { leg, confirmed_at: mark.confirmed_at }]],
  )
}

function normalize(constituent: Constituent, legs: readonly Used[], context: ConstituentContext): Normalized {
  const own = legs[constituent.own]!
  const mark = own.evaluation.mark
  switch (constituent.normalization) {
    case 'probability_0_1':
      return { x: mark?.value ?? null, used: [own] }
    case 'inverse':
      return { x: mark === null ? null : ONE.minus(mark.value), used: [own] }
    case 'logodds_pool':
      return normalizePool(constituent, legs, context)
    case 'multi_outcome_sum_to_one':
      return normalizeSet(constituent, legs, context)
    case 'constant_maturity':
      return normalizeRoll(legs, context)
  }
}

function normalizePool(constituent: Constituent, legs: readonly Used[], context: ConstituentContext): Normalized {
  const { pool: p } = context.parameters
  const parts = poolParts(legs.map(finalityLeg), p.finality, p.exclude)
  const counted = legs.filter(({ leg }) => parts.counted.has(leg.key))
  const conflicts = conflictsOf(constituent, legs, parts, p.exclude)
  if (parts.settled) return { x: weightedMean(counted), used: counted, ...conflicts }
  if (counted.length === 0) return { x: null, used: [], ...conflicts }
  const pool = logOddsPool(
    counted.map(({ leg, evaluation }) => ({ key: leg.key, p: evaluation.mark!.value, weight: leg.pool_weight })),
    context.pool_excluded_before,
    p,
  )
  const excluded = counted.flatMap(({ leg, evaluation }) => {
    const out = pool.excluded.get(leg.key)
    if (out === undefined) return []
    const numbers = [formatDecimal(out.median, SCALE.mark), out.threshold.toFixed()] as const
    return [excludedInput(constituent, evaluation, 'POOL_DISPERSION', ...numbers)]
  })
  return {
    x: pool.x,
    used: counted.filter(({ leg }) => !pool.excluded.has(leg.key)),
    reasons: [...(pool.dispersed ? ['VENUE_DISPERSION'] : []), ...conflicts.reasons],
    excluded: [...excluded, ...conflicts.excluded],
    pool_excluded: new Set(pool.excluded.keys()),
  }
}

function finalityLeg({ leg, evaluation }: Used) {
  const { mark, freshness } = evaluation
  return { key: leg.key, p: mark?.value ?? null, weight: leg.pool_weight, final: freshness === 'settled' }
}

/** Returns the final legs that a pool leaves out, with the value they were compared with. */
function conflictsOf(constituent: Constituent, legs: readonly Used[], { conflicting }: PoolParts, near: Decimal) {
  const excluded = legs.flatMap(({ leg, evaluation }) => {
    const conflict = conflicting.get(leg.key)
    if (conflict === undefined) return []
    const reference = formatDecimal(conflict.reference, SCALE.mark)
    return [excludedInput(constituent, evaluation, FINALITY_CONFLICT, reference, near.toFixed())]
  })
  return { excluded, reasons: excluded.length === 0 ? [] : [FINALITY_CONFLICT] }
}

/** Normalizes a set. If an outcome is not usable the own mark is used unchanged; beyond the overround limit x is missing. */
function normalizeSet(constituent: Constituent, legs: readonly Used[], context: ConstituentContext): Normalized {
  const own = legs[constituent.own]!
  if (own.evaluation.mark === null) return { x: null, used: [] }
  if (legs.some(({ evaluation }) => evaluation.mark === null))
    return { x: own.evaluation.mark.value, used: [own], reasons: ['PARTIAL_OUTCOME_SET'] }
  const marks = legs.map(({ evaluation }) => evaluation.mark!.value)
  const { max_overround } = context.parameters
  const result = sumToOne(marks, constituent.own, max_overround)
  const overround = sumDecimals(marks).minus(ONE)
  if (result === null) {
    const out = excludedInput(
      constituent,
      own.evaluation,
      'MAX_OVERROUND',
      formatDecimal(overround, SCALE.mark),
      max_overround.toFixed(),
    )
    return { x: null, used: [], reasons: ['OVERROUND_EXCEEDED'], excluded: [out] }
  }
  return {
    x: result.x,
    used: [own, ...legs.filter((leg) => leg !== own)],
    reasons: [`OVERROUND:${formatDecimal(overround, SCALE.mark)}`],
  }
}

function normalizeRoll(legs: readonly Used[], context: ConstituentContext): Normalized {
  const roll = context.roll!
  const contracts = legs.flatMap((used) => {
    const at = context.expectedResolution(used.leg)
    const p = used.evaluation.mark?.value
    return at === null || p === undefined ? [] : [{ used, p, days: daysToResolution(at, context.cutoff) }]
  })
  const pair = contractPair(contracts, roll)
  if (pair === null) return { x: null, used: [], reasons: ['NO_ROLL_CONTRACT'] }
  if (pair.length === 1) return { x: pair[0].p, used: [pair[0].used], reasons: ['ROLL_SINGLE_CONTRACT'] }
  const [near, far] = pair
  const rolled = rollPrice(near, far, roll)
  return { x: rolled.x, used: [near.used, far.used], reasons: rolled.violated ? ['TERM_STRUCTURE_VIOLATION'] : [] }
}

/** Returns the freshness of the least fresh leg. */
function worstFreshness(used: readonly Used[]): FreshnessClass {
  if (used.length === 0) return 'missing'
  return FRESHNESS_CLASSES[Math.max(...used.map(({ evaluation }) => FRESHNESS_CLASSES.indexOf(evaluation.freshness)))]!
}

/** Returns the mean of the legs' confidences, by pool weight. */
function pooledConfidence(used: readonly Used[], { cutoff, parameters }: ConstituentContext): Decimal {
  if (used.length === 0) return ZERO
  const weighted = used.map(({ leg, evaluation }) =>
    leg.pool_weight.times(inputConfidence(evaluation.mark!, cutoff, parameters)),
  )
  return used.length === 1
    ? inputConfidence(used[0]!.evaluation.mark!, cutoff, parameters)
    : sumDecimals(weighted).div(sumDecimals(used.map(({ leg }) => leg.pool_weight)))
}

/** Returns the rule with the least confidence among the legs used. */
function weakestRule(used: readonly Used[]): MarkRule | null {
  const marks = used.map(({ evaluation }) => evaluation.mark!)
  return marks.length === 0
    ? null
    : marks.reduce((weakest, mark) => (mark.c_rule.lt(weakest.c_rule) ? mark : weakest)).rule
}

function weightedMean(used: readonly Used[]): Decimal {
  const total = sumDecimals(used.map(({ leg }) => leg.pool_weight))
  return sumDecimals(used.map(({ leg, evaluation }) => leg.pool_weight.times(evaluation.mark!.value))).div(total)
}

function heldBackInput(constituent: Constituent, { evaluation }: Used): ExcludedInput {
  const { mark, decision } = evaluation.pending!
  return {
    constituent_id: constituent.constituent_id,
    observation_id: mark.source_ids[0]!,
    rule: HAMPEL_RULE,
    raw_value: formatMark(mark),
    reference_value: formatDecimal(decision.window!.median, SCALE.mark),
    threshold: formatDecimal(decision.limit!, SCALE.mark),
  }
}

function excludedInput(
  constituent: Constituent,
  evaluation: LegEvaluation,
  rule: string,
  reference_value: string,
  threshold: string,
): ExcludedInput {
  const mark = evaluation.mark!
  return {
    constituent_id: constituent.constituent_id,
    observation_id: mark.source_ids[0]!,
    rule,
    raw_value: formatMark(mark),
    reference_value,
    threshold,
  }
}
