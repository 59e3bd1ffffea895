import { isOfSmallOrder, PUBLIC_KEY_HEX } from '../auth/ed25519.ts'
import { refuse } from '../market/refuse.ts'
import type { OperatorKeyRow } from '../projections/rows.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import type { RegisterOperatorKey, RevokeOperatorKey } from './submission.ts'

/** Most operator keys of a database, revoked ones included: every act of a person reads them all. */
export const OPERATOR_KEYS_MAX = 100
/** Names of people; those of services have a colon. */
const OPERATOR_ID = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * Registers a key of a person. The first one of a database needs no signature; `authorizeAct` has checked those of the others.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: a name, key or environment that is not allowed
 */
export function registerOperatorKey(execution: Execution, facts: Facts, command: RegisterOperatorKey): object {
  const { operator_key_id, operator_id, public_key, environment } = command
  const keys = [...facts.operator_keys.values()]
  if (!OPERATOR_ID.test(operator_id)) refuse('operator_id', operator_id, '1 to 64 of [A-Za-z0-9_.-]')
  if (!PUBLIC_KEY_HEX.test(public_key)) refuse('public_key', public_key, '64 lower-case hex digits (Ed25519)')
  if (isOfSmallOrder(public_key))
    refuse('public_key', public_key, 'a point of large order: this one signs without a secret')
  const same = keys.find((key) => key.operator_key_id === operator_key_id || key.public_key === public_key)
  if (same !== undefined)
    refuse('public_key', public_key, `a new key: ${same.operator_id} has it as ${same.operator_key_id}`)
  // The order of registrations, which makes the first one the root, is that of their batches.
  if (execution.changes.operator_keys.size > 0)
    refuse('operator_key_id', operator_key_id, 'one registration at a time: repeat it')
  if (keys.length >= OPERATOR_KEYS_MAX) refuse('operator keys', String(keys.length + 1), `at most ${OPERATOR_KEYS_MAX}`)
  const root = keys[0]
  if (root !== undefined && root.environment !== environment)
    refuse('environment', environment, `${root.environment}, that of the other keys`)
  const registered_at = execution.now
  put(execution, facts, { operator_key_id, operator_id, public_key, environment, registered_at, revoked_at: null })
  return { operator_key_id, operator_id }
}

/**
 * Revokes a key from now on; acts that it signed before stay valid.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: unknown, revoked already, or the last one
 */
export function revokeOperatorKey(execution: Execution, facts: Facts, { operator_key_id }: RevokeOperatorKey): object {
  const key = facts.operator_keys.get(operator_key_id)
  if (key === undefined) refuse('operator_key_id', operator_key_id, 'a key that is registered')
  if (key.revoked_at !== null) refuse('operator_key_id', operator_key_id, 'a key that is not revoked yet')
  const others = [...facts.operator_keys.values()].filter((one) => one !== key && one.revoked_at === null)
  if (others.length === 0) refuse('operator_key_id', operator_key_id, 'a key beside which another one is registered')
  put(execution, facts, { ...key, revoked_at: execution.now })
  return { operator_key_id, operator_id: key.operator_id }
}

function put({ changes }: Execution, facts: Facts, row: OperatorKeyRow): void {
  facts.operator_keys.set(row.operator_key_id, row)
  changes.operator_keys.set(row.operator_key_id, row)
}
