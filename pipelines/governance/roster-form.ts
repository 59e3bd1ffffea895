import Type, { type Static } from 'typebox'
import { notAllowed } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { ROSTER_ROLES, type RosterRole } from '../../vocabulary/governance.ts'
import { At, CLOSED, Name, orNull, Text, Whole } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'
import { publicKeyHex } from './public-key.ts'
import type { Member, MemberKey, Roster } from './roster.ts'

const KeyForm = Type.Object(
  { public_key: Text, valid_from: At, valid_to: orNull(At), revoked_at: Type.Optional(orNull(At)) },
  CLOSED,
)

const MemberForm = Type.Object(
  {
    actor_id: Name,
    name: Text,
    roles: Type.Array(
      Type.Union(
        ROSTER_ROLES.map((role) => Type.Literal(role)),
        { description: ROSTER_ROLES.join(', ') },
      ),
      { minItems: 1 },
    ),
    public_key: Type.Optional(Text),
    valid_from: Type.Optional(At),
    valid_to: Type.Optional(orNull(At)),
    keys: Type.Optional(Type.Array(KeyForm, { minItems: 1 })),
  },
  CLOSED,
)

const RosterSchema = Type.Object(
  {
    roster: Type.Optional(Type.Object({ threshold: Whole, expires_at: At }, CLOSED)),
    members: Type.Array(MemberForm, { minItems: 1 }),
  },
  CLOSED,
)

/** Roster file as read; `threshold` and `expires_at` are null in the roster file of an ungoverned home. */
export type RosterForm = Roster & { readonly threshold: number | null }

/**
 * Reads a roster: people, their roles, and their Ed25519 public keys (PEM, or 64 hex digits).
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, also if two people share a key
 */
export function parseRoster(text: string, name: string): RosterForm {
  const { members, roster } = readForm(RosterSchema, text, name)
  const read = members.map((member) => memberOf(member, name))
  checkMembers(read, name)
  return {
    members: read,
    expires_at: roster === undefined ? null : toMicros(roster.expires_at),
    threshold: roster === undefined ? null : Number(roster.threshold),
  }
}

/** Refuses members that are named twice, share a key, or take the name of the service. @throws {ServiceError} VALIDATION_DEFINITION_INVALID */
export function checkMembers(members: readonly Member[], name: string): void {
  const ids = members.map(({ actor_id }) => actor_id)
  const named_twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (named_twice !== undefined)
    throw invalid(`${name}: actor_id`, `${named_twice}, twice`, 'one entry for each person')
  if (ids.includes(SERVICE_NAME)) throw invalid(`${name}: actor_id`, SERVICE_NAME, 'a name that is not the service’s')
  const keys = members.flatMap(({ actor_id, keys }) => keys.map(({ public_key }) => ({ actor_id, public_key })))
  const twice = keys.find(({ public_key }, i) => keys.findIndex((other) => other.public_key === public_key) !== i)
  if (twice !== undefined)
    throw invalid(`${name}: public_key of ${twice.actor_id}`, 'used twice', 'one owner for a key')
}

/** Actor of what the service does by itself. */
export const SERVICE_NAME = 'tidemark'

function memberOf(form: Static<typeof MemberForm>, name: string): Member {
  const { actor_id, keys, public_key, valid_from, valid_to } = form
  const field = `${name}: keys of ${actor_id}`
  const is_single = public_key !== undefined && valid_from !== undefined
  if (is_single === (keys !== undefined))
    throw invalid(field, keys === undefined ? 'missing' : 'given twice', 'keys, or public_key with valid_from')
  const forms = keys ?? [{ public_key: public_key!, valid_from: valid_from!, valid_to: valid_to ?? null }]
  return {
    actor_id,
    name: form.name,
    roles: form.roles as RosterRole[],
    keys: forms.map((key) => keyOf(key, `${name}: public_key of ${actor_id}`)),
  }
}

function keyOf(form: Static<typeof KeyForm>, field: string): MemberKey {
  const instant = (text: string | null | undefined): Micros | null => (text == null ? null : toMicros(text))
  return {
    public_key: publicKeyHex(form.public_key, field),
    valid_from: toMicros(form.valid_from),
    valid_to: instant(form.valid_to),
    revoked_at: instant(form.revoked_at),
  }
}

function invalid(field: string, value: string, allowed: string) {
  return notAllowed('VALIDATION_DEFINITION_INVALID', field, value, allowed)
}
