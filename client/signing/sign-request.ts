import { ed25519 } from '@noble/curves/ed25519'
import { hmac } from '@noble/hashes/hmac'
import { sha256 } from '@noble/hashes/sha2'
import { hexToBytes } from '@noble/hashes/utils'
import { boundNonce, canonicalRequest, REQUEST_SIGNATURE_VERSION } from '../../protocol/signing/canonical-request.ts'
import { checkedChoice, checkedObject, checkedText, refusedArgument, secretShown } from '../given.ts'
import { randomHex, toHex, utf8 } from '../platform.ts'
import { clientError, ofOneClassNow } from '../tidemark-error.ts'

/** API key of an account with its secret and environment. */
export type RequestKey = {
  readonly key_id: string
  readonly environment: string
} & (
  | {
      readonly algorithm: 'hmac-sha256'
      /** 64 hex digits. */
      readonly secret: string
    }
  | {
      readonly algorithm: 'ed25519'
      /** The 32 bytes of the private key (its seed) in hex. */
      readonly private_key: string
    }
)

export type RequestToSend = {
  readonly method: string
  /** Path and query exactly as sent, with /v1, such as `/v1/orders?limit=10`. */
  readonly target: string
  /** Exact text of the body; left out: none. */
  readonly body?: string | Uint8Array
  /** Unix epoch milliseconds; default: now. */
  readonly timestamp_ms?: number
  /** 8 to 64 of [A-Za-z0-9_-], never used before with this key; default: random. */
  readonly nonce?: string
  /** Idempotency-Key of a write: a random nonce names it, so that the signature covers it. */
  readonly idempotency_key?: string
}

/** Authentication headers of a request. */
export type SignedHeaders = {
  readonly 'SVC-Access-Key': string
  readonly 'SVC-Access-Timestamp': string
  readonly 'SVC-Access-Nonce': string
  readonly 'SVC-Access-Signature': string
  readonly 'SVC-Access-Signature-Version': string
}

const KEY_HEX = /^[0-9a-fA-F]{64}$/

/**
 * Signs a request, which must be sent byte for byte as signed.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: the secret or private key is invalid; VALIDATION_REQUEST_MALFORMED: the target is invalid
 */
export function signRequest(request: RequestToSend, key: RequestKey): SignedHeaders {
  checkedKey(key)
  const { method } = checkedObject(request, 'request')
  checkedText(method, 'method')
  const [path, query = ''] = splitOnce(checkedText(request.target, 'target'))
  const timestamp = timeText(request.timestamp_ms)
  const nonce = checkedText(request.nonce ?? newNonce(request.idempotency_key), 'nonce')
  const { body = '' } = request
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw refusedArgument('body', body, 'a text, a Uint8Array')
  const body_sha256 = toHex(sha256(typeof body === 'string' ? utf8(body) : body))
  const { key_id, environment } = key
  const text = ofOneClassNow(() =>
    canonicalRequest({ method, path, query, body_sha256, timestamp, nonce, key_id, environment }),
  )
  return {
    'SVC-Access-Key': key.key_id,
    'SVC-Access-Timestamp': timestamp,
    'SVC-Access-Nonce': nonce,
    'SVC-Access-Signature': signatureOf(text, key),
    'SVC-Access-Signature-Version': REQUEST_SIGNATURE_VERSION,
  }
}

function newNonce(idempotency_key: string | undefined): string {
  if (idempotency_key === undefined) return randomHex(16)
  return boundNonce(toHex(sha256(utf8(checkedText(idempotency_key, 'idempotency_key')))), randomHex(13))
}

/**
 * Returns the Ed25519 signature of a text, in lower-case hex.
 * @param private_key 64 hex digits
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: the key is invalid
 */
export function signWithEd25519(private_key: string, text: string): string {
  return toHex(ed25519.sign(utf8(checkedText(text, 'text')), keyBytes(private_key, 'private_key')))
}

function timeText(timestamp_ms: number | undefined): string {
  if (timestamp_ms === undefined) return String(Date.now())
  if (Number.isSafeInteger(timestamp_ms) && timestamp_ms > 0) return String(timestamp_ms)
  throw refusedArgument('timestamp_ms', timestamp_ms, 'Unix epoch milliseconds, a whole number above 0')
}

/**
 * Returns a key whose fields are complete. @param secret  name of the option that holds the secret
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID, without the secret
 */
export function checkedKey(key: RequestKey, secret?: string): RequestKey {
  const { key_id, environment, algorithm } = checkedObject(key, 'key')
  checkedText(key_id, 'key_id')
  checkedText(environment, 'environment')
  checkedChoice(algorithm, 'algorithm', ['hmac-sha256', 'ed25519'])
  if (key.algorithm === 'hmac-sha256') keyBytes(key.secret, secret ?? 'secret')
  else keyBytes(key.private_key, secret ?? 'private_key')
  return key
}

function signatureOf(text: string, key: RequestKey): string {
  if (key.algorithm === 'hmac-sha256') return toHex(hmac(sha256, keyBytes(key.secret, 'secret'), utf8(text)))
  return signWithEd25519(key.private_key, text)
}

/** Creates the error of an invalid secret, without its value. */
function keyBytes(hex: string, field: string): Uint8Array {
  if (typeof hex === 'string' && KEY_HEX.test(hex)) return hexToBytes(hex)
  const message = `${field} of the key is ${secretShown(hex)}; allowed: 64 hex digits`
  throw clientError('VALIDATION_USAGE_INVALID', message, false)
}

function splitOnce(target: string): readonly [string, string?] {
  const mark = target.indexOf('?')
  return mark < 0 ? [target] : [target.slice(0, mark), target.slice(mark + 1)]
}
