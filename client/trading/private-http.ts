import { checkCall, checkedChoice, checkedObject, checkedPath, jsonText, ONCE_OPTIONS } from '../given.ts'
import { OTHER, parsedAnswer } from '../http/answer.ts'
import { type Call, eitherSignal } from '../http/call.ts'
import { type Attempt, exchange, type Transport, textOf } from '../http/transport.ts'
import { retryAfterMs } from '../http/waits.ts'
import { abortable, randomHex } from '../platform.ts'
import { aheadOf } from '../signing/clock.ts'
import { type RequestKey, signRequest } from '../signing/sign-request.ts'
import { clientError, TidemarkError } from '../tidemark-error.ts'
import { type PrivateQuery, queryText } from './query-text.ts'
import { createRateLanes } from './rate-lanes.ts'
import { repeated } from './repeated.ts'
import { isPassingStatus, type RetryRule, retryRule } from './retry-rule.ts'
import type { OrderSocket, SocketRequest, SocketResponse } from './stream/order-socket.ts'

export type PrivateRequest = Call & {
  readonly method: 'GET' | WriteMethod
  /** Path after /v1. */
  readonly path: string
  readonly query?: PrivateQuery
  /** JSON value; none for reads. */
  readonly body?: unknown
  /** Media type of a table; `data` is then its bytes. */
  readonly accept?: string
  /** For writes: repeats with the same key take effect once; default: random. */
  readonly idempotency_key?: string
}

export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

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
   * @throws {TidemarkError}
   */
  send<T>(request: PrivateRequest): Promise<PrivateAnswer<T>>
}

export type PrivateHttpOptions = Transport & {
  /** http or https, without /v1 and trailing slash. */
  readonly base_url: string
  readonly key: RequestKey
  /** Sends writes of orders over a WebSocket instead of one HTTP request each. */
  readonly order_socket?: OrderSocket
  readonly retry?: Partial<RetryRule>
  /** One attempt of a request. */
  readonly timeout_ms?: number
  readonly signal?: AbortSignal
  /** Called with the `meta` of each answer. */
  readonly on_meta?: (meta: Readonly<Record<string, unknown>>) => void
}

const TIMEOUT_MS = 15_000
const REQUEST_FIELDS = ['method', 'path', 'query', 'body', 'accept', ...ONCE_OPTIONS]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

type Prepared = {
  readonly method: string
  /** Path and query, with /v1. */
  readonly target: string
  readonly body: string
  readonly accept: string | undefined
  readonly idempotency_key: string | null
}

/** Creates signed requests of one key. */
export function createPrivateHttp(options: PrivateHttpOptions): PrivateHttp {
  const retry = retryRule(options.retry)
  const laneOf = createRateLanes()
  /** Server time minus local time, in milliseconds; learned when a timestamp is refused. */
  let ahead_ms = 0
  return {
    async send<T>(request: PrivateRequest): Promise<PrivateAnswer<T>> {
      const prepared = prepare(checkedObject(request, 'request'))
      const signal = eitherSignal(options.signal, request.signal)
      const call = {
        ...(signal === undefined ? {} : { signal }),
        timeout_ms: request.timeout_ms ?? options.timeout_ms ?? TIMEOUT_MS,
      }
      const attemptOnce = async (): Promise<PrivateAnswer<T> | TidemarkError> => {
        try {
          const answer = await attempt(options, prepared, call, ahead_ms)
          options.on_meta?.(answer.meta)
          return answer as PrivateAnswer<T>
        } catch (error) {
          if (!(error instanceof TidemarkError)) throw error
          if (error.code === 'AUTH_TIMESTAMP_OUT_OF_WINDOW') ahead_ms = aheadOf(error.error.server_time_ms)
          return error
        }
      }
      const lane = laneOf(prepared.method, prepared.target)
      return repeated(attemptOnce, { retry, signal, lane })
    },
  }
}

function prepare(request: PrivateRequest): Prepared {
  checkCall(request, REQUEST_FIELDS)
  const { method, path, query = {}, body, accept, idempotency_key } = request
  checkedChoice(method, 'method', METHODS)
  checkedPath(path)
  const text = queryText(query)
  return {
    method,
    target: `/v1${path}${text === '' ? '' : `?${text}`}`,
    body: body === undefined ? '' : jsonText(body),
    accept,
    idempotency_key: method === 'GET' ? null : (idempotency_key ?? randomHex(16)),
  }
}

async function attempt(
  options: PrivateHttpOptions,
  { method, target, body, accept, idempotency_key }: Prepared,
  { signal, timeout_ms }: Call & { readonly timeout_ms: number },
  ahead_ms: number,
): Promise<PrivateAnswer<unknown>> {
  const { base_url, key, order_socket } = options
  const bound = idempotency_key === null ? {} : { idempotency_key }
  const signed = signRequest({ method, target, body, timestamp_ms: Date.now() + ahead_ms, ...bound }, key)
  const access = { ...signed, ...(idempotency_key === null ? {} : { 'Idempotency-Key': idempotency_key }) }
  if (order_socket !== undefined && isOrderWrite(method, target)) {
    const request = { method, path: target, headers: access, body }
    return answerOf(base_url, await sentOn(order_socket, request, timeout_ms, signal))
  }
  const headers = {
    ...access,
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
    ...(accept === undefined ? {} : { Accept: accept }),
  }
  const unanswered = (reason: string, cause: unknown) => noAnswer(base_url, reason, cause)
  const sent: Attempt = {
    ...{ base_url, target, method, headers, timeout_ms, signal, unanswered },
    ...(body === '' ? {} : { body }),
  }
  const {
    status,
    headers: given,
    content,
  } = await exchange(sent, options, async (fetched) =>
    accept === undefined || fetched.status !== 200 ? textOf(fetched) : new Uint8Array(await fetched.arrayBuffer()),
  )
  if (typeof content === 'string') return answerOf(base_url, { status, headers: given, text: content })
  return { status, data: content, next_cursor: given.get('svc-next-cursor'), meta: {}, replayed: false }
}

/** Sends a request on a socket, which knows no signal. */
function sentOn(socket: OrderSocket, request: SocketRequest, timeout_ms: number, signal: AbortSignal | undefined) {
  return abortable<SocketResponse>(signal, (resolve, _aborted, reject) => {
    socket.send(request, timeout_ms).then(resolve, reject)
  })
}

/** Whether the stream takes a request: it changes orders. */
function isOrderWrite(method: string, target: string): boolean {
  return method !== 'GET' && /^\/v1\/(orders($|\/)|account\/cancel-after$)/.test(target)
}

function answerOf(base_url: string, { status, headers, text }: SocketResponse): PrivateAnswer<unknown> {
  const answer = parsedAnswer(text, retryAfterMs(headers))
  if (typeof answer === 'string' || (answer.error === undefined && !(status >= 200 && status < 300)))
    throw otherAnswer(base_url, `answered ${status}${typeof answer === 'string' ? answer : OTHER}`, status, headers)
  const { data, meta = {}, page, error } = answer
  if (error !== undefined) throw new TidemarkError(error, status, data ?? null)
  const replayed = headers.get('svc-idempotent-replay') === 'true'
  return { status, data, next_cursor: page?.next_cursor ?? null, meta, replayed }
}

/** Creates the error of an answer that is not this API's, such as that of a proxy, with its `Retry-After`. */
function otherAnswer(
  base_url: string,
  what: string,
  status: number,
  headers: SocketResponse['headers'],
): TidemarkError {
  const { error } = noAnswer(base_url, what)
  const retry_after_ms = retryAfterMs(headers)
  return new TidemarkError({ ...error, retryable: isPassingStatus(status), retry_after_ms }, status)
}

function noAnswer(base_url: string, what: string, cause?: unknown): TidemarkError {
  return clientError('SERVICE_UNAVAILABLE', `base_url is ${base_url}: ${what}`, true, cause)
}
