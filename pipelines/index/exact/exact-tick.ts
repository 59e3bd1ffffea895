import type { DecimalString } from '../../../primitives/decimal.ts'
import { SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { FreshnessClass } from '../../market/freshness.ts'
import type { MarkRule } from '../../market/mark.ts'
import type { IndexGate, LastLevel, TickResult } from '../calculate.ts'
import type { QualityState } from '../quality.ts'
import { confidenceFormula } from './confidence.ts'
import { compare34, type Decimal34, divide34, multiply34, parse34, sum34, toUnits } from './decimal34.ts'
import { INDICATIVE_REASONS } from './figures.ts'
import { isFallbackRule, RULES } from './units.ts'

/** One leg behind an input: what its confidence is made of. */
export type TwinLeg = {
  readonly pool_weight: DecimalString
  readonly c_rule: DecimalString
  readonly confirmed_at: Micros
  readonly settled: boolean
}

/** One constituent as evaluated, in published strings. */
export type TwinConstituent = {
  readonly constituent_id: string
  readonly w: DecimalString
  readonly x: DecimalString | null
  readonly freshness: FreshnessClass
  readonly mark_rule: MarkRule | null
  readonly provisional: boolean
  readonly pending: boolean
  readonly reasons: readonly string[]
  readonly legs: readonly TwinLeg[]
}

/** What a tick's numbers follow from. */
export type TwinInputs = {
  readonly tick_at: Micros
  readonly link_factor: DecimalString | null
  readonly constituents: readonly TwinConstituent[]
  readonly fixing_failed: boolean
  readonly gate: IndexGate
  readonly last_level: LastLevel | null
  readonly max_carry: Micros
  readonly minimum_coverage_ratio: DecimalString
  readonly usable_min: DecimalString
  readonly min_confidence: DecimalString
  readonly max_fallback_weight: DecimalString
}

/** A tick's numbers. */
export type TwinTick = Pick<
  TickResult,
  | 'tick_at'
  | 'source_cutoff_at'
  | 'level'
  | 'quality_state'
  | 'coverage_ratio'
  | 'confidence'
  | 'missing_constituent_ids'
> & { readonly contributions: readonly (DecimalString | null)[] }

/**
 * The twin used at publication: level, contributions, ratios, confidence and state of one tick once more, from the strings
 * that are published, by the normative formulas over BigInt (methodology 4.5, 4.8; decimal34.ts). It shares neither code
 * nor arithmetic with `calculate`, so an error of either shows as a difference.
 */
export function exactTick(inputs: TwinInputs): TwinTick {
  const { constituents, tick_at } = inputs
  const usable = constituents.filter((c) => c.x !== null)
  const used = weightOf(usable)
  const total = weightOf(constituents)
  const covered = divide34(weightOf(usable.filter(isLive)), total)
  const confidence = divide34(confidenceOf(inputs), total)
  const quality_state = stateOf(inputs, { usable: divide34(used, total), covered, confidence })
  const priced = quality_state !== 'suspended' && quality_state !== 'stale'
  const k = inputs.link_factor === null ? null : parse34(inputs.link_factor)
  const last = quality_state === 'stale' ? inputs.last_level : null
  return {
    tick_at,
    quality_state,
    level: priced ? levelText(k!, usable, used) : (last?.level ?? null),
    source_cutoff_at: quality_state === 'stale' ? (last?.source_cutoff_at ?? null) : tick_at,
    coverage_ratio: print(covered, SCALE.coverage_ratio),
    confidence: print(confidence, SCALE.confidence),
    missing_constituent_ids: constituents.filter((c) => c.x === null).map((c) => c.constituent_id),
    contributions: constituents.map(({ w, x }) => {
      if (x === null || k === null) return null
      return print(divide34(multiply34(multiply34(k, parse34(w)), parse34(x)), used), SCALE.contribution)
    }),
  }
}

/** L = K x S, S = sum w x / sum w over the usable. */
function levelText(k: Decimal34, usable: readonly TwinConstituent[], used: Decimal34): string {
  const weighted = sum34(usable.map(({ w, x }) => multiply34(parse34(w), parse34(x!))))
  return print(multiply34(k, divide34(weighted, used)), SCALE.level)
}

function confidenceOf({ constituents, tick_at, max_carry }: TwinInputs): Decimal34 {
  const inputs = constituents.map(({ w, x, legs }) => ({
    w: parse34(w),
    terms: x === null ? [] : legs.map((leg) => ({ ...leg, ...termOf(leg, tick_at) })),
  }))
  return confidenceFormula(inputs, max_carry)
}

function termOf(leg: TwinLeg, tick_at: Micros) {
  return {
    pool_weight: parse34(leg.pool_weight),
    c: Number(toUnits(parse34(leg.c_rule), 2)),
    age: tick_at - leg.confirmed_at,
  }
}

type Ratios = { readonly usable: Decimal34; readonly covered: Decimal34; readonly confidence: Decimal34 }

/** Q1..Q5, the first row that is true. */
function stateOf(inputs: TwinInputs, ratios: Ratios): QualityState {
  const { constituents, gate } = inputs
  const isBelow = (value: Decimal34, bound: DecimalString) => compare34(value, parse34(bound)) < 0
  const has = (reason: string) => constituents.some((c) => c.reasons.includes(reason))
  const fallback = weightOf(
    constituents.filter((c) => c.mark_rule !== null && isFallbackRule(RULES.indexOf(c.mark_rule))),
  )
  if (gate.halted || isBelow(ratios.usable, inputs.usable_min)) return 'suspended'
  if (!constituents.some(isLive)) return 'stale'
  if (isBelow(ratios.covered, inputs.minimum_coverage_ratio)) return 'degraded'
  if (constituents.some((c) => c.x === null) || has('VENUE_DISPERSION')) return 'degraded'
  if (compare34(fallback, parse34(inputs.max_fallback_weight)) > 0) return 'degraded'
  if (gate.scheduled || inputs.fixing_failed || INDICATIVE_REASONS.some(has)) return 'indicative'
  if (constituents.some((c) => c.provisional || c.pending)) return 'indicative'
  return isBelow(ratios.confidence, inputs.min_confidence) ? 'indicative' : 'valid'
}

function isLive({ freshness }: TwinConstituent): boolean {
  return freshness === 'settled' || freshness === 'fresh'
}

function weightOf(constituents: readonly TwinConstituent[]): Decimal34 {
  return sum34(constituents.map(({ w }) => parse34(w)))
}

function print(value: Decimal34, scale: number): DecimalString {
  return fromScaled(toUnits(value, scale), scale)
}
