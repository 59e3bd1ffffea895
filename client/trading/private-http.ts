import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivateMethod } from '../../protocol/endpoints/private-endpoint.ts'
import { fetchFailure } from '../http/fetch-failure.ts'
import { type RequestKey, signRequest } from '../signing/sign-request.ts'
import { type PrivateQuery, queryText } from './query-text.ts'
import { RETRY_RULE, type RetryRule, retryWait } from './retry-rule.ts'
import type { OrderSocket } from './stream/order-socket.ts'
import { clientError, type ErrorObject, TradingError } from './trading-error.ts'

export type PrivateRequest = {
  readonly method: PrivateMethod
  /** Path after /v1. */
  readonly path: string
  readonly query?: PrivateQuery
  /** JSON value; none for reads. */
  readonly body?: unknown
  /** For writes: repeats with the same key take effect once; default: random. */
  readonly idempotency_key?: string
}

export type PrivateAnswer<T> = {
  readonly status: number
  readonly data: T
  readonly next_cursor: string | null
  readonly meta: Readonly<Record<string, unknown>>
  /** The answer repeats that to an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean
}

export type PrivateHttp = {
  /**
   * Signs and sends a request; transient failures are retried with a new nonce and time, under the same Idempotency-Key.
   * @throws {TradingError}
   */
  send<T>(request: PrivateRequest): Promise<PrivateAnswer<T>>
}

export type PrivateHttpOptions = {
  /** http or https, without /v1 and trailing slash. */
  readonly base_url: string
  readonly key: RequestKey
  /** Sends writes of orders over a WebSocket instead of one HTTP request each. */
  readonly order_socket?: OrderSocket
  readonly retry?: RetryRule
  /** One attempt of a request. */
  readonly timeout_ms?: number
  readonly signal?: AbortSignal
}

const TIMEOUT_MS = 15_000

type Body = {
  readonly data?: unknown
  readonly page?: { readonly next_cursor: string | null }
  readonly meta?: Readonly<Record<string, unknown>>
  readonly error?: ErrorObject
}
type Prepared = {
  readonly method: string
  /** Path and query, with /v1. */
  readonly target: string
  readonly body: string
  readonly idempotency_key: string | null
}

/** Creates signed requests of one key. */
export function createPrivateHttp(options: PrivateHttpOptions): PrivateHttp {
  const { retry = RETRY_RULE, signal } = options
  /** Server time minus local time, in milliseconds; learned when a timestamp is refused. */
  let ahead_ms = 0
  return {
    async send<T>(request: PrivateRequest): Promise<PrivateAnswer<T>> {
      const prepared = prepare(request)
      const begun = Date.now()
      for (let failed = 1; ; failed += 1) {
        try {
          return (await attempt(options, prepared, ahead_ms)) as PrivateAnswer<T>
        } catch (error) {
          if (!(error instanceof TradingError)) throw error
          ahead_ms = aheadOf(error) ?? ahead_ms
          const wait_ms = retryWait(retry, error, failed, Date.now() - begun, Math.random())
          if (wait_ms === null) throw error
          await sleep(wait_ms, undefined, signal === undefined ? {} : { signal })
        }
      }
    },
  }
}

function prepare(request: PrivateRequest): Prepared {
  const { method, path, query = {}, body, idempotency_key } = request
  const text = queryText(query)
  return {
    method,
    target: `/v1${path}${text === '' ? '' : `?${text}`}`,
    body: body === undefined ? '' : JSON.stringify(body),
    idempotency_key: method === 'GET' ? null : (idempotency_key ?? randomToken()),
  }
}

async function attempt(
  options: PrivateHttpOptions,
  { method, target, body, idempotency_key }: Prepared,
  ahead_ms: number,
): Promise<PrivateAnswer<unknown>> {
  const { base_url, key } = options
  const signed = signRequest({ method, target, body, timestamp_ms: Date.now() + ahead_ms }, key)
  const headers = {
    ...signed,
    ...(idempotency_key === null ? {} : { 'Idempotency-Key': idempotency_key }),
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
  }
  const { order_socket, timeout_ms = TIMEOUT_MS } = options
  if (order_socket !== undefined && isOrderWrite(method, target)) {
    const { 'Content-Type': _, ...access } = headers as Readonly<Record<string, string>>
    const response = await order_socket.send({ method, path: target, headers: access, body }, timeout_ms)
    return answerOf(base_url, response)
  }
  const request = { method, headers, ...(body === '' ? {} : { body }) }
  const response = await answered(`${base_url}${target}`, request, options)
  return answerOf(base_url, response)
}

/** Whether the stream takes a request: it changes orders. */
function isOrderWrite(method: string, target: string): boolean {
  return method !== 'GET' && /^\/v1\/(orders($|\/)|account\/cancel-after$)/.test(target)
}

type Response = { readonly status: number; readonly headers: Headers; readonly text: string }

/** @throws {TradingError} SERVICE_UNAVAILABLE: a write may have taken effect; repeat it with the same Idempotency-Key */
async function answered(
  url: string,
  request: RequestInit,
  { base_url, timeout_ms = TIMEOUT_MS, signal }: PrivateHttpOptions,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeout_ms)
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  try {
    const response = await fetch(url, { ...request, signal: either })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    throw noAnswer(base_url, timeout.aborted ? `no answer in ${timeout_ms} ms` : fetchFailure(cause), cause)
  }
}

function answerOf(base_url: string, { status, headers, text }: Response): PrivateAnswer<unknown> {
  const body = parsed(text)
  if (body === null) throw noAnswer(base_url, `answered ${status}, not as this API does`)
  if (body.error !== undefined) throw new TradingError(body.error, status, body.data ?? null)
  return {
    status,
    data: body.data,
    next_cursor: body.page?.next_cursor ?? null,
    meta: body.meta ?? {},
    replayed: headers.get('svc-idempotent-replay') === 'true',
  }
}

function parsed(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && ('data' in value || 'error' in value) ? (value as Body) : null
  } catch {
    return null
  }
}

function aheadOf({ code, error }: TradingError): number | null {
  const stated = error.server_time_ms
  return code === 'AUTH_TIMESTAMP_OUT_OF_WINDOW' && typeof stated === 'number' ? stated - Date.now() : null
}

function noAnswer(base_url: string, what: string, cause?: unknown): TradingError {
  return clientError('SERVICE_UNAVAILABLE', `base_url is ${base_url}: ${what}`, true, cause)
}

function randomToken(): string {
  return randomBytes(16).toString('hex')
}
