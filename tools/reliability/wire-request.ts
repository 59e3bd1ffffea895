import { randomUUID } from 'node:crypto'
import { type Agent, request } from 'node:http'
import { type RequestKey, signRequest } from '../../client/signing/sign-request.ts'

/** A request as it goes over the wire. A header with several values is sent as often. */
export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** With /v1 and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

export type WireAnswer = {
  readonly status: number
  /** Error code; null if the request succeeded. */
  readonly code: string | null
  readonly replayed: boolean
  /** The bytes of the field `data`; null: it has none. */
  readonly data: string | null
  readonly text: string
}

const TIMEOUT_MS = 15_000

/** Parts of a signature that may be chosen; the rest is generated. */
export type Signing = {
  readonly nonce?: string
  readonly timestamp_ms?: number
  readonly idempotency_key?: string
  /** Left out: POST. */
  readonly method?: 'POST' | 'PUT'
}

/** A write as its key's owner sends it. */
export function writeOf(key: RequestKey, path: string, content: unknown, signing: Signing = {}): WireRequest {
  const { idempotency_key = randomUUID(), method = 'POST', ...chosen } = signing
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  const target = `/v1${path}`
  const signed = signRequest({ method, target, body, ...chosen }, key)
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotency_key, ...signed }
  return { method, target, headers, body }
}

export function readOf(
  key: RequestKey,
  path: string,
  signing: Omit<Signing, 'idempotency_key' | 'method'> = {},
): WireRequest {
  const target = `/v1${path}`
  return { method: 'GET', target, headers: signRequest({ method: 'GET', target, ...signing }, key), body: '' }
}

/** The same request with other headers; null: without it. */
export function withHeaders(
  wire: WireRequest,
  changes: Readonly<Record<string, string | readonly string[] | null>>,
): WireRequest {
  const entries = Object.entries({ ...wire.headers, ...changes })
  const kept = entries.filter((entry): entry is [string, string | readonly string[]] => entry[1] !== null)
  return { ...wire, headers: Object.fromEntries(kept) }
}

/** The value of a header that is sent once. */
export function headerOf({ headers }: WireRequest, name: string): string {
  return String(headers[name])
}

/**
 * Sends a request as it is.
 * @param dropped takes the connection away, wherever the request is by then
 * @throws Error with a `code` where no whole answer comes in time
 */
export function sendWire(
  agent: Agent,
  base_url: string,
  wire: WireRequest,
  dropped?: AbortSignal,
): Promise<WireAnswer> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(wire.headers))
    headers[name] = typeof value === 'string' ? value : [...value]
  if (wire.method !== 'GET') headers['Content-Length'] = String(Buffer.byteLength(wire.body))
  const options = { method: wire.method, agent, headers, timeout: TIMEOUT_MS, ...(dropped && { signal: dropped }) }
  return new Promise((resolve, reject) => {
    const sending = request(`${base_url}${wire.target}`, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () => {
        const replayed = response.headers['svc-idempotent-replay'] === 'true'
        resolve({ status: response.statusCode!, code: codeOf(text), replayed, data: dataOf(text), text })
      })
    })
    sending.on('timeout', () => sending.destroy())
    sending.on('error', reject)
    sending.end(wire.body)
  })
}

/** Returns the field's bytes as they are in the text: quotes inside values are escaped, so no value looks like the field. */
function dataOf(text: string): string | null {
  const [from, to] = [text.indexOf('"data":'), text.lastIndexOf(',"meta":')]
  return from < 0 || to < from ? null : text.slice(from + '"data":'.length, to)
}

function codeOf(text: string): string | null {
  return text.startsWith('{"error"') ? (/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? null) : null
}
