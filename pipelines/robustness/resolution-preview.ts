import {
  type Decimal,
  type DecimalString,
  formatDecimal,
  ONE,
  parseDecimal,
  roundDecimal,
  SCALE,
  ZERO,
} from '../../primitives/decimal.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { PayoutRule, VoidReason } from '../../vocabulary/robustness.ts'
import { evaluateConstituent } from '../index/evaluate-constituent.ts'
import { type LegEvaluation, UNUSABLE_LEG } from '../index/evaluate-leg.ts'
import { formatLevel, type LevelInput, levelSums } from '../index/level.ts'
import { levelDifference } from '../index/level-difference.ts'
import type { Constituent, IndexVersion, Leg } from '../index/version.ts'
import { C_RULE } from '../market/mark.ts'
import { basisOfLevel, type PublishedInput, type PublishedLeg, type PublishedLevel } from './published-level.ts'

/** A published level whose legs have their times, with its tick. */
export type PreviewedLevel = Omit<PublishedLevel, 'inputs'> & {
  readonly tick_at: Instant
  readonly inputs: readonly (Omit<PublishedInput, 'legs'> & {
    /** Whether a newer mark waits, held back as an outlier. */
    readonly pending: boolean
    readonly legs: readonly (PublishedLeg & { readonly freshness_class: PublishedInput['freshness_class'] })[]
  })[]
}

/** Level of an index if an outcome of a market won. */
export type ResolutionPreview = {
  /** null: too little weight would be usable, or the index has no level. */
  readonly level: DecimalString | null
  /** level - published level, 4 decimals. */
  readonly move: DecimalString | null
  /** Normalized values that would change; null: missing. */
  readonly constituents: readonly {
    readonly constituent_id: string
    readonly before: DecimalString | null
    readonly after: DecimalString | null
  }[]
}

/** The version that rules a level, and the expected resolution of its contracts. */
export type PreviewRules = {
  readonly version: IndexVersion
  readonly expectedResolution: (leg: Leg) => Micros | null
}

/** Level of an index if a market were void, by one rule of payouts. */
export type VoidPreview = ResolutionPreview & {
  readonly payout_rule: Exclude<PayoutRule, 'winner'>
  /** Payout of each outcome; null: none, or equal shares are not exact. */
  readonly payout: DecimalString | null
  /** Reason for a missing level; null if there is a level, or if the record never has one. */
  readonly reason: VoidReason | null
}

const NOTHING: ResolutionPreview = { level: null, move: null, constituents: [] }

/**
 * Returns the level of an index if a market paid 1 for one outcome and 0 for the others, all else as published (methodology
 * robustness-1 §5).
 * @param market_id market that would resolve
 * @param winner    outcome that would win
 */
export function previewResolution(
  record: PreviewedLevel,
  rules: PreviewRules,
  market_id: string,
  winner: string,
): ResolutionPreview {
  return previewPayouts(record, rules, market_id, ({ outcome_id }) => (outcome_id === winner ? ONE : ZERO))
}

/**
 * Returns the levels of an index if a market were void: each outcome paid an equal share, or nothing paid and every mark of the market
 * frozen (methodology robustness-1 §5, index-2 §4).
 * @param outcome_count  number of the market's outcomes
 */
export function previewVoid(
  record: PreviewedLevel,
  rules: PreviewRules,
  market_id: string,
  outcome_count: number,
): readonly VoidPreview[] {
  const share = roundDecimal(ONE.div(outcome_count), SCALE.payout)
  const is_exact = share.times(outcome_count).eq(ONE)
  return [
    {
      payout_rule: 'equal_shares',
      payout: is_exact ? formatDecimal(share, SCALE.payout) : null,
      reason: is_exact ? null : 'PAYOUTS_NOT_EXACT',
      ...(is_exact ? previewPayouts(record, rules, market_id, () => share) : NOTHING),
    },
    { payout_rule: 'none', payout: null, ...frozen(record, rules, market_id) },
  ]
}

/** Previews a void without a payout: values stay, and what reads the market is no longer fresh. */
function frozen(
  record: PreviewedLevel,
  { version }: PreviewRules,
  market_id: string,
): ResolutionPreview & Pick<VoidPreview, 'reason'> {
  if (basisOf(record, version) === null) return { ...NOTHING, reason: null }
  const freezes = ({ legs }: PreviewedLevel['inputs'][number]) =>
    legs.some((leg) => leg.market_id === market_id && leg.freshness_class !== 'settled')
  const touched = record.inputs.filter(freezes)
  // The record does not state the last mark of a rule 1 to 6 where a fixing, or an outlier, stands beside it.
  const is_stated = touched.every(
    ({ pending, legs }) => !pending && legs.every(({ mark_rule }) => mark_rule !== 'fixing'),
  )
  if (!is_stated) return { ...NOTHING, reason: 'MARK_NOT_STATED' }
  const is_fresh = record.inputs.some(
    (input) => ['fresh', 'settled'].includes(input.freshness_class) && !touched.includes(input),
  )
  if (!is_fresh) return { ...NOTHING, reason: 'NO_FRESH_INPUT' }
  const constituents = touched.map(({ constituent_id, normalized_value }) => ({
    constituent_id,
    before: normalized_value,
    after: normalized_value,
  }))
  return { level: record.level, move: levelDifference(record.level, record.level), constituents, reason: null }
}

function basisOf(record: PreviewedLevel, { minimum_coverage_ratio, methodology }: IndexVersion) {
  const { usable_min } = methodology.parameters.quality
  const rules = { minimum_coverage_ratio: minimum_coverage_ratio.toFixed(), usable_min: usable_min.toFixed() }
  return basisOfLevel(record, rules)
}

function previewPayouts(
  record: PreviewedLevel,
  rules: PreviewRules,
  market_id: string,
  payoutOf: (leg: Leg) => Decimal,
): ResolutionPreview {
  const { version } = rules
  const basis = basisOf(record, version)
  if (basis === null) return NOTHING
  const pays = (leg: Leg) => (leg.market_id !== market_id ? null : payoutOf(leg))
  const changed = new Map<string, LevelInput>()
  for (const [i, constituent] of version.constituents.entries()) {
    if (!constituent.legs.some((leg) => leg.market_id === market_id)) continue
    changed.set(constituent.constituent_id, resolved(constituent, record.inputs[i]!, record, rules, pays))
  }
  const inputs = basis.constituents.map(({ constituent_id, w, x, freshness }): LevelInput => {
    return changed.get(constituent_id) ?? { w, x, c: ZERO, freshness }
  })
  const sums = levelSums(inputs)
  const is_usable = sums.s !== null && sums.usable_ratio.gte(version.methodology.parameters.quality.usable_min)
  const level = is_usable ? formatLevel(basis.k, sums.s!) : null
  const constituents = record.inputs.flatMap(({ constituent_id, normalized_value: before }) => {
    const after = changed.get(constituent_id)
    return after === undefined
      ? []
      : [{ constituent_id, before, after: after.x === null ? null : formatDecimal(after.x, SCALE.mark) }]
  })
  return { level, move: levelDifference(record.level, level), constituents }
}

type Payout = (leg: Leg) => Decimal | null

/** Evaluates a constituent with the payouts of one market, and the published marks of its other legs. */
function resolved(
  constituent: Constituent,
  input: PreviewedLevel['inputs'][number],
  { tick_at }: PreviewedLevel,
  { version, expectedResolution }: PreviewRules,
  pays: Payout,
): LevelInput {
  const cutoff = toMicros(tick_at, 'tick_at')
  const evaluations = new Map<string, LegEvaluation>()
  for (const leg of constituent.legs) {
    const payout = pays(leg)
    const stated = input.legs.find(({ outcome_id }) => outcome_id === leg.outcome_id)
    if (payout !== null) evaluations.set(leg.key, legAt(payout, 'M0', 'settled', cutoff))
    else if (stated === undefined) evaluations.set(leg.key, UNUSABLE_LEG)
    else {
      const value = parseDecimal(stated.value, 'value')
      evaluations.set(leg.key, legAt(value, stated.mark_rule, stated.freshness_class, cutoff))
    }
  }
  const { x, confidence, freshness } = evaluateConstituent(constituent, {
    cutoff,
    parameters: version.methodology.parameters,
    roll: version.roll,
    evaluations,
    pool_excluded_before: new Set(),
    expectedResolution,
  })
  return { w: constituent.target_weight, x, c: confidence, freshness }
}

function legAt(
  value: Decimal,
  rule: PublishedLeg['mark_rule'],
  freshness: LegEvaluation['freshness'],
  at: Micros,
): LegEvaluation {
  const times = { source_at: at, confirmed_at: at, cutoff_at: at }
  const mark = { rule, origin_rule: rule, value, c_rule: C_RULE[rule as keyof typeof C_RULE] ?? ONE, ...times }
  return { ...UNUSABLE_LEG, mark: { ...mark, source_ids: [NO_SOURCE], derivation_rule: null }, freshness }
}

/** Stands for the evidence of a resolution that has not happened. */
const NO_SOURCE = 'res_previewed'
