import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import { activatesAt, takesEffectAt } from './due.ts'
import type { GovernanceState, Proposal } from './proposal.ts'
import { VOTING_STATES } from './proposal-states.ts'
import { isCarried } from './quorum.ts'
import { type Seats, seatsOfState } from './seats.ts'

/** Returns what a proposal waits for at an instant, in one line: the signatures that are missing and until when, or its next instant. */
export function nextStepOf(state: GovernanceState, proposal: Proposal, at: Micros): string {
  const { lapses_at, reason, expires_at } = proposal
  if (proposal.state === 'draft') return `its proposer proposes it before ${formatMicros(expires_at)}`
  if (VOTING_STATES.includes(proposal.state)) return votingStep(state, proposal)
  if (proposal.state === 'approved') return 'its notice begins'
  if (proposal.state === 'queued') return queuedStep(proposal)
  if (proposal.state !== 'effective') return `none, it is ${proposal.state}${reason === null ? '' : `: ${reason}`}`
  const effect_at = takesEffectAt(proposal)
  if (effect_at !== null && effect_at > at)
    return `takes effect at ${formatMicros(effect_at)}; it is published, so a veto is no longer possible`
  if (lapses_at !== null) return ratificationStep(state, proposal, lapses_at)
  return proposal.emergency === null ? 'none, it is in force' : 'none, it is ratified and stays in force'
}

/** A version is published before it begins; from then on only another change can replace it. */
function queuedStep(proposal: Proposal): string {
  const [effect_at, veto_until] = [takesEffectAt(proposal)!, activatesAt(proposal)!]
  const until = veto_until < effect_at ? `${formatMicros(veto_until)}, when it is published` : 'then'
  return `takes effect at ${formatMicros(effect_at)}; oversight may veto it until ${until}`
}

/** Returns the seats that nobody fills. Where each role is filled, a person with both may leave one of all seats empty. */
function missingSeats(seats: readonly Seats[]): readonly Seats[] {
  const empty = seats.filter(({ needed, actor_ids }) => actor_ids.length < needed)
  const of_one_role = empty.filter(({ roles }) => roles.length === 1)
  return of_one_role.length > 0 ? of_one_role : empty
}

/** Returns one line about a seat: `1 more of oversight (0 of 1)`, or `oversight complete (1 of 1: olaf)`. */
export function seatText({ roles, needed, actor_ids, roster_version }: Seats): string {
  const of = roles[0] === 'administrator' ? `administrators of ${rosterName(roster_version)}` : roles.join(' or ')
  const who = actor_ids.length === 0 ? '' : `: ${actor_ids.join(', ')}`
  const missing = needed - actor_ids.length
  if (missing <= 0) return `${of} complete (${needed} of ${needed}${who})`
  return `${missing} more of ${of} (${actor_ids.length} of ${needed}${who})`
}

/** Returns the instants at which time alone may move a proposal, the next one first. */
export function instantsToCome(
  proposal: Proposal,
  after: Micros,
): readonly { readonly what: string; readonly at: Instant }[] {
  const { state, comment_ends_at, vote_ends_at, expires_at, lapses_at } = proposal
  const is_open = VOTING_STATES.includes(state)
  const instants: readonly (readonly [string, Micros | null])[] = [
    ['comments end', is_open ? comment_ends_at : null],
    ['vote ends', is_open ? vote_ends_at : null],
    ['takes effect', state === 'queued' || state === 'effective' ? takesEffectAt(proposal) : null],
    ['lapses', state === 'effective' ? lapses_at : null],
    ['expires', is_open || state === 'draft' || state === 'queued' ? expires_at : null],
  ]
  return instants
    .flatMap(([what, at]) => (at === null || at <= after ? [] : [{ what, at }]))
    .sort((a, b) => a.at - b.at)
    .map(({ what, at }) => ({ what, at: formatMicros(at) }))
}

function votingStep(state: GovernanceState, proposal: Proposal): string {
  const { comment_ends_at, vote_ends_at, expires_at } = proposal
  if (isCarried(state, proposal)) {
    const decides_at = formatMicros(Math.max(comment_ends_at, vote_ends_at ?? 0))
    return `it has its signatures; decided at ${decides_at}`
  }
  const before = `before ${formatMicros(vote_ends_at ?? expires_at)}`
  const missing = missingSeats(seatsNow(state, proposal).seats)
  if (missing.length === 0) return `more approvals than dissents, ${before}`
  return `${missing.map(seatText).join(', and ')}, ${before}`
}

function ratificationStep(state: GovernanceState, proposal: Proposal, lapses_at: Micros): string {
  const missing = missingSeats(seatsNow(state, proposal).ratification_seats)
  return `ratifications, ${missing.map(seatText).join(', and ')}; it lapses at ${formatMicros(lapses_at)} without them`
}

/** Returns the seats of a proposal that has not ended, which count by the newest roster. */
function seatsNow(state: GovernanceState, proposal: Proposal) {
  return seatsOfState({ ...proposal, published_at: proposal.proposed_at }, state)
}

function rosterName(version: number | null): string {
  return version === null ? 'the first roster' : `roster ${version}`
}
