import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY, MICROS_PER_SECOND, type Micros, toMicros } from '../../primitives/instants.ts'
import { type GovernanceActName, ROSTER_ROLES, type RosterRole } from '../../vocabulary/governance.ts'
import type { GovernanceAct } from './acts.ts'
import { type RosterDocument, rosterOf } from './documents.ts'
import { type GovernanceState, policyInForce, rosterInForce } from './proposal.ts'
import { type Member, memberOfKey, ownerOfValidKey } from './roster.ts'

/** An act of a person, with the key that signed it. The signature itself is checked before. */
export type SignedRequest = {
  readonly act: GovernanceAct
  readonly public_key: string
  /** Instant of the record, by the clock of the service: delays count from it, so no signer can antedate them. */
  readonly recorded_at: Micros
}

/** Longest time between an act's signature and its record, and largest difference between clocks. */
const ACT_AGE_MAX = MICROS_PER_DAY
const CLOCKS_APART_MAX = 5 * MICROS_PER_SECOND

/** Refuses an act that was signed too long ago, or in the future. @throws {ServiceError} REVIEW_NOT_ALLOWED */
export function checkAge(acted_at: Micros, now: Micros): void {
  const [from, to] = [now - ACT_AGE_MAX, now + CLOCKS_APART_MAX]
  if (from <= acted_at && acted_at <= to) return
  const allowed = `from ${formatMicros(from)} to ${formatMicros(to)}`
  throw notAllowed('REVIEW_NOT_ALLOWED', 'acted_at', formatMicros(acted_at), allowed)
}

/**
 * Returns the person who performs an act: their key is valid when they signed and when it is recorded.
 * @param proposed the roster that the act is about; its people sign it too, and they alone may sign the first
 * @throws {ServiceError} REVIEW_NOT_ALLOWED
 */
export function actorOf(state: GovernanceState, request: SignedRequest, proposed: RosterDocument | null): Member {
  const { act, recorded_at } = request
  checkAge(act.acted_at, recorded_at)
  const actor = [act.acted_at, recorded_at].map((at) => memberAt(state, request.public_key, at, proposed)).at(-1)!
  if (actor.actor_id !== act.actor_id)
    throw notAllowed('REVIEW_NOT_ALLOWED', 'actor_id', act.actor_id, `${actor.actor_id}, whose key it is`)
  checkPolicyRuns(state, act, recorded_at)
  checkGovernanceRole(act.act, act.kind, actor)
  return actor
}

function memberAt(state: GovernanceState, public_key: string, at: Micros, proposed: RosterDocument | null): Member {
  const roster = rosterInForce(state)
  if (proposed === null) return memberOfKey(rosterOf(requireRoster(roster).document), public_key, at)
  const current = roster === null ? [] : rosterOf(roster.document).members
  const is_current = current.some(({ keys }) => keys.some((key) => key.public_key === public_key))
  // A key of the roster in force is judged by it, so that its revocation cannot be taken back by the successor.
  return ownerOfValidKey(is_current ? current : rosterOf(proposed).members, public_key, at)
}

function requireRoster<R>(roster: R | null): R {
  if (roster !== null) return roster
  throw new ServiceError(
    'REVIEW_STATE_CONFLICT',
    'roster is missing; allowed before the first roster is in force: acts on a roster',
  )
}

/** Refuses acts under a policy that has expired, except on a successor and on rosters. */
function checkPolicyRuns(state: GovernanceState, { kind }: GovernanceAct, at: Micros): void {
  if (kind === 'roster' || kind === 'policy') return
  const policy = policyInForce(state)
  if (policy === null)
    throw new ServiceError('REVIEW_STATE_CONFLICT', 'policy is missing; allowed before the first one: acts on a policy')
  const { expires_at } = policy.document
  if (at < toMicros(expires_at)) return
  const allowed = 'acts on a successor until it is in force'
  throw notAllowed('REVIEW_NOT_ALLOWED', 'policy', `expired at ${expires_at}`, allowed)
}

const PROPOSERS: readonly RosterRole[] = ['analyst', 'committee', 'administrator']
const VOTERS: readonly RosterRole[] = ['committee', 'oversight']

const ALLOWED: Readonly<Record<GovernanceActName, readonly RosterRole[]>> = {
  attest: ['runner'],
  draft: PROPOSERS,
  propose: PROPOSERS,
  vote: VOTERS,
  comment: ROSTER_ROLES,
  recuse: VOTERS,
  veto: ['oversight'],
  cancel: PROPOSERS,
  ratify: VOTERS,
  approve: [],
  reject: [],
  queue: [],
  activate: [],
  expire: [],
  lapse: [],
}

/** Refuses an act for which the actor has no role. @throws {ServiceError} REVIEW_NOT_ALLOWED */
function checkGovernanceRole(act: GovernanceActName, kind: GovernanceAct['kind'], { actor_id, roles }: Member): void {
  const signs_roster = kind === 'roster' && ['draft', 'propose', 'vote'].includes(act)
  const allowed = signs_roster ? (['administrator'] as const) : ALLOWED[act]
  if (roles.some((role) => allowed.some((one) => one === role))) return
  throw new ServiceError(
    'REVIEW_NOT_ALLOWED',
    `actor is ${actor_id} with the roles ${roles.join(', ')}; allowed to ${act} a ${kind}: ${allowed.join(', ') || 'the service'}`,
    { field: 'actor', value: actor_id },
  )
}
