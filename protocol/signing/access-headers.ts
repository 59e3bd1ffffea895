/** Authentication headers of a request as received; null: not sent. */
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

type Form = { readonly pattern: RegExp; readonly allowed: string }

/** Accepted forms. Not listed: a malformed signature is simply wrong, a malformed key id unknown. */
export const ACCESS_HEADER_FORMS: Readonly<Partial<Record<keyof AccessHeaders, Form>>> = {
  timestamp: { pattern: /^[1-9]\d{0,15}$/, allowed: 'Unix epoch milliseconds as integer text' },
  nonce: { pattern: /^[A-Za-z0-9_-]{8,64}$/, allowed: '8 to 64 of [A-Za-z0-9_-]' },
  signature_version: { pattern: /^v1$/, allowed: 'v1' },
}
