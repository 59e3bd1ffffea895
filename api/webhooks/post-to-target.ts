import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { WEBHOOKS } from '../../protocol/limits.ts'
import type { AttemptFailure } from '../../vocabulary/webhook.ts'
import type { OpenedTarget } from './webhook-target.ts'

/** Answer of a receiver, or the lack of one. */
export type PostResult = {
  /** null: there was no answer. */
  readonly status_code: number | null
  /** null: it was accepted. */
  readonly failure: AttemptFailure | null
  readonly message: string | null
  /** First bytes of the answer; null: none was read. */
  readonly answer: string | null
  /** Wait that the receiver asked for; null: none. */
  readonly retry_after_ms: number | null
}

type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: string }
type Clock = { readonly now_ms: () => number; readonly signal: AbortSignal }
/** Times of an attempt. */
export type PostTimes = { readonly connect_ms: number; readonly attempt_ms: number }

/**
 * Sends one delivery, over a connection of its own to the checked address. Redirects are not followed, and only the beginning of the
 * answer is read. Never throws.
 */
export async function postToTarget(
  target: OpenedTarget,
  message: Message,
  { now_ms, signal }: Clock,
  times: PostTimes = WEBHOOKS,
): Promise<PostResult> {
  const late = AbortSignal.timeout(times.attempt_ms)
  const either = AbortSignal.any([signal, late])
  try {
    const response = await responseTo(target, message, either, times.connect_ms)
    const { statusCode: status_code = 0, headers } = response
    const answer = await beginningOf(response)
    const retry_after_ms = retryAfter(headers['retry-after'], now_ms())
    return { status_code, ...judged(status_code), answer, retry_after_ms }
  } catch (error) {
    const [failure, text] = late.aborted
      ? (['timed_out', `no answer in ${times.attempt_ms} ms`] as const)
      : faultOf(error)
    return { status_code: null, failure, message: text, answer: null, retry_after_ms: null }
  }
}

function responseTo(
  { url, address }: OpenedTarget,
  { headers, body }: Message,
  signal: AbortSignal,
  connect_ms: number,
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const is_secure = url.protocol === 'https:'
  const bytes = Buffer.from(body, 'utf8')
  const options = {
    ...{ method: 'POST', host, port: portOf(url), path: `${url.pathname}${url.search}` },
    ...{ agent: false as const, autoSelectFamily: false, signal },
    headers: { ...headers, host: url.host, 'content-type': 'application/json', 'content-length': bytes.length },
    // The name was resolved and checked before: a second lookup could answer with a private address.
    lookup: lookupOf(address),
    ...(is_secure && isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
  }
  return new Promise((resolve, reject) => {
    const request = is_secure ? httpsRequest(options, resolve) : httpRequest(options, resolve)
    const slow = setTimeout(() => request.destroy(new ConnectTimeout(connect_ms)), connect_ms)
    request.on('socket', (socket) => {
      socket.once(is_secure ? 'secureConnect' : 'connect', () => clearTimeout(slow))
    })
    request.on('close', () => clearTimeout(slow))
    request.on('error', reject)
    request.end(bytes)
  })
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? { 'https:': 443, 'http:': 80 }[protocol]! : Number(port)
}

/** Marks a connection that was not made in time. */
class ConnectTimeout extends Error {
  constructor(connect_ms: number) {
    super(`no connection in ${connect_ms} ms`)
  }
}

/** Returns a lookup that knows one address. */
function lookupOf(address: string): LookupFunction {
  const family = isIPv6(address) ? 6 : 4
  return (_host, options, done) => {
    if (options.all === true) done(null, [{ address, family }])
    else done(null, address, family)
  }
}

/** Reads the beginning of an answer to its end or its bound; the connection is closed then. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    read += chunk.length
    if (read >= WEBHOOKS.answer_bytes_max) break
  }
  response.destroy()
  const kept = Buffer.concat(chunks).subarray(0, WEBHOOKS.answer_kept_bytes)
  return kept.toString('utf8').replaceAll('\0', '\ufffd')
}

function judged(status_code: number): Pick<PostResult, 'failure' | 'message'> {
  if (status_code >= 200 && status_code <= 299) return { failure: null, message: null }
  const message = `status ${status_code}; accepted: 200 to 299`
  return { failure: status_code >= 300 && status_code <= 399 ? 'redirect_refused' : 'status_refused', message }
}

function faultOf(error: unknown): readonly [AttemptFailure, string] {
  if (error instanceof ConnectTimeout) return ['timed_out', error.message]
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return ['connection_failed', typeof code === 'string' ? code : String(message)]
}

/** Reads Retry-After, in seconds or as a date, up to the longest wait; null: missing or unreadable. */
export function retryAfter(header: string | undefined, now_ms: number): number | null {
  if (header === undefined) return null
  const is_date = /^[A-Z][a-z]{2}, /.test(header)
  const asked_ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : is_date ? Date.parse(header) - now_ms : Number.NaN
  return Number.isFinite(asked_ms) ? Math.min(Math.max(asked_ms, 0), WEBHOOKS.retry.max_ms) : null
}
