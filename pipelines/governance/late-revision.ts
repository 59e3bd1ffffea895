import { durationMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { decideRestatement } from '../index/correction.ts'
import type { Parameters } from '../index/parameters.ts'
import type { GovernanceAct } from './acts.ts'
import { approvedAdoption, isGoverned } from './index-change.ts'
import type { GovernanceState, Proposal } from './proposal.ts'
import { readRestatement } from './restatement.ts'

/** Published revision of a level, beside the level that it supersedes. */
export type PublishedRevision = {
  readonly tick_at: Instant
  readonly published_at: Instant
  readonly supersedes_id: string
  readonly old_level: string | null
  readonly new_level: string | null
  readonly quality_state: string
}

/** Revision that a restatement in force approved, and since when. */
export type ApprovedRevision = {
  readonly proposal_id: string
  readonly tick_at: Instant
  readonly new_level: string | null
  readonly quality_state: string
  readonly activated_at: Micros
}

type Restate = Parameters['restate']
type Timed = Pick<PublishedRevision, 'tick_at' | 'published_at' | 'supersedes_id'>

/**
 * Detail of the approval of an adoption, as the service records it: from then on, late corrections wait for a vote. Earlier releases did
 * not state it; there they wait from the start of the adoption.
 */
export const HELD_BY_APPROVAL = { late_corrections: 'vote' } as const

/** Reports whether an act of the service is such an approval. */
export function holdsCorrections({ act, kind, details }: GovernanceAct): boolean {
  return (
    act === 'approve' && kind === 'index_adoption' && details.late_corrections === HELD_BY_APPROVAL.late_corrections
  )
}

/** Reports whether late corrections of an index wait for a vote: it is governed, or its adoption is approved. */
export function awaitsVotes(state: GovernanceState, index_id: string): boolean {
  return isGoverned(state, index_id) || approvedAdoption(state, index_id) !== null
}

/** Longest time from finding an error to the publication of its correction: a verifier knows the publication alone. */
const PUBLICATION_TIME = durationMicros('PT1H')

/**
 * Reports whether a revision of a governed index needs a vote: it moves the level by `restate.bp` or more, and came later than
 * `restate.window` after the tick (methodology index-2 §13).
 */
export function needsVote(revision: PublishedRevision, restate: Restate): boolean {
  const { tick_at, published_at, old_level, new_level } = revision
  const detected_at = toMicros(published_at) - PUBLICATION_TIME
  return decideRestatement({ old_level, new_level, tick_at: toMicros(tick_at), detected_at }, restate) === 'committee'
}

/** Reports whether a revision came later than `restate.window` after its tick, however large it is. */
export function isLate(
  { tick_at, published_at }: Pick<PublishedRevision, 'tick_at' | 'published_at'>,
  restate: Restate,
) {
  return toMicros(published_at) - PUBLICATION_TIME - toMicros(tick_at) > restate.window
}

/**
 * Returns the revisions that restatements in force approved, by the id of the level that each supersedes.
 * @param activatedAt instant at which a proposal took effect; null: it has not
 */
export function approvedRevisions(
  proposals: Iterable<Proposal>,
  activatedAt: (proposal_id: string) => Micros | null,
): ReadonlyMap<string, ApprovedRevision> {
  const approved = new Map<string, ApprovedRevision>()
  for (const { kind, proposal_id, content } of proposals) {
    const activated_at = kind === 'restatement' ? activatedAt(proposal_id) : null
    if (activated_at === null) continue
    for (const { supersedes_id, tick_at, new_level, quality_state } of readRestatement(content).ticks)
      if (supersedes_id !== null)
        approved.set(supersedes_id, { proposal_id, tick_at, new_level, quality_state, activated_at })
  }
  return approved
}

/**
 * Returns the levels that were restated late, or that people approved to restate, by the id of the superseded level. Each is one thing
 * that a check of late revisions looks at.
 * @param revisions  with the rule of their version; null: the version is not published
 * @param approved   none: only the later revisions are checked
 */
export function restatedLevels(
  revisions: readonly { readonly revision: Timed; readonly restate: Restate | null }[],
  approved: Iterable<string>,
): ReadonlySet<string> {
  const late = revisions.filter(({ revision, restate }) => restate !== null && isLate(revision, restate))
  return new Set([...late.map(({ revision }) => revision.supersedes_id), ...approved])
}

/** Returns why a revision that needs a vote is not one that was approved; null: it is. */
export function faultOfRevision(revision: PublishedRevision, approved: ApprovedRevision | undefined): string | null {
  if (approved === undefined) return 'restated late, and no proposal in force approved it'
  const { proposal_id, activated_at } = approved
  const field = (['tick_at', 'new_level', 'quality_state'] as const).find((name) => revision[name] !== approved[name])
  if (field !== undefined)
    return `restated with ${field} ${revision[field]}; ${proposal_id} approved ${approved[field]}`
  return toMicros(revision.published_at) < activated_at ? `restated before ${proposal_id} took effect` : null
}
