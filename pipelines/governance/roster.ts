import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { RosterRole } from '../../vocabulary/governance.ts'

/** A key of a person. */
export type MemberKey = {
  /** Lower-case hex of the 32 bytes. */
  readonly public_key: string
  readonly valid_from: Micros
  readonly valid_to: Micros | null
  /** Instant from which the key counts for nothing; acts before it stay valid. */
  readonly revoked_at: Micros | null
}

/** A person, who counts once however many keys they have. */
export type Member = {
  readonly actor_id: string
  readonly name: string
  readonly roles: readonly RosterRole[]
  readonly keys: readonly MemberKey[]
}

/** People who may act. */
export type Roster = {
  readonly members: readonly Member[]
  /** Instant from which acts are refused; null: a roster file, which does not expire. */
  readonly expires_at: Micros | null
}

/**
 * Returns the person who owns a public key at an instant.
 * @throws {ServiceError} REVIEW_NOT_ALLOWED: unknown, expired or revoked key; expired roster
 */
export function memberOfKey(roster: Roster, public_key: string, at: Micros): Member {
  if (roster.expires_at !== null && roster.expires_at <= at) throw rosterExpired(roster.expires_at)
  return ownerOfValidKey(roster.members, public_key, at)
}

/** Returns the owner of a valid key, whether or not the roster has expired. @throws {ServiceError} REVIEW_NOT_ALLOWED */
export function ownerOfValidKey(members: readonly Member[], public_key: string, at: Micros): Member {
  const member = members.find(({ keys }) => keys.some((key) => key.public_key === public_key))
  const key = member?.keys.find((one) => one.public_key === public_key)
  if (member !== undefined && key !== undefined && isValidKey(key, at)) return member
  const seen = member === undefined ? `${public_key.slice(0, 16)}…` : `of ${member.actor_id}, not valid now`
  throw new ServiceError('REVIEW_NOT_ALLOWED', `key is ${seen}; allowed: a key that the roster lists as valid`, {
    field: 'key',
  })
}

/** Reports whether a key may sign at an instant. */
export function isValidKey({ valid_from, valid_to, revoked_at }: MemberKey, at: Micros): boolean {
  return valid_from <= at && (valid_to === null || at < valid_to) && (revoked_at === null || at < revoked_at)
}

/** Returns the owner of a key, also of one that has expired; null: nobody. */
export function ownerOfKey({ members }: Roster, public_key: string): string | null {
  return members.find(({ keys }) => keys.some((key) => key.public_key === public_key))?.actor_id ?? null
}

function rosterExpired(expires_at: Micros): ServiceError {
  return new ServiceError(
    'REVIEW_NOT_ALLOWED',
    `roster expired at ${formatMicros(expires_at)}; allowed until a successor is in force: acts on a successor`,
    { field: 'roster', value: formatMicros(expires_at) },
  )
}
