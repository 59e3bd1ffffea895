import { parseDecimal } from '../../primitives/decimal.ts'
import { durationMicros, formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { type EligibilityVerdict, type FactName, factKind } from '../../vocabulary/eligibility.ts'
import { RATED_BANDS } from '../../vocabulary/rating.ts'
import type { EligibilityRule } from './policy.ts'

/** A fact about a market, and the record that it came from. */
export type Fact = {
  readonly fact: FactName
  /** null: the warehouse has no such fact. */
  readonly value: string | null
  /** Instant that the fact is about; null: its record names none. */
  readonly observed_at: Micros | null
  /** Table of its record; null: it has none. */
  readonly source_table: string | null
  /** Id of its record; null: it was computed from many. */
  readonly source_id: string | null
}

/** Decision about one market. `facts` are those that the rules name, in their order. */
export type Evaluation = {
  readonly status: EligibilityVerdict
  /** Codes of the rules that do not hold, in the order of the rules; empty if it is eligible. */
  readonly reason_codes: readonly string[]
  readonly facts: readonly Fact[]
}

/**
 * Decides whether a market is eligible. Pure: the facts as known at `as_of` alone decide. A missing fact is `unknown`, never
 * passed; a rule that fails counts more than one whose fact is missing.
 */
export function evaluateEligibility(
  rules: readonly EligibilityRule[],
  facts: ReadonlyMap<FactName, Fact>,
  as_of: Micros,
): Evaluation {
  const used = rules.map(({ fact }) => facts.get(fact) ?? missingFact(fact))
  const judged = rules.map((rule, i) => judge(rule, used[i]!, as_of))
  return {
    status: statusOf(judged.map(({ status }) => status)),
    reason_codes: judged.flatMap(({ codes }) => codes),
    facts: used,
  }
}

/** Returns a fact that the warehouse does not have. */
export function missingFact(fact: FactName): Fact {
  return { fact, value: null, observed_at: null, source_table: null, source_id: null }
}

/** Returns a fact as stored, with its instant as text. */
export function factRow({
  observed_at,
  ...fact
}: Fact): Omit<Fact, 'observed_at'> & { readonly observed_at: Instant | null } {
  return { ...fact, observed_at: observed_at === null ? null : formatMicros(observed_at) }
}

type Judged = { readonly status: EligibilityVerdict; readonly codes: readonly string[] }

function statusOf(statuses: readonly EligibilityVerdict[]): EligibilityVerdict {
  if (statuses.includes('ineligible')) return 'ineligible'
  return statuses.includes('unknown') ? 'unknown' : 'eligible'
}

function judge(rule: EligibilityRule, { value, observed_at }: Fact, as_of: Micros): Judged {
  const code = (ending: string) => `${rule.fact.toUpperCase()}_${ending}`
  if (value === null) return { status: 'unknown', codes: [code('UNKNOWN')] }
  const failed = [
    ...(isBelow(rule, value) ? [code('TOO_LOW')] : []),
    ...(isAbove(rule, value) ? [code('TOO_HIGH')] : []),
    ...(rule.one_of !== null && !rule.one_of.includes(value) ? [code('NOT_ACCEPTED')] : []),
    ...(isOld(rule, observed_at, as_of) ? [code('TOO_OLD')] : []),
  ]
  if (failed.length > 0) return { status: 'ineligible', codes: failed }
  if (rule.age_max !== null && observed_at === null) return { status: 'unknown', codes: [code('AGE_UNKNOWN')] }
  return { status: 'eligible', codes: [] }
}

function isOld({ age_max }: EligibilityRule, observed_at: Micros | null, as_of: Micros): boolean {
  return age_max !== null && observed_at !== null && as_of - observed_at > durationMicros(age_max)
}

function isBelow({ fact, at_least }: EligibilityRule, value: string): boolean {
  if (at_least === null) return false
  switch (factKind(fact)) {
    case 'band':
      return bandOrdinal(value) > bandOrdinal(at_least)
    case 'duration':
      return parseDecimal(value, fact).times(1000).lt(durationMicros(at_least))
    default:
      return parseDecimal(value, fact).lt(at_least)
  }
}

function isAbove({ fact, at_most }: EligibilityRule, value: string): boolean {
  if (at_most === null) return false
  if (factKind(fact) === 'duration') return parseDecimal(value, fact).times(1000).gt(durationMicros(at_most))
  return parseDecimal(value, fact).gt(at_most)
}

/** Returns the place of a band, best first; a market that is not rated comes after all. */
function bandOrdinal(band: string): number {
  const ordinal = RATED_BANDS.indexOf(band as (typeof RATED_BANDS)[number])
  return ordinal < 0 ? RATED_BANDS.length : ordinal
}
