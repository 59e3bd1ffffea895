import { createHmac, createPrivateKey, hash, randomUUID, sign } from 'node:crypto'
import { ServiceError } from '../../primitives/errors.ts'
import { canonicalRequest, REQUEST_SIGNATURE_VERSION } from '../../protocol/signing/canonical-request.ts'

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
}

/** Authentication headers of a request. */
export type SignedHeaders = {
  readonly 'SVC-Access-Key': string
  readonly 'SVC-Access-Timestamp': string
  readonly 'SVC-Access-Nonce': string
  readonly 'SVC-Access-Signature': string
  readonly 'SVC-Access-Signature-Version': string
}

/** PKCS #8 of an Ed25519 key up to its 32 bytes (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_HEX = /^[0-9a-fA-F]{64}$/

/**
 * Signs a request, which must be sent byte for byte as signed.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the secret or private key is invalid; VALIDATION_REQUEST_MALFORMED: the target is invalid
 */
export function signRequest(request: RequestToSend, key: RequestKey): SignedHeaders {
  const [path, query = ''] = splitOnce(request.target)
  const timestamp = String(request.timestamp_ms ?? Date.now())
  const nonce = request.nonce ?? randomUUID()
  const text = canonicalRequest({
    method: request.method,
    path,
    query,
    body_sha256: hash('sha256', request.body ?? '', 'hex'),
    timestamp,
    nonce,
    key_id: key.key_id,
    environment: key.environment,
  })
  return {
    'SVC-Access-Key': key.key_id,
    'SVC-Access-Timestamp': timestamp,
    'SVC-Access-Nonce': nonce,
    'SVC-Access-Signature': signatureOf(text, key),
    'SVC-Access-Signature-Version': REQUEST_SIGNATURE_VERSION,
  }
}

/**
 * Returns the Ed25519 signature of a text, in lower-case hex.
 * @param private_key 64 hex digits
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the key is invalid
 */
export function signWithEd25519(private_key: string, text: string): string {
  const der = Buffer.concat([ED25519_PREFIX, keyBytes(private_key, 'private_key')])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return sign(null, Buffer.from(text, 'utf8'), key).toString('hex')
}

function signatureOf(text: string, key: RequestKey): string {
  if (key.algorithm === 'hmac-sha256')
    return createHmac('sha256', keyBytes(key.secret, 'secret')).update(text, 'utf8').digest('hex')
  return signWithEd25519(key.private_key, text)
}

/** Creates the error of an invalid secret, without its value. */
function keyBytes(hex: string, field: string): Buffer {
  if (KEY_HEX.test(hex)) return Buffer.from(hex, 'hex')
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${field} of the key has ${hex.length} characters; allowed: 64 hex digits`,
    { field },
  )
}

function splitOnce(target: string): readonly [string, string?] {
  const mark = target.indexOf('?')
  return mark < 0 ? [target] : [target.slice(0, mark), target.slice(mark + 1)]
}
