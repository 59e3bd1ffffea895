import { ServiceError } from '../../primitives/errors.ts'

/** Signed parts of a request, or of the `auth` message of a stream. Header values as received; null: not sent. */
export type RequestParts = {
  /** WS for the `auth` message of a stream. */
  readonly method: string
  /** Raw path with /v1. */
  readonly path: string
  /** Raw text after the `?`; empty if none. */
  readonly query: string
  /** SHA-256 in lower-case hex of the raw bytes of the body. */
  readonly body_sha256: string
  readonly headers: AccessHeaders
  /** Address of the client. */
  readonly ip: string
}

export type AccessHeaders = {
  readonly key_id: string | null
  readonly timestamp: string | null
  readonly nonce: string | null
  readonly signature: string | null
  readonly signature_version: string | null
}

/** Names of the headers on the wire. */
export const ACCESS_HEADERS: Readonly<Record<keyof AccessHeaders, string>> = {
  key_id: 'SVC-Access-Key',
  timestamp: 'SVC-Access-Timestamp',
  nonce: 'SVC-Access-Nonce',
  signature: 'SVC-Access-Signature',
  signature_version: 'SVC-Access-Signature-Version',
}

export type CheckedHeaders = { readonly [K in keyof AccessHeaders]: string }

/** Accepted forms. Not listed: a malformed signature is simply wrong, a malformed key id unknown. */
const FORMS: Readonly<Partial<Record<keyof AccessHeaders, { readonly pattern: RegExp; readonly allowed: string }>>> = {
  timestamp: { pattern: /^[1-9]\d{0,15}$/, allowed: 'Unix epoch milliseconds as integer text' },
  nonce: { pattern: /^[A-Za-z0-9_-]{8,64}$/, allowed: '8 to 64 of [A-Za-z0-9_-]' },
  signature_version: { pattern: /^v1$/, allowed: 'v1' },
}
const NAMES = Object.keys(ACCESS_HEADERS) as (keyof AccessHeaders)[]

/**
 * Returns all five headers, checked.
 * @throws {ServiceError} AUTH_CREDENTIALS_INVALID: one is missing; VALIDATION_REQUEST_MALFORMED: one is malformed
 */
export function checkedHeaders(headers: AccessHeaders): CheckedHeaders {
  for (const name of NAMES) {
    const [value, header] = [headers[name], ACCESS_HEADERS[name]]
    if (value === null || value === '')
      throw new ServiceError('AUTH_CREDENTIALS_INVALID', `${header} is missing; this request must be signed`, {
        header,
      })
    const form = FORMS[name]
    if (form !== undefined && !form.pattern.test(value))
      throw new ServiceError(
        'VALIDATION_REQUEST_MALFORMED',
        `${header} is ${JSON.stringify(value.slice(0, 80))}; allowed: ${form.allowed}`,
        { header },
      )
  }
  return headers as CheckedHeaders
}
