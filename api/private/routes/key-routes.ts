import { toMicros } from '../../../primitives/instants.ts'
import type { CreateKeyRequest, RevokeKeyRequest, RotateKeyRequest } from '../../../protocol/requests/key-request.ts'
import type { AuthKey } from '../../../trading/auth/auth-key.ts'
import { newKeyMaterial } from '../../../trading/auth/new-key-material.ts'
import type { KeyAuthorization, KeyConsent, NewKey } from '../../../trading/engine/submission.ts'
import { apiKeyResource, keyAuditResource, signerResource } from '../../../trading/projections/api-key.ts'
import { missing } from '../../missing-resource.ts'
import { RequestRefusal, violation } from '../../server/request-refusal.ts'
import { refusedAccount, refusedReference } from '../account-refusal.ts'
import type { PrivateAnswer, PrivateHandlers, PrivateRequest } from '../private-request.ts'
import { identityOf, submit } from '../submit.ts'
import { partOf, shownPage } from './parameters.ts'

export const KEY_ROUTES = {
  create_api_key: createKey,
  list_api_keys: listKeys,
  rotate_api_key: rotateKey,
  revoke_api_key: revokeKey,
  list_signers: listSigners,
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
}: Pick<CreateKeyRequest, 'authorization' | 'signature_type' | 'authorization_signature'>): KeyAuthorization {
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
  const page = await request.trading.reads.keys(request.caller.account_id, partOf(request))
  return shownPage(request, page, {
    keyOf: ({ created_at, key_id }) => [created_at, key_id],
    recordOf: (row) => apiKeyResource(row, { last_used_at: row.last_used_at, now: request.now }),
  })
}

/** Rotates a key; the new material has the algorithm of the old one. */
async function rotateKey(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading } = request
  const body = request.body as RotateKeyRequest
  const { overlap_seconds, public_key = null } = body
  const { key_id, algorithm, scopes } = await ownKey(request)
  const consent = await consentOf(request, { key_id, scopes }, body)
  const { material, secret } = newKeyMaterial({ key_id, algorithm, public_key }, trading.sealing)
  const rotation = { key_id, consent, overlap_seconds, material, secret }
  const answer = await submit(request, { kind: 'rotate_key', identity: identityOf(request), ...rotation })
  noteChange(request, key_id, answer)
  return answer
}

async function revokeKey(request: PrivateRequest): Promise<PrivateAnswer> {
  const body = request.body as RevokeKeyRequest
  const { key_id, scopes } = await ownKey(request)
  const consent = await consentOf(request, { key_id, scopes }, body)
  const { reason } = body
  const answer = await submit(request, { kind: 'revoke_key', identity: identityOf(request), key_id, consent, reason })
  noteChange(request, key_id, answer)
  return answer
}

/** Forgets a key that may have changed, or notes in its audit log that a change was refused to another key. */
function noteChange({ trading, caller, now }: PrivateRequest, key_id: string, { error }: PrivateAnswer): void {
  trading.keys.forget?.(key_id)
  if (error === null || key_id === caller.key_id) return
  trading.noteUse({ key_id, at: now, ip: caller.ip, refusal: 'owner_consent_missing' })
}

/** Finds the key of the path. @throws {ServiceError} API_KEY_NOT_FOUND: unknown, or another account's */
async function ownKey({ trading, caller, parameters }: PrivateRequest): Promise<AuthKey> {
  const key_id = parameters.key_id as string
  const key = await trading.reads.key(key_id)
  if (key === null || key.account_id !== caller.account_id) throw missing('api_key', key_id)
  return key
}

/** Has the owner's consent to a change verified; the engine decides whether the change needs one. */
async function consentOf(
  { trading, caller: { account_id } }: PrivateRequest,
  key: Pick<AuthKey, 'key_id' | 'scopes'>,
  {
    authorization,
    authorization_signature: signature,
    signature_type,
    signed_message = null,
  }: Omit<RevokeKeyRequest, 'reason'>,
): Promise<KeyConsent | null> {
  if (authorization === undefined || signature === undefined || signature_type === undefined) return null
  const signed = { authorization, signature_type, signature, signed_message, key: { account_id, ...key } }
  const { verdict } = await trading.verifier.verifyAuthorization(signed)
  return {
    verdict,
    authorization: authorizationOf({ authorization, signature_type, authorization_signature: signature }),
  }
}

async function listSigners(request: PrivateRequest): Promise<PrivateAnswer> {
  const { trading, caller, now } = request
  const page = await trading.reads.signers(caller.account_id, now, partOf(request))
  return shownPage(request, page, {
    keyOf: ({ since, authorization_id }) => [since, authorization_id],
    recordOf: (row) => signerResource(caller.account_id, row),
  })
}

async function listKeyAudit(request: PrivateRequest): Promise<PrivateAnswer> {
  const key_id = request.parameters.key_id as string
  const found = await request.trading.reads.keyAudit(request.caller.account_id, key_id, partOf(request))
  if (found === null) throw missing('api_key', key_id)
  return shownPage(request, found, {
    keyOf: ({ occurred_at, audit_id }) => [occurred_at, audit_id],
    recordOf: keyAuditResource,
  })
}
