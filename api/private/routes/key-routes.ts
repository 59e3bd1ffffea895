import { toMicros } from '../../../primitives/instants.ts'
import type { CreateKeyRequest, RevokeKeyRequest, RotateKeyRequest } from '../../../protocol/requests/key-request.ts'
import { newKeyMaterial } from '../../../trading/auth/new-key-material.ts'
import type { KeyAuthorization, NewKey } from '../../../trading/engine/submission.ts'
import { apiKeyResource, keyAuditResource } from '../../../trading/projections/api-key.ts'
import { missing } from '../../missing-resource.ts'
import { RequestRefusal, violation } from '../../server/request-refusal.ts'
import { refusedAccount, refusedReference } from '../account-refusal.ts'
import { type PrivateAnswer, type PrivateHandlers, type PrivateRequest, shown } from '../private-request.ts'
import { identityOf, submit } from '../submit.ts'
import { pageOf, partOf } from './parameters.ts'

export const KEY_ROUTES = {
  create_api_key: createKey,
  list_api_keys: listKeys,
  rotate_api_key: rotateKey,
  revoke_api_key: revokeKey,
  list_api_key_audit: listKeyAudit,
} as const satisfies Partial<PrivateHandlers>

async function createKey(request: PrivateRequest): Promise<PrivateAnswer> {
  const body = request.body as CreateKeyRequest
  const { trading, caller, environment } = request
  const { account } = body.authorization
  const refusal = refusedAccount(caller, account)
  if (refusal !== null) return refusedReference(refusal)
  if (body.environment !== environment) throw ofOtherEnvironment(body.environment, environment)
  const { key_id, algorithm, public_key = null, scopes } = body
  const found = await trading.verifier.verifyAuthorization({
    authorization: body.authorization,
    key: { account_id: caller.account_id, key_id, scopes },
    signature_type: body.signature_type,
    signature: body.authorization_signature,
    signed_message: body.signed_message ?? null,
  })
  const { material, secret } = newKeyMaterial({ key_id, algorithm, public_key }, trading.sealing)
  const answer = await submit(request, {
    kind: 'create_key',
    identity: identityOf(request),
    key: newKey(body, caller.account_id, material),
    authorization: authorizationOf(body),
    verdict: found.verdict,
    secret,
  })
  trading.keys.forget?.(key_id)
  return answer
}

function newKey(body: CreateKeyRequest, account_id: string, material: string): NewKey {
  const { key_id, environment, label, algorithm, scopes, ip_allowlist = [], expires_at = null } = body
  const ends = expires_at === null ? null : toMicros(expires_at, 'expires_at')
  return { key_id, account_id, environment, label, algorithm, scopes, ip_allowlist, material, expires_at: ends }
}

function authorizationOf({
  authorization,
  signature_type,
  authorization_signature,
}: CreateKeyRequest): KeyAuthorization {
  const { owner, signer, scopes_hash } = authorization
  return {
    ...authorization,
    owner: owner.toLowerCase(),
    signer: signer.toLowerCase(),
    scopes_hash: scopes_hash.toLowerCase(),
    signature_type,
    signature: authorization_signature,
  }
}

function ofOtherEnvironment(value: string, environment: string): RequestRefusal {
  const rule = `allowed: ${environment}, the one of this service`
  return new RequestRefusal([violation('VALIDATION_BODY_INVALID', 'environment', value, rule)])
}

async function listKeys(request: PrivateRequest): Promise<PrivateAnswer> {
  const { head, rows } = await request.trading.reads.keys(request.caller.account_id, partOf(request))
  const page = pageOf(request, rows, head.at, ({ created_at, key_id }) => [created_at, key_id])
  const keys = page.rows.map((row) => apiKeyResource(row, { last_used_at: row.last_used_at, now: request.now }))
  return shown(keys, { next: page.next })
}

/** Rotates a key; the new material has the algorithm of the old one. */
async function rotateKey(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller } = request
  const key_id = request.parameters.key_id as string
  const { overlap_seconds, public_key = null } = request.body as RotateKeyRequest
  const key = await trading.reads.key(key_id)
  if (key === null || key.account_id !== caller.account_id) throw missing('api_key', key_id)
  const { material, secret } = newKeyMaterial({ key_id, algorithm: key.algorithm, public_key }, trading.sealing)
  const identity = identityOf(request)
  const answer = await submit(request, { kind: 'rotate_key', identity, key_id, overlap_seconds, material, secret })
  trading.keys.forget?.(key_id)
  return answer
}

async function revokeKey(request: PrivateRequest): Promise<PrivateAnswer> {
  const key_id = request.parameters.key_id as string
  const { reason } = request.body as RevokeKeyRequest
  const answer = await submit(request, { kind: 'revoke_key', identity: identityOf(request), key_id, reason })
  request.trading.keys.forget?.(key_id)
  return answer
}

async function listKeyAudit(request: PrivateRequest): Promise<PrivateAnswer> {
  const key_id = request.parameters.key_id as string
  const found = await request.trading.reads.keyAudit(request.caller.account_id, key_id, partOf(request))
  if (found === null) throw missing('api_key', key_id)
  const page = pageOf(request, found.rows, found.head.at, ({ occurred_at, audit_id }) => [occurred_at, audit_id])
  return shown(page.rows.map(keyAuditResource), { next: page.next })
}
