import { durationMicros, type Micros } from '../../primitives/instants.ts'
import { PRECONDITION_BROKEN, SCHEDULED_REBALANCE, type ServiceActName } from '../../vocabulary/governance.ts'
import { ACTIVATION_LEAD } from '../selection/schedule.ts'
import { isBaseOf } from './base-of-change.ts'
import { nextState } from './decide.ts'
import { isStatusKind, startOf, statusOf } from './index-change.ts'
import { headAfterLapse, returnBefore, returnOf } from './lapse.ts'
import { noticeAfterApproval } from './policy.ts'
import { type GovernanceState, type Proposal, policyInForce } from './proposal.ts'
import { PROPOSAL_MOVES, VOTING_STATES } from './proposal-states.ts'
import { isCarried, isOpposed } from './quorum.ts'

/** An act that the service owes: nobody decides it any more. */
export type DueAct = {
  readonly act: ServiceActName
  readonly proposal_id: string
  /** Instant since which it is owed. */
  readonly since: Micros
  readonly reason: string | null
  /** Hash of the content in force after a lapse; left out: another act, or a lapse of an earlier release. */
  readonly head?: string | null
}

/** Returns the act of the service that has been due longest at an instant; null: none is. */
export function nextDue(state: GovernanceState, at: Micros): DueAct | null {
  const due = [...state.proposals.values()].flatMap((proposal) => dueOf(state, proposal, at) ?? [])
  return due.sort((a, b) => a.since - b.since || (a.proposal_id < b.proposal_id ? -1 : 1))[0] ?? null
}

/** Returns the proposal after an act of the service. */
export function moveDue(state: GovernanceState, { act, proposal_id, reason, head }: DueAct, at: Micros): Proposal {
  const proposal = state.proposals.get(proposal_id)!
  const moved = { ...proposal, state: nextState(proposal, act), revision: proposal.revision + 1, reason }
  switch (act) {
    case 'queue':
      return { ...moved, effective_at: effectAfter(proposal, at) }
    case 'activate':
      return proposal.change_class === 'emergency'
        ? { ...moved, enacted_at: at, lapses_at: at + durationMicros(policyInForce(state)!.document.emergency_lapse) }
        : { ...moved, enacted_at: at }
    case 'lapse':
      return { ...moved, returned: (head === undefined ? returnBefore : returnOf)(state, proposal) }
    default:
      return moved
  }
}

function dueOf(state: GovernanceState, proposal: Proposal, at: Micros): DueAct | null {
  const due = (act: ServiceActName, since: Micros, reason: string | null = null): DueAct | null =>
    since <= at ? { act, proposal_id: proposal.proposal_id, since, reason } : null
  const { expires_at, proposed_at } = proposal
  if (proposal.state === 'effective') {
    const { lapses_at } = proposal
    const lapse = lapses_at === null ? null : due('lapse', lapses_at, 'NOT_RATIFIED')
    return lapse === null ? null : { ...lapse, head: headAfterLapse(state, proposal) }
  }
  if (proposal.state === 'draft') return due('expire', expires_at, 'LIFETIME_ENDED')
  if (VOTING_STATES.includes(proposal.state)) return dueOfVote(state, proposal, due)
  if (proposal.state === 'approved') {
    if (!isBased(state, proposal)) return due('expire', proposed_at, 'BASE_MOVED')
    return startsBefore(proposal, at + noticeAfterApproval(proposal))
      ? due('expire', proposed_at, 'START_BEFORE_NOTICE_ENDS')
      : due('queue', proposed_at)
  }
  if (proposal.state === 'queued') return dueOfQueued(state, proposal, at, due)
  return null
}

type Due = (act: ServiceActName, since: Micros, reason?: string | null) => DueAct | null

function dueOfVote(state: GovernanceState, proposal: Proposal, due: Due): DueAct | null {
  const { comment_ends_at, vote_ends_at, expires_at, proposed_at } = proposal
  if (!isBased(state, proposal)) return due('expire', proposed_at, 'BASE_MOVED')
  const decides_at = Math.max(comment_ends_at, vote_ends_at ?? 0)
  if (isCarried(state, proposal))
    return decides_at < expires_at ? due('approve', decides_at) : due('expire', expires_at, 'LIFETIME_ENDED')
  if (vote_ends_at === null || expires_at <= decides_at) return due('expire', expires_at, 'LIFETIME_ENDED')
  return isOpposed(state, proposal) ? due('reject', decides_at, 'OPPOSED') : due('expire', decides_at, 'NO_QUORUM')
}

/** A change takes effect only if everything that allowed it holds still. */
function dueOfQueued(state: GovernanceState, proposal: Proposal, at: Micros, due: Due): DueAct | null {
  const { expires_at, proposed_at } = proposal
  const effective_at = activatesAt(proposal)!
  if (!isBased(state, proposal)) return due('expire', proposed_at, 'BASE_MOVED')
  if (expires_at <= effective_at) return due('expire', expires_at, 'LIFETIME_ENDED')
  if (!isCarried(state, proposal)) return due('expire', effective_at, 'SIGNATURES_REVOKED')
  if (at >= effective_at && hasPassed(proposal, at)) return due('expire', effective_at, 'START_PASSED')
  if (hasEnded(state, proposal)) return due('expire', effective_at, 'INDEX_ARCHIVED')
  return due('activate', effective_at)
}

/** Reports whether the record that a proposal replaces is still in force. */
function isBased(state: GovernanceState, proposal: Proposal): boolean {
  const { kind, target, base_hash } = proposal
  return (
    isBaseOf(state, proposal, base_hash) ||
    (kind === 'eligibility_policy' && (state.heads.get(target) ?? null) === null)
  )
}

/** Reports whether a change begins before an instant; an emergency change of a status may begin at once. */
function startsBefore({ kind, content, emergency }: Proposal, at: Micros): boolean {
  const has_start = kind === 'index_version' || (isStatusKind(kind) && emergency === null)
  return has_start && startOf(content) < at
}

/** Reports whether the start of a queued change has passed. A status waits for its own start, which the notice alone can outlast. */
function hasPassed(proposal: Proposal, at: Micros): boolean {
  return startsBefore(proposal, isStatusKind(proposal.kind) ? proposal.effective_at! : at)
}

type Planned = Pick<Proposal, 'kind' | 'content' | 'effective_at'>

/** Returns when the service records that a queued change is in force, a version before it begins. null: its notice has not begun. */
export function activatesAt({ kind, content, effective_at }: Planned): Micros | null {
  if (effective_at === null || !isStatusKind(kind)) return effective_at
  return Math.max(effective_at, startOf(content))
}

/**
 * Returns the instant from which answers follow a change: the end of its notice; of a version or status not before its own start; of
 * any change not before its activation, which may come late. null: its notice has not begun.
 */
export function takesEffectAt({
  kind,
  content,
  effective_at,
  enacted_at,
}: Planned & Pick<Proposal, 'enacted_at'>): Micros | null {
  if (effective_at === null) return null
  const planned = kind === 'index_version' || isStatusKind(kind) ? startOf(content) : effective_at
  return Math.max(effective_at, planned, enacted_at ?? effective_at)
}

/** Reports whether a version is of an index that has ended meanwhile. */
function hasEnded(state: GovernanceState, { kind, content }: Proposal): boolean {
  return kind === 'index_version' && statusOf(state, String(content.index_id)) === 'archived'
}

/**
 * Returns the act that earlier releases owed in place of the end of a status whose start had passed: they put it in force late.
 * @returns null: they owed no other act
 */
export function owedBefore({ proposals }: GovernanceState, due: DueAct): DueAct | null {
  const proposal = proposals.get(due.proposal_id)!
  const is_start = due.reason === 'START_PASSED' || due.reason === 'START_BEFORE_NOTICE_ENDS'
  if (due.act !== 'expire' || !is_start || !isStatusKind(proposal.kind)) return null
  return { ...due, act: proposal.state === 'queued' ? 'activate' : 'queue', reason: null }
}

/** Returns the act that ends a change which is due, but can no longer be carried out. */
export function refusedActivation(due: DueAct): DueAct {
  return { ...due, act: 'expire', reason: PRECONDITION_BROKEN }
}

/**
 * Returns the next instant after another at which something may become due; null: none. Only acts of people can make anything due
 * before it.
 */
export function nextInstant({ proposals }: GovernanceState, after: Micros): Micros | null {
  const instants = [...proposals.values()].flatMap(({ state, ...one }) => {
    if (state === 'effective') return [one.lapses_at]
    if (PROPOSAL_MOVES[state].expire.length === 0) return []
    const start = isStatusKind(one.kind) ? startOf(one.content) : null
    return [one.comment_ends_at, one.vote_ends_at, one.effective_at, one.expires_at, start]
  })
  const later = instants.filter((at) => at !== null && at > after) as Micros[]
  return later.length === 0 ? null : Math.min(...later)
}

/** Returns the end of the notice of a change that was approved. A rebalance waits for the hour before it begins, so that there is time to veto it. */
function effectAfter(proposal: Proposal, approved_at: Micros): Micros {
  const ends = approved_at + noticeAfterApproval(proposal)
  return proposal.change_class === SCHEDULED_REBALANCE
    ? Math.max(ends, startOf(proposal.content) - ACTIVATION_LEAD)
    : ends
}
