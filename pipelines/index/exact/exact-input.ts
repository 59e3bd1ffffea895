import { Decimal, formatDecimal, SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import { FRESHNESS_CLASSES, type InputReasonCode, MARK_RULES } from '../../../vocabulary/index-level.ts'
import { sourceIds } from '../calculate.ts'
import type { EvaluatedConstituent, ExcludedInput } from '../evaluate-constituent.ts'
import { HAMPEL_RULE } from '../evaluate-leg.ts'
import type { Constituent, Leg } from '../version.ts'
import type { ConfidenceTerm } from './confidence.ts'
import { ONE34, parse34 } from './decimal34.ts'
import { EVIDENCE_KEY, type ExactLeg } from './exact-leg.ts'
import { type Ghosts, recordIdOf } from './ghosts.ts'
import { type InputReason, inputReason, type LegCause, legCause, type MissingCause } from './input-reason.ts'
import type { IntegerOutlier } from './integer-parameters.ts'
import type { LegSource } from './leg-source.ts'
import { type IntegerMark, SOURCE_FIELDS } from './quote-mark.ts'
import { CLASS, MARK_ONE, NONE, printUnits, RULE } from './units.ts'

/** One evaluated constituent, immutable: the source of a tick's sums, state and lists. */
export type ExactInput = {
  readonly constituent: Constituent
  /** In marks; null = missing. */
  readonly x: number | null
  /** Ordinals in FRESHNESS_CLASSES and MARK_RULES. */
  readonly freshness: number
  readonly rule: number
  readonly provisional: boolean
  readonly pending: boolean
  readonly reasons: readonly string[]
  readonly excluded: readonly ExcludedInput[]
  readonly source_ids: readonly string[]
  /** Why the input is missing or partial, or parts of it are kept out. */
  whys(): readonly InputReason[]
  /** One per leg used. */
  terms(cutoff: Micros): readonly ConfidenceTerm[]
  /** One per leg used: its share of the constituent, c_rule in hundredths, confirmed_at; settled legs do not age. */
  readonly decays: readonly Decay[]
}

export type Decay = {
  readonly share: number
  readonly c: number
  readonly confirmed_at: Micros
  readonly settled: boolean
}

/** A constituent of one leg: x is the leg's mark or one minus it. Lists are built on request. */
export class PlainInput implements ExactInput {
  readonly constituent: Constituent
  readonly x: number | null
  readonly freshness: number
  readonly rule: number
  readonly provisional: boolean
  readonly pending: boolean
  readonly reasons: readonly string[]
  readonly decays: readonly Decay[]
  readonly excluded: readonly ExcludedInput[]
  readonly source: LegSource
  readonly ghosts: Ghosts
  readonly #key: number
  readonly #evidence_id: string
  /** null: the input has a value. */
  readonly #cause: MissingCause | null
  readonly #held_known_at: Micros | null

  /** @param cutoff that the leg was evaluated at */
  constructor(constituent: Constituent, leg: ExactLeg, p: IntegerOutlier, cutoff: Micros) {
    const { mark } = leg
    const missing = mark.rule === NONE
    this.constituent = constituent
    this.x = missing ? null : constituent.normalization === 'inverse' ? MARK_ONE - mark.value : mark.value
    this.freshness = missing ? CLASS.missing : leg.freshness
    this.rule = mark.rule
    this.provisional = leg.provisional
    this.pending = leg.pending
    this.reasons = leg.reason === null ? NO_REASONS : [leg.reason]
    this.decays = missing ? NO_DECAYS : [decayOf(mark, 1)]
    this.excluded = heldBackInputs(constituent, leg, p)
    this.source = leg.source
    this.ghosts = leg.ghosts
    this.#key = missing ? NONE : mark.key
    this.#evidence_id = leg.phase.evidence_id
    this.#cause = legCause(leg, cutoff)
    this.#held_known_at = leg.pending ? leg.raw.confirmed_at : null
  }

  get source_ids(): readonly string[] {
    return keyIds(this, this.#key, this.#evidence_id)
  }

  whys(): readonly InputReason[] {
    const { constituent_id, legs } = this.constituent
    const reasonOf = (state: InputReason['state'], { code, known_at }: Omit<LegCause, 'leg'>) =>
      inputReason(constituent_id, state, code, known_at, [{ leg: legs[0]!, code, known_at }])
    return [
      ...(this.#cause === null ? [] : [reasonOf('missing', this.#cause)]),
      ...this.excluded.map(({ rule }) => reasonOf('excluded', { code: rule, known_at: this.#held_known_at })),
    ]
  }

  terms(cutoff: Micros): readonly ConfidenceTerm[] {
    return this.decays.map((decay) => ({ ...decay, pool_weight: ONE34, age: cutoff - decay.confirmed_at }))
  }
}

/** Reasons of the reference for which an input of several legs is missing. */
const REFERENCE_CAUSES = ['NO_ROLL_CONTRACT', 'OVERROUND_EXCEEDED'] as const satisfies readonly InputReasonCode[]

const NO_EXCLUDED: readonly ExcludedInput[] = []
const NO_REASONS: readonly string[] = []
const NO_DECAYS: readonly Decay[] = []

/** Returns the decay of one mark. */
function decayOf({ c, confirmed_at, rule }: IntegerMark, share: number): Decay {
  return { share, c, confirmed_at, settled: rule === RULE.M0 }
}

/** Returns the observation ids that a key of a leg names. */
export function keyIds(
  leg: { readonly source: LegSource; readonly ghosts: Ghosts },
  key: number,
  evidence_id: string,
): readonly string[] {
  if (key === NONE) return []
  if (key === EVIDENCE_KEY) return [evidence_id]
  const record_id = recordIdOf(leg, key)
  return SOURCE_FIELDS[(key % 8) >> 1]!.map((field) => `${record_id}.${field}`)
}

/** A constituent that the reference normalized from the exact marks: pools, sets, rolls, and all inputs of a fixing tick. */
export class ReferenceInput implements ExactInput {
  readonly constituent: Constituent
  readonly x: number | null
  readonly freshness: number
  readonly rule: number
  readonly provisional: boolean
  readonly pending: boolean
  readonly reasons: readonly string[]
  readonly excluded: readonly ExcludedInput[]
  readonly decays: readonly Decay[]
  readonly #evaluated: EvaluatedConstituent
  /** Causes of the legs without a mark that the value misses. */
  readonly #causes: readonly LegCause[]

  /** @param causeOf why a leg has no mark at this cutoff; null: it has one */
  constructor(evaluated: EvaluatedConstituent, causeOf: (leg: Leg) => MissingCause | null) {
    this.#evaluated = evaluated
    this.#causes = needsAllLegs(evaluated) ? causesOf(evaluated.constituent, causeOf) : []
    this.constituent = evaluated.constituent
    this.x = evaluated.x === null ? null : Number(toScaled(evaluated.x.toFixed(), SCALE.mark))
    this.freshness = FRESHNESS_CLASSES.indexOf(evaluated.freshness)
    this.rule = evaluated.mark_rule === null ? NONE : MARK_RULES.indexOf(evaluated.mark_rule)
    this.provisional = evaluated.provisional
    this.pending = evaluated.pending
    this.reasons = evaluated.reasons
    this.excluded = evaluated.excluded
    this.decays = decaysOf(evaluated)
  }

  get source_ids(): readonly string[] {
    return sourceIds(this.#evaluated)
  }

  whys(): readonly InputReason[] {
    const { constituent_id } = this.constituent
    const { reasons, known, excluded } = this.#evaluated
    const code = REFERENCE_CAUSES.find((one) => reasons.includes(one)) ?? 'NO_USABLE_LEG'
    const newest = known.size === 0 ? null : Math.max(...[...known.values()].map(({ confirmed_at }) => confirmed_at))
    return [
      ...(this.x === null ? [inputReason(constituent_id, 'missing', code, newest, this.#causes)] : []),
      ...(this.x !== null && this.#causes.length > 0 ? [partialReason(constituent_id, this.#causes)] : []),
      ...excluded.map(({ rule, observation_id }) => {
        const mark = known.get(observation_id)
        const known_at = mark?.confirmed_at ?? null
        const causes = mark === undefined ? [] : [{ leg: mark.leg, code: rule, known_at }]
        return inputReason(constituent_id, 'excluded', rule, known_at, causes)
      }),
    ]
  }

  terms(cutoff: Micros): readonly ConfidenceTerm[] {
    return this.#evaluated.used.map(({ leg }, i) => {
      const decay = this.decays[i]!
      return { ...decay, pool_weight: parse34(leg.pool_weight.toFixed()), age: cutoff - decay.confirmed_at }
    })
  }
}

/** Returns whether a leg without a mark matters: a roll reads two of its contracts alone, and a settled value needs no other leg. */
function needsAllLegs({ x, freshness, constituent: { normalization } }: EvaluatedConstituent): boolean {
  const is_whole = normalization === 'logodds_pool' || normalization === 'multi_outcome_sum_to_one'
  return x === null || (is_whole && freshness !== 'settled')
}

/** Returns the reason of an input whose value some of its legs have no part in. */
function partialReason(constituent_id: string, causes: readonly LegCause[]): InputReason {
  const instants = causes.flatMap(({ known_at }) => known_at ?? [])
  const newest = instants.length === 0 ? null : Math.max(...instants)
  return inputReason(constituent_id, 'partial', 'PARTIAL_LEGS', newest, causes)
}

function causesOf({ legs }: Constituent, causeOf: (leg: Leg) => MissingCause | null): readonly LegCause[] {
  return legs.flatMap((leg) => {
    const cause = causeOf(leg)
    return cause === null ? [] : [{ leg, ...cause }]
  })
}

function decaysOf({ used }: EvaluatedConstituent): readonly Decay[] {
  const total = used.reduce((sum, { leg }) => sum.plus(leg.pool_weight), new Decimal(0))
  return used.map(({ leg, evaluation }) => {
    const mark = evaluation.mark!
    return {
      // A share for the estimate only; the formula reads the pool weights themselves.
      share: Number(leg.pool_weight.div(total).toFixed(20)),
      c: Number(mark.c_rule.times(100).toFixed()),
      confirmed_at: mark.confirmed_at,
      settled: mark.rule === 'M0',
    }
  })
}

/** Returns the excluded input of a mark that the filter holds back; empty if there is none. */
function heldBackInputs(constituent: Constituent, leg: ExactLeg, p: IntegerOutlier): readonly ExcludedInput[] {
  if (!leg.pending) return NO_EXCLUDED
  const { median, limit } = leg.filter.refusal(p)
  const held: ExcludedInput = {
    constituent_id: constituent.constituent_id,
    observation_id: keyIds(leg, leg.raw.key, '')[0]!,
    rule: HAMPEL_RULE,
    raw_value: printUnits(leg.raw.value, SCALE.mark),
    reference_value: formatDecimal(median, SCALE.mark),
    threshold: formatDecimal(limit, SCALE.mark),
  }
  return [held]
}
