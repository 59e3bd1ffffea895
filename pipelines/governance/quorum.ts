import type { RosterRole } from '../../vocabulary/governance.ts'
import { type RosterDocument, rosterOf } from './documents.ts'
import type { ClassRule } from './policy.ts'
import { type GovernanceState, type Proposal, rosterInForce, type Vote } from './proposal.ts'
import { isValidKey, type Member } from './roster.ts'

/** Reports whether a proposal has the signatures that its class needs; each person counts once. */
export function isCarried(state: GovernanceState, proposal: Proposal): boolean {
  if (proposal.rule === null) return isSignedRoster(state, proposal)
  const { approvals, dissents } = countedVotes(state, proposal.votes)
  return approvals.length > dissents.length && hasSignatures(approvals, proposal.rule)
}

/** Reports whether as many dissent as approve. */
export function isOpposed(state: GovernanceState, { votes }: Proposal): boolean {
  const { approvals, dissents } = countedVotes(state, votes)
  return dissents.length > 0 && dissents.length >= approvals.length
}

/** Reports whether enough people have ratified an emergency. */
export function isRatified(state: GovernanceState, { ratifications }: Proposal, material: ClassRule): boolean {
  return hasSignatures(countedVotes(state, ratifications).approvals, material)
}

/**
 * Reports whether these people fill the roles of a rule, each in one role only: enough of each role, and enough in all.
 */
export function hasSignatures(
  people: readonly { readonly roles: readonly RosterRole[] }[],
  { committee, oversight }: Pick<ClassRule, 'committee' | 'oversight'>,
): boolean {
  const holders = (...roles: RosterRole[]) =>
    people.filter((one) => roles.some((role) => one.roles.includes(role))).length
  return (
    holders('committee') >= committee &&
    holders('oversight') >= oversight &&
    holders('committee', 'oversight') >= committee + oversight
  )
}

/** Splits votes by choice; those of people who left the roster, or of keys revoked before they signed, count for nothing. */
export function countedVotes(state: GovernanceState, votes: readonly Vote[]) {
  const roster = rosterInForce(state)
  const members = roster === null ? [] : rosterOf(roster.document).members
  const counted = votes.flatMap((vote) => {
    const member = members.find((one) => one.actor_id === vote.actor_id)
    return member === undefined || isDisowned(member, vote) ? [] : [{ member, choice: vote.choice }]
  })
  const of = (choice: Vote['choice']) => counted.filter((one) => one.choice === choice).map(({ member }) => member)
  return { approvals: of('approve'), dissents: of('dissent') }
}

/** Reports whether the roster in force says that the key of a signature was revoked before it. */
export function isDisownedSignature(state: GovernanceState, signed: Pick<Vote, 'public_key' | 'acted_at'>): boolean {
  const roster = rosterInForce(state)
  return roster !== null && rosterOf(roster.document).members.some((member) => isDisowned(member, signed))
}

/** Reports whether the roster says that a key was revoked before it signed. */
function isDisowned({ keys }: Member, { public_key, acted_at }: Pick<Vote, 'public_key' | 'acted_at'>): boolean {
  const key = keys.find((one) => one.public_key === public_key)
  return key?.revoked_at != null && key.revoked_at <= acted_at
}

/** Reports whether the threshold of the roster in force and that of the proposed one have signed. */
function isSignedRoster(state: GovernanceState, { content, votes }: Proposal): boolean {
  const before = rosterInForce(state)?.document
  const proposed = content as unknown as RosterDocument
  return [before ?? proposed, proposed].every((document) => signersOf(document, votes).length >= document.threshold)
}

/** Returns the administrators of a roster who signed with a key that it lists as valid then. */
export function signersOf(document: RosterDocument, votes: readonly Vote[]): readonly Member[] {
  return rosterOf(document).members.filter(({ actor_id, roles, keys }) => {
    if (!roles.includes('administrator')) return false
    const theirs = votes.filter((vote) => vote.actor_id === actor_id && vote.choice === 'approve')
    return theirs.some((vote) =>
      keys.some((key) => key.public_key === vote.public_key && isValidKey(key, vote.acted_at)),
    )
  })
}
