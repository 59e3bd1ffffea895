import type { EligibilityVerdict } from '../../vocabulary/eligibility.ts'

/** A fact as text, at one of two instants. */
type FactText = { readonly fact: string; readonly value: string | null }

/** Eligibility of a constituent: as selected, and now. */
export type ConstituentEligibility = {
  readonly constituent_id: string
  readonly market_id: string
  /** Facts at selection; null: its version records none. */
  readonly facts_at_selection: readonly FactText[] | null
  readonly status: EligibilityVerdict
  readonly reason_codes: readonly string[]
  readonly facts: readonly FactText[]
}

/** A fact that differs from that at selection. */
export type ChangedFact = { readonly fact: string; readonly at_selection: string | null; readonly now: string | null }

/** Returns the facts that differ from those at selection; those that only the clock moves are no change. */
export function changedFacts({ facts_at_selection, facts }: ConstituentEligibility): readonly ChangedFact[] {
  if (facts_at_selection === null) return []
  const before = new Map(facts_at_selection.map(({ fact, value }) => [fact, value]))
  return facts.flatMap(({ fact, value }) => {
    const at_selection = before.get(fact) ?? null
    return at_selection === value || fact === 'time_to_resolution' ? [] : [{ fact, at_selection, now: value }]
  })
}

/** Change that drift calls for: constituents to leave the index, with the reasons. */
export type DriftProposal = {
  readonly index_id: string
  readonly index_version_id: string
  readonly removals: readonly {
    readonly constituent_id: string
    readonly market_id: string
    readonly reason_codes: readonly string[]
  }[]
}

/**
 * Returns what is to be proposed for a version whose constituents drifted; null: nothing. A constituent that is ineligible is to
 * leave. A constituent with a missing fact stays: nothing is known against it.
 */
export function driftProposal(
  version: { readonly index_id: string; readonly index_version_id: string },
  constituents: readonly ConstituentEligibility[],
): DriftProposal | null {
  const removals = constituents
    .filter(({ status }) => status === 'ineligible')
    .map(({ constituent_id, market_id, reason_codes }) => ({ constituent_id, market_id, reason_codes }))
  return removals.length === 0 ? null : { ...version, removals }
}
