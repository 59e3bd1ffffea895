import { ServiceError } from '../../primitives/errors.ts'
import { ACCESS_HEADER_FORMS, ACCESS_HEADERS, type AccessHeaders } from '../../protocol/signing/access-headers.ts'

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

export type CheckedHeaders = { readonly [K in keyof AccessHeaders]: string }

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
    const form = ACCESS_HEADER_FORMS[name]
    if (form !== undefined && !form.pattern.test(value))
      throw new ServiceError(
        'VALIDATION_REQUEST_MALFORMED',
        `${header} is ${JSON.stringify(value.slice(0, 80))}; allowed: ${form.allowed}`,
        { header },
      )
  }
  return headers as CheckedHeaders
}
