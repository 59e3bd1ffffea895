import { canonicalRequest, REQUEST_SIGNATURE_VERSION } from '../../../protocol/signing/canonical-request.ts'

/** API key of an account with its secret. */
export type RequestKey = {
  readonly key_id: string
  /** 64 hex digits. */
  readonly secret: string
  readonly environment: string
}

/** Signed parts of a request. */
export type RequestParts = {
  readonly method: string
  /** With /v1. */
  readonly path: string
  /** Query exactly as sent; '' if none. */
  readonly query: string
  readonly body: string
  /** Unix epoch milliseconds. */
  readonly timestamp_ms: number
  readonly nonce: string
}

/** Signs a request with WebCrypto; the secret never leaves the browser. @returns lower-case hex */
export async function requestSignature(parts: RequestParts, key: RequestKey): Promise<string> {
  const { method, path, query, body, timestamp_ms, nonce } = parts
  const { key_id, environment } = key
  const body_sha256 = hexOf(await crypto.subtle.digest('SHA-256', bytesOf(body)))
  const timestamp = String(timestamp_ms)
  const text = canonicalRequest({ method, path, query, body_sha256, timestamp, nonce, key_id, environment })
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const secret = await crypto.subtle.importKey('raw', unhex(key.secret), hmac, false, ['sign'])
  return hexOf(await crypto.subtle.sign('HMAC', secret, bytesOf(text)))
}

/** Returns the authentication headers of a request. */
export async function signedHeaders(parts: RequestParts, key: RequestKey): Promise<Record<string, string>> {
  return {
    'SVC-Access-Key': key.key_id,
    'SVC-Access-Timestamp': String(parts.timestamp_ms),
    'SVC-Access-Nonce': parts.nonce,
    'SVC-Access-Signature': await requestSignature(parts, key),
    'SVC-Access-Signature-Version': REQUEST_SIGNATURE_VERSION,
  }
}

/** Returns 128 random bits in hex. */
export function randomToken(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(16)).buffer)
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function unhex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
