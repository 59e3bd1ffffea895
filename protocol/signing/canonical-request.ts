import { ServiceError } from '../../primitives/errors.ts'

/** Version of the signed text, as SVC-Access-Signature-Version says it. */
export const REQUEST_SIGNATURE_VERSION = 'v1'

/** Parts that a request signature covers. */
export type RequestToSign = {
  readonly method: string
  /** With /v1, as sent or normalized. */
  readonly path: string
  /** Query after the `?`, as sent or sorted; empty if none. */
  readonly query: string
  /** SHA-256 in lower-case hex of the bytes of the body; of no bytes where there is none. */
  readonly body_sha256: string
  /** Unix epoch milliseconds, as sent. */
  readonly timestamp: string
  readonly nonce: string
  readonly key_id: string
  /** That of the key. */
  readonly environment: string
}

/**
 * The text whose signature a private request carries: nine `label:value` lines joined by LF, none after the last.
 * @throws {ServiceError} VALIDATION_REQUEST_MALFORMED: an escape in the path or query is no UTF-8
 */
export function canonicalRequest(request: RequestToSign): string {
  return [
    `SVC-Access-Signature-Version:${REQUEST_SIGNATURE_VERSION}`,
    `method:${request.method.toUpperCase()}`,
    `path:${normalizedPath(request.path)}`,
    `query:${sortedQuery(request.query)}`,
    `body_sha256:${request.body_sha256}`,
    `timestamp:${request.timestamp}`,
    `nonce:${request.nonce}`,
    `key_id:${request.key_id}`,
    `environment:${request.environment}`,
  ].join('\n')
}

/** Beginning of a nonce that names the Idempotency-Key of its request. */
const BOUND = /^once-[0-9a-f]{32}-/

/**
 * Returns a nonce that names the Idempotency-Key of its write. The signature covers the nonce, so nobody in between can send the write
 * again under another key.
 * @param key_sha256 SHA-256 of the Idempotency-Key, in hex
 * @param random     26 hex digits, new for each attempt
 */
export function boundNonce(key_sha256: string, random: string): string {
  return `once-${key_sha256.slice(0, 32)}-${random}`
}

/** Tests whether a nonce names another Idempotency-Key than that of this hash; most other nonces name none. */
export function namesOtherKey(nonce: string, key_sha256: string): boolean {
  return BOUND.test(nonce) && !nonce.startsWith(boundNonce(key_sha256, ''))
}

/**
 * A path with each segment written one way: all but letters, digits and `-._~` as %XX in upper case. An escaped slash stays one.
 * @throws {ServiceError} VALIDATION_REQUEST_MALFORMED
 */
export function normalizedPath(path: string): string {
  return PLAIN_PATH.test(path) ? path : path.split('/').map(written).join('/')
}

/**
 * A query with keys and values escaped as in a path, sorted by key, then by value; pairs that occur twice stay two.
 * A `+` is a space, as whoever reads the query takes it; a plus sign is written %2B.
 * @throws {ServiceError} VALIDATION_REQUEST_MALFORMED
 */
export function sortedQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map(pairOf)
    .sort(([a_key, a_value], [b_key, b_value]) => compared(a_key, b_key) || compared(a_value, b_value))
    .map(([key, value]) => `${key}=${value}`)
    .join('&')
}

function pairOf(text: string): readonly [key: string, value: string] {
  const equals = text.indexOf('=')
  const [key, value] = equals < 0 ? [text, ''] : [text.slice(0, equals), text.slice(equals + 1)]
  return [written(key.replaceAll('+', ' ')), written(value.replaceAll('+', ' '))]
}

/** Characters that are never escaped (RFC 3986, unreserved). */
const PLAIN = /^[A-Za-z0-9._~-]*$/
/** A path of such segments alone: written as it is. */
const PLAIN_PATH = /^[A-Za-z0-9._~/-]*$/

function written(text: string): string {
  return PLAIN.test(text) ? text : escaped(unescaped(text))
}

/** Both are ASCII: the order of code units is that of bytes. */
function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function escaped(text: string): string {
  return guarded(() => encodeURIComponent(text), text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function unescaped(text: string): string {
  return guarded(() => decodeURIComponent(text), text)
}

/** `%zz`, escapes that make no UTF-8, and halves of surrogate pairs. */
function guarded(work: () => string, text: string): string {
  try {
    return work()
  } catch (error) {
    throw new ServiceError(
      'VALIDATION_REQUEST_MALFORMED',
      `the address has ${JSON.stringify(text)}; allowed: UTF-8 with escapes of the form %XX`,
      { value: text },
      error,
    )
  }
}
