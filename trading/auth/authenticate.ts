import { setTimeout as sleep } from 'node:timers/promises'
import { type BackoffRule, backoffMs } from '../../primitives/backoff.ts'
import type { ErrorCode } from '../../primitives/error-codes.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { isOver, type Micros } from '../../primitives/instants.ts'
import type { RateTierName } from '../../protocol/limits.ts'
import { canonicalRequest } from '../../protocol/signing/canonical-request.ts'
import { hasScope, type Scope } from '../../protocol/signing/scopes.ts'
import type { KeyRefusal } from '../../vocabulary/api-key.ts'
import type { AuthKey, KeySource } from './auth-key.ts'
import { isAddressAllowed } from './ip-allowlist.ts'
import { type KeyUse, NO_KEY } from './key-activity.ts'
import { createNonces, type NonceStore } from './nonces.ts'
import { type CheckedHeaders, checkedHeaders, type RequestParts } from './request-parts.ts'
import { createCheckSignature, type Unseal } from './request-signature.ts'
import { type KeyEncryptionKey, sealSecret, unsealSecret } from './seal-secret.ts'

/** Secrets kept opened; the one opened longest ago is evicted first. */
const SECRETS_MAX = 10_000

/**
 * Opens each sealed secret once: a key signs many requests, and opening costs more than checking one. Rotated material
 * is another text, so a former secret is never taken for the present one. Does not check whether the key is still valid.
 */
export function rememberSecrets(unseal: Unseal): Unseal {
  const opened = new Map<string, Uint8Array>()
  return (key_id, material) => {
    const name = `${key_id} ${material}`
    const known = opened.get(name)
    if (known !== undefined) return known
    const secret = unseal(key_id, material)
    opened.set(name, secret)
    if (opened.size > SECRETS_MAX) opened.delete(opened.keys().next().value!)
    return secret
  }
}

/** Authenticated caller of a request. */
export type Caller = {
  readonly key_id: string
  readonly account_id: string
  readonly scopes: readonly string[]
  readonly limit_tier: RateTierName
  /** Nonce of this request, used up. The engine records that of a write once more, in its transaction. */
  readonly nonce: string
  readonly ip: string
}

/** Requirements of a route. */
export type RouteNeeds = {
  /** One of these scopes suffices; an empty list accepts any key. */
  readonly scopes: readonly Scope[]
}

/**
 * Performs stage 2 of a request, and the part of stage 3 that is not the engine's.
 * @throws {ServiceError} the first that holds of: AUTH_CREDENTIALS_INVALID or VALIDATION_REQUEST_MALFORMED (headers that are
 *   missing or malformed), AUTH_CREDENTIALS_INVALID (unknown, revoked and expired keys and wrong signatures alike),
 *   AUTH_ENVIRONMENT_MISMATCH, AUTH_IP_NOT_ALLOWED, AUTH_SCOPE_INSUFFICIENT, AUTH_TIMESTAMP_OUT_OF_WINDOW (fact
 *   `server_time_ms`), REPLAY_REQUEST_NONCE_REUSED, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE
 */
export type Authenticate = (request: RequestParts, needs: RouteNeeds) => Promise<Caller>

export type AuthenticatorPorts = {
  readonly keys: KeySource
  readonly nonces: NonceStore
  /** Notes each request, also refused ones, for the audit log of its key; left out: not noted. */
  readonly noteUse?: (use: KeyUse) => void
  /** Environment of this service. */
  readonly environment: string
  readonly sealing: KeyEncryptionKey
  readonly now: () => Micros
}

/** Form of every key id; nothing is looked up or remembered for any other text. */
const KEY_ID = /^key_[A-Za-z0-9_-]{1,64}$/
/** Back-off of opening the store of nonces. */
const OPEN_AGAIN: BackoffRule = { first_ms: 250, max_ms: 8_000 }
/** A timestamp is accepted in [now - 30 s, now + 5 s]. */
const PAST_MS = 30_000
const FUTURE_MS = 5_000

/** Creates the authenticator. Requests that were signed before the store knows every nonce are refused. */
export function createAuthenticator(ports: AuthenticatorPorts): Authenticate {
  const { keys, environment, sealing, now } = ports
  const isSigned = createCheckSignature(
    rememberSecrets((key_id, material) => unsealSecret(sealing, key_id, material)),
    (key_id, secret) => sealSecret(sealing, key_id, secret),
  )
  const nonces = createNonces(ports.nonces)
  void openNonces(ports.nonces, now)

  return async (request, needs) => {
    const headers = checkedHeaders(request.headers)
    const found = KEY_ID.test(headers.key_id) ? await keys.find(headers.key_id) : null
    const at = now()
    const text = signedText(request, headers, found?.environment ?? environment)
    const signed = isSigned(found, text, headers.signature, at)
    const note = (refusal: KeyRefusal | null) =>
      ports.noteUse?.({ key_id: found?.key_id ?? NO_KEY, at, ip: request.ip, refusal })
    try {
      const key = activeKey(found, signed, at)
      refuseUse(key, environment, request.ip, needs)
      refuseTimestamp(headers.timestamp, at, 0)
      const known_from = await nonces.take({ key_id: key.key_id, nonce: headers.nonce }, at)
      refuseTimestamp(headers.timestamp, at, millisOf(known_from))
      note(null)
      const { key_id, account_id, scopes, limit_tier } = key
      return { key_id, account_id, scopes, limit_tier, nonce: headers.nonce, ip: request.ip }
    } catch (error) {
      const refusal = refusalOf(error, found, signed, at)
      if (refusal !== null) note(refusal)
      throw error
    }
  }
}

/**
 * Opens the store as soon as it is reached: this process may start before the tables of a new deployment exist. If the first request
 * opened it, that one would be refused, because it was signed earlier.
 */
async function openNonces(store: NonceStore, now: () => Micros): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await store.open(now())
    } catch {
      await sleep(backoffMs(OPEN_AGAIN, failures), undefined, { ref: false })
    }
  }
}

/** @throws {ServiceError} AUTH_CREDENTIALS_INVALID: unknown, not signed by the key, revoked or expired, all alike */
function activeKey(found: AuthKey | null, signed: boolean, at: Micros): AuthKey {
  if (found !== null && signed && found.revoked_at === null && !isOver(found.expires_at, at)) return found
  // One error for every cause reveals nothing about which keys exist.
  throw new ServiceError(
    'AUTH_CREDENTIALS_INVALID',
    'the key is unknown, revoked or expired, or the signature is not its own; allowed: an active key and its signature, by its own algorithm, over the canonical request with its own environment',
  )
}

const REFUSALS: Readonly<Partial<Record<ErrorCode, KeyRefusal>>> = {
  AUTH_ENVIRONMENT_MISMATCH: 'other_environment',
  AUTH_IP_NOT_ALLOWED: 'address_not_allowed',
  AUTH_SCOPE_INSUFFICIENT: 'scope_missing',
  AUTH_TIMESTAMP_OUT_OF_WINDOW: 'timestamp_out_of_window',
  REPLAY_REQUEST_NONCE_REUSED: 'nonce_reused',
}

/** Returns the cause of a refusal as the audit log shows it to the key's owner; null: not the request's fault. */
function refusalOf(error: unknown, found: AuthKey | null, signed: boolean, at: Micros): KeyRefusal | null {
  if (!isServiceError(error)) return null
  if (error.code !== 'AUTH_CREDENTIALS_INVALID') return REFUSALS[error.code] ?? null
  if (!signed) return 'wrong_signature'
  return found?.revoked_at === null && isOver(found.expires_at, at) ? 'expired' : 'revoked'
}

/** Returns the canonical text, with the key's own environment; that is compared with the service's afterwards. */
function signedText(request: RequestParts, headers: CheckedHeaders, environment: string): string {
  const { method, path, query, body_sha256 } = request
  const { timestamp, nonce, key_id } = headers
  return canonicalRequest({ method, path, query, body_sha256, timestamp, nonce, key_id, environment })
}

function refuseUse(key: AuthKey, environment: string, ip: string, needs: RouteNeeds): void {
  if (key.environment !== environment)
    throw new ServiceError(
      'AUTH_ENVIRONMENT_MISMATCH',
      `the key belongs to ${key.environment}; allowed here: keys of ${environment}`,
      { environment: key.environment },
    )
  if (!isAddressAllowed(key.ip_allowlist, ip))
    throw new ServiceError('AUTH_IP_NOT_ALLOWED', `the request is from ${ip}; allowed: the ranges of the key`, { ip })
  if (needs.scopes.length > 0 && !needs.scopes.some((scope) => hasScope(key.scopes, scope)))
    throw new ServiceError(
      'AUTH_SCOPE_INSUFFICIENT',
      `the key has the scopes ${key.scopes.join(' ') || 'none'}; needed: ${needs.scopes.join(' or ')}`,
      { needed: needs.scopes.join(' ') },
    )
}

function refuseTimestamp(timestamp: string, at: Micros, from_ms: number): void {
  const [sent_ms, now_ms] = [Number(timestamp), millisOf(at)]
  if (sent_ms >= Math.max(now_ms - PAST_MS, from_ms) && sent_ms <= now_ms + FUTURE_MS) return
  throw new ServiceError(
    'AUTH_TIMESTAMP_OUT_OF_WINDOW',
    `SVC-Access-Timestamp is ${timestamp}, the time here ${now_ms}, in Unix milliseconds; allowed: 30 s before to 5 s after it${sent_ms < from_ms ? `, and not before ${from_ms}, from when every nonce is known` : ''}`,
    { server_time_ms: String(now_ms) },
  )
}

function millisOf(micros: Micros): number {
  return Math.floor(micros / 1000)
}
