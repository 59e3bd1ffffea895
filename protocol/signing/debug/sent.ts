/** Request as it was sent. */
export type SentRequest = {
  /** WS for the `auth` message of a stream. */
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** Names in lower case; of several values the last. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Typed message in a body, with its signature. */
export type SentMessage = {
  readonly kind: 'order' | 'authorization'
  /** Such as `order 2 of 3`. */
  readonly name: string
  /** Fields of the order, or the whole body that carries the authorization. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Contents of a text that was given: a request, messages of its body, or both. */
export type Sent = { readonly request: SentRequest | null; readonly messages: readonly SentMessage[] }

/** Takes scheme, host and fragment away. */
export function targetOf(address: string): string {
  const target = address.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
  return target.startsWith('/') ? target : `/${target}`
}

/** Returns whether a JSON value is an object, neither a list nor null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
