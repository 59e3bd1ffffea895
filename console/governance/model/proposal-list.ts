import type { Proposal } from './words.ts'

/** Filter of a list; null: all. */
export type ProposalFilter = { readonly kind: string | null; readonly state: string | null }

/** States in which a proposal may still change, as one choice of the filter. */
export const OPEN = 'open'
const OPEN_STATES: readonly string[] = ['draft', 'proposed', 'consulting', 'approved', 'queued']

/** Returns the proposals that a filter keeps, newest first. */
export function filteredProposals(
  proposals: readonly Proposal[],
  { kind, state }: ProposalFilter,
): readonly Proposal[] {
  const isKept = (one: Proposal) =>
    (kind === null || one.kind === kind) &&
    (state === null || one.state === state || (state === OPEN && OPEN_STATES.includes(one.state)))
  return proposals.filter(isKept).toReversed()
}

/** Returns the values of a field that occur, sorted, with the number of proposals that have it. */
export function valuesOf(
  proposals: readonly Proposal[],
  field: 'kind' | 'state',
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const one of proposals) counts.set(one[field], (counts.get(one[field]) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
}
