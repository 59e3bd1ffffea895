import { createPublicKey, type KeyObject } from 'node:crypto'
import Type from 'typebox'
import { ServiceError } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { COMMITTEE_ROLES, type CommitteeRole } from '../../vocabulary/review.ts'
import { At, CLOSED, Name, orNull, Text } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'

const RosterSchema = Type.Object(
  {
    members: Type.Array(
      Type.Object(
        {
          actor_id: Name,
          name: Text,
          roles: Type.Array(
            Type.Union(
              COMMITTEE_ROLES.map((role) => Type.Literal(role)),
              { description: COMMITTEE_ROLES.join(', ') },
            ),
            { minItems: 1 },
          ),
          public_key: Text,
          valid_from: At,
          valid_to: orNull(At),
        },
        CLOSED,
      ),
      { minItems: 1 },
    ),
  },
  CLOSED,
)

export type Member = {
  readonly actor_id: string
  readonly name: string
  readonly roles: readonly CommitteeRole[]
  /** Lower-case hex of the 32 bytes. */
  readonly public_key: string
  readonly valid_from: Micros
  readonly valid_to: Micros | null
}

/**
 * Reads a roster: who may act, by Ed25519 public keys (PEM, or 64 hex digits).
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, also if two members share a key
 */
export function parseRoster(text: string, name: string): readonly Member[] {
  const { members } = readForm(RosterSchema, text, name)
  const read = members.map((member) => ({
    ...member,
    roles: member.roles as CommitteeRole[],
    public_key: publicKeyHex(member.public_key, `${name}: public_key of ${member.actor_id}`),
    valid_from: toMicros(member.valid_from),
    valid_to: member.valid_to === null ? null : toMicros(member.valid_to),
  }))
  const twice = read.find(({ public_key }, i) => read.findIndex((other) => other.public_key === public_key) !== i)
  if (twice !== undefined) throw invalid(`${name}: public_key of ${twice.actor_id}`, 'used twice', 'one key a member')
  return read
}

/**
 * Returns the member who owns a public key at an instant.
 * @throws {ServiceError} REVIEW_NOT_ALLOWED
 */
export function memberOfKey(roster: readonly Member[], public_key: string, at: Micros): Member {
  const member = roster.find((one) => one.public_key === public_key)
  if (member !== undefined && member.valid_from <= at && (member.valid_to === null || at < member.valid_to))
    return member
  const seen = member === undefined ? `${public_key.slice(0, 16)}…` : `of ${member.actor_id}, not valid now`
  throw new ServiceError('REVIEW_NOT_ALLOWED', `key is ${seen}; allowed: a key that the roster lists as valid`, {
    field: 'key',
  })
}

const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** Returns the raw bytes of an Ed25519 public key as hex. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
function publicKeyHex(text: string, field: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text
  try {
    return rawHex(createPublicKey(text))
  } catch {
    throw invalid(field, text.slice(0, 30), 'an Ed25519 public key as PEM or as 64 lower-case hex digits')
  }
}

/** Returns the raw bytes of the public half of a key as hex. */
export function rawHex(key: KeyObject): string {
  const der = key.export({ format: 'der', type: 'spki' })
  if (!der.subarray(0, ED25519_SPKI.length).equals(ED25519_SPKI))
    throw invalid('key', 'of another kind', 'an Ed25519 key')
  return der.subarray(ED25519_SPKI.length).toString('hex')
}

/** Returns the public key of 64 hex digits. */
export function publicKeyOf(hex: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([ED25519_SPKI, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' })
}

function invalid(field: string, value: string, allowed: string): ServiceError {
  return new ServiceError('VALIDATION_DEFINITION_INVALID', `${field} is ${value}; allowed: ${allowed}`, { field })
}
