import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, isOver, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { IssuedApiKey } from '../../protocol/resources/api-key.ts'
import { outOfForce } from '../../protocol/signing/authorization-message.ts'
import { apiKeyResource, keyStatus } from '../projections/api-key.ts'
import { keyRow } from '../projections/current-rows.ts'
import type { AuthorizationPurpose, KeyAuditRow } from '../projections/rows.ts'
import { answered, refused } from './answers.ts'
import type { KeyEvent } from './events.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { keyLimitExceeded } from './key-limits.ts'
import { type Account, type ApiKey, accountOf } from './state.ts'
import type {
  Answer,
  CreateKey,
  KeyAuthorization,
  NewKey,
  Refusal,
  RevokeKey,
  RotateKey,
  WriteIdentity,
} from './submission.ts'
import { unknownRecord } from './unknown-record.ts'

/** An answer and the version of it that is kept, without the secret. */
export type Issued = { readonly answer: Answer; readonly kept: Answer }

/** Runs stage 4 of a key, then creates it. */
export function submitCreateKey(execution: Execution, facts: Facts, submission: CreateKey): Issued {
  const { identity, key, authorization, verdict, secret } = submission
  const account = accountOf(execution.state, identity.account_id)
  const refusal = verdict ?? checkAuthorization(execution, facts, account, key, authorization)
  if (refusal !== null) return both(refused(refusal))
  if (execution.state.keys.has(key.key_id))
    return both(refused({ code: 'API_KEY_ID_TAKEN', message: `key_id ${key.key_id} is taken` }))
  const ended = endedKey(key, execution.now)
  if (ended !== null) return both(refused({ code: 'VALIDATION_BODY_INVALID', message: ended, facts: EXPIRES_AT }))
  const exceeded = keyLimitExceeded(execution, account)
  if (exceeded !== null) return both(refused(exceeded))
  const made = addKey(execution, facts, key, authorization)
  publishKey(execution, made, 'created', requestOf(identity))
  return issued(execution, 201, made, secret, `/v1/account/api-keys/${key.key_id}`)
}

const EXPIRES_AT = { field: 'expires_at' }

/** Gives a key a new secret; the former one stays valid for the overlap. */
export function submitRotateKey(execution: Execution, facts: Facts, submission: RotateKey): Issued {
  const { identity, overlap_seconds, material, secret } = submission
  const key = keyToChange(execution, facts, submission, 'rotate')
  if ('code' in key) return both(refused(key))
  key.previous_material = overlap_seconds === 0 ? null : key.material
  key.previous_until = overlap_seconds === 0 ? null : execution.now + overlap_seconds * MICROS_PER_SECOND
  key.material = material
  key.secret_version += 1
  publishKey(execution, key, 'rotated', requestOf(identity))
  return issued(execution, 200, key, secret, null)
}

/** Revokes a key with its former secret. */
export function submitRevokeKey(execution: Execution, facts: Facts, submission: RevokeKey): Answer {
  const { identity, reason } = submission
  const key = keyToChange(execution, facts, submission, 'revoke')
  if ('code' in key) return refused(key)
  revokeKey(execution, key, reason, requestOf(identity))
  return answered(200, apiKeyResource(keyRow(key), { last_used_at: null, now: execution.now }))
}

/** Revokes a key, for a request or by an operator's act. */
export function revokeKey(execution: Execution, key: ApiKey, reason: string, by: Omit<ChangedBy, 'reason'>): void {
  key.revoked_at = execution.now
  key.revoke_reason = reason
  key.previous_material = null
  key.previous_until = null
  publishKey(execution, key, 'revoked', { ...by, reason })
}

/** Checks a key's authorization: of its account and owner, for this key, in force, and not used before. */
function checkAuthorization(
  { now }: Execution,
  facts: Facts,
  account: Account,
  key: Pick<NewKey, 'key_id' | 'environment'>,
  authorization: KeyAuthorization,
): Refusal | null {
  const { owner, nonce } = authorization
  const expected = { account: account.account_id, api_key_id: key.key_id, environment: key.environment }
  for (const [field, value] of Object.entries(expected)) {
    const signed = authorization[field as keyof typeof expected]
    if (signed === value) continue
    const message = `authorization.${field} is ${signed}; allowed: ${value}`
    return { code: 'SIGNATURE_AUTHORIZATION_MISMATCH', message, facts: { first_differing_field: field } }
  }
  if (owner !== account.owner_address) {
    const message = `authorization.owner is ${owner}; allowed: the owner of account ${account.account_id}`
    return { code: 'SIGNATURE_SIGNER_UNAUTHORIZED', message }
  }
  const over = outOfForce(authorization, Math.floor(now / MICROS_PER_SECOND))
  if (over !== null) return { code: 'SIGNATURE_AUTHORIZATION_EXPIRED', message: over }
  if (facts.authorization_nonces.has(`${account.account_id} ${owner} ${nonce}`)) {
    return { code: 'REPLAY_AUTHORIZATION_NONCE_REUSED', message: `authorization.nonce ${nonce} was used before` }
  }
  return null
}

/** Returns why a key of this end cannot be issued, or null. */
export function endedKey({ expires_at }: NewKey, now: Micros): string | null {
  if (!isOver(expires_at, now)) return null
  return `expires_at is ${formatMicros(expires_at!)}; allowed: null, or an instant after ${formatMicros(now)}`
}

/** Returns the end of a key: the earlier of what was asked and its authorization's. */
function endOf({ expires_at }: NewKey, authorized_until: Micros | null): Micros | null {
  if (expires_at === null || authorized_until === null) return expires_at ?? authorized_until
  return Math.min(expires_at, authorized_until)
}

/** Creates a key, which ends with its authorization at the latest, and adds the authorization's signer to the account. */
export function addKey(execution: Execution, facts: Facts, key: NewKey, authorization: KeyAuthorization): ApiKey {
  const { state, now } = execution
  const { account: account_id, signer } = authorization
  const expires_at = recordAuthorization(execution, facts, authorization, 'create')
  const made: ApiKey = {
    ...key,
    expires_at: endOf(key, expires_at),
    secret_version: 1,
    previous_material: null,
    previous_until: null,
    created_at: now,
    revoked_at: null,
    revoke_reason: null,
  }
  state.keys.set(key.key_id, made)
  accountOf(state, account_id).authorizations.push({ signer, api_key_id: key.key_id, expires_at })
  return made
}

/** Records an authorization and uses up its nonce, for ever. Only one that makes a key adds a signer. @returns its expiry */
function recordAuthorization(
  { changes, now }: Execution,
  facts: Facts,
  authorization: KeyAuthorization,
  purpose: AuthorizationPurpose,
): Micros | null {
  const { account: account_id, owner, nonce, expiry, issued_at, ...rest } = authorization
  const expires_at = expiry === 0 ? null : expiry * MICROS_PER_SECOND
  facts.authorization_nonces.add(`${account_id} ${owner} ${nonce}`)
  changes.authorizations.push({
    ...rest,
    authorization_id: deriveId('auz', account_id, owner, nonce),
    account_id,
    owner,
    nonce,
    issued_at: issued_at * MICROS_PER_SECOND,
    expires_at,
    at: now,
    purpose,
  })
  return expires_at
}

/** Publishes a change of a key and records it in the key's audit log. */
export function publishKey(
  execution: Execution,
  key: ApiKey,
  action: KeyEvent['action'],
  { identity, actor, reason }: ChangedBy,
): void {
  const { changes, now } = execution
  const { account_id, key_id, secret_version, previous_until } = key
  const engine_sequence = execution.nextSequence()
  execution.publish({
    ...{ engine_sequence, at: now, kind: 'key', account_id, key_id, action, secret_version },
    ...(action === 'rotated' && previous_until !== null ? { previous_until } : {}),
  })
  changes.keys.add(key)
  changes.key_audits.push({
    audit_id: `aud_${engine_sequence}`,
    key_id,
    action,
    occurred_at: now,
    request_id: identity?.request_id ?? null,
    ip: identity?.ip ?? null,
    method: identity?.method ?? null,
    path: identity?.path ?? null,
    outcome: 'done',
    by_key_id: identity?.key_id ?? null,
    actor,
    reason,
  })
}

/** Request or operator's act that changes a key, and why. */
type ChangedBy = { readonly identity: WriteIdentity | null } & Pick<KeyAuditRow, 'actor' | 'reason'>

function requestOf(identity: WriteIdentity): ChangedBy {
  return { identity, actor: null, reason: null }
}

/**
 * Finds the key that a request may change: its own, or another one of the account with its owner's consent. Whoever has a key with
 * keys:write alone must not gain the rights of a stronger one, or end it. The consent is used up.
 */
function keyToChange(
  execution: Execution,
  facts: Facts,
  { identity, key_id, consent }: RotateKey | RevokeKey,
  purpose: AuthorizationPurpose,
): ApiKey | Refusal {
  const key = activeKey(execution, identity, key_id)
  if ('code' in key) return key
  if (consent === null) return key_id === identity.key_id ? key : withoutConsent(key_id, identity)
  const { authorization, verdict } = consent
  const account = accountOf(execution.state, identity.account_id)
  const refusal = verdict ?? checkAuthorization(execution, facts, account, key, authorization)
  if (refusal !== null) return refusal
  recordAuthorization(execution, facts, authorization, purpose)
  return key
}

function withoutConsent(key_id: string, identity: WriteIdentity): Refusal {
  const message = `authorization is missing; required to change ${key_id} with ${identity.key_id}: the owner's, of that key and its scopes`
  return { code: 'VALIDATION_BODY_INVALID', message, facts: { field: 'authorization' } }
}

/** Finds a key of the caller's account that can still sign. */
function activeKey({ state, now }: Execution, { account_id }: WriteIdentity, key_id: string): ApiKey | Refusal {
  const key = state.keys.get(key_id)
  if (key === undefined || key.account_id !== account_id) return unknownRecord('api_key', key_id)
  const status = keyStatus(key, now)
  if (status === 'active' || status === 'rotating') return key
  return { code: 'API_KEY_NOT_ACTIVE', message: `key ${key_id} is ${status}; allowed: active or rotating` }
}

function issued(
  { now }: Execution,
  status: number,
  key: ApiKey,
  secret: string | null,
  location: string | null,
): Issued {
  const shown = apiKeyResource(keyRow(key), { last_used_at: null, now })
  const first: IssuedApiKey = { ...shown, secret, secret_already_returned: false }
  const again: IssuedApiKey = { ...shown, secret: null, secret_already_returned: secret !== null }
  return { answer: answered(status, first, location), kept: answered(status, again, location) }
}

function both(answer: Answer): Issued {
  return { answer, kept: answer }
}
