import { setTimeout as sleep } from 'node:timers/promises'
import { type BackoffRule, backoffMs } from '../../primitives/backoff.ts'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { PAGE_SIZE } from '../../protocol/limits.ts'
import { type RequestKey, signRequest } from '../signing/sign-request.ts'
import { baseUrl } from './base-url.ts'
import { fetchFailure } from './fetch-failure.ts'

/** Query parameters; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Reads of the public API of one service; `path` follows /v1. */
export type PublicApi = {
  /** The `data` of an answer. */
  read<T>(path: string, query?: Query): Promise<T>
  /** The same; null where the service has no such public record. */
  find<T>(path: string, query?: Query): Promise<T | null>
  /** A collection, page by page. */
  pages<T>(path: string, query?: Query): AsyncGenerator<readonly T[]>
  /** A collection whole. */
  list<T>(path: string, query?: Query): Promise<readonly T[]>
  /** The same; null where the service may not show it. */
  listPublic<T>(path: string, query?: Query): Promise<readonly T[] | null>
}

/** The same with whole answers, which have `meta` and `page`. */
export type AnswerApi = PublicApi & {
  answer(path: string, query?: Query): Promise<PublicAnswer>
  /** Posts a body; a rejection for rate is waited out, every other one is final. @returns the `data` of the answer */
  send<T>(path: string, body: unknown): Promise<T>
}

/** Called before a rejected request is repeated. */
export type OnWait = (wait_ms: number, code: string) => void

type AnswerError = {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly retry_after_ms?: number
}
/** Answer of the service as it is sent. */
type PublicAnswer = {
  readonly data?: unknown
  readonly meta?: Readonly<Record<string, unknown>>
  readonly page?: { readonly next_cursor: string | null }
}
type Answer = PublicAnswer & { readonly error?: AnswerError }

const REQUEST_TIMEOUT_MS = 60_000
/** First wait if a refusal names none; doubled each time. */
const RETRY: BackoffRule = { first_ms: 250, max_ms: 4_000 }
const RETRIES_MAX = 4
/** Concurrent requests; more would only wait in the service's queue. */
const AT_ONCE = 8

/**
 * The public API at an address.
 * @param base_url  http or https, without /v1
 * @param on_wait   called before each wait with its length and the code of the rejection, such as RATE_LIMIT_EXCEEDED
 * @param key       signs each request, for the rate limits of a key; absent: those of an address
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; each read: the service's own code, or SERVICE_UNAVAILABLE if the address does not
 *   answer like this API
 */
export function createPublicApi(
  base_url: string,
  signal?: AbortSignal,
  on_wait?: OnWait,
  key: RequestKey | null = null,
): AnswerApi {
  const base = baseUrl(base_url)
  const gate = createGate(AT_ONCE)
  const ask = (path: string, query: Query, body: string | null = null) =>
    gate(() => answerOf({ base, target: `/v1${path}${queryText(query)}`, key, body }, signal, on_wait))
  const read = async <T>(path: string, query: Query = {}) => (await ask(path, query)).data as T
  const list = async <T>(path: string, query: Query = {}) => {
    const items: T[] = []
    for await (const page of pagesOf<T>(ask, path, query)) items.push(...page)
    return items
  }
  return {
    answer: (path, query = {}) => ask(path, query),
    send: async <T>(path: string, body: unknown) => (await ask(path, {}, JSON.stringify(body))).data as T,
    read,
    find: <T>(path: string, query?: Query) => orNull(read<T>(path, query), isAbsent),
    pages: (path, query = {}) => pagesOf(ask, path, query),
    list,
    listPublic: <T>(path: string, query?: Query) =>
      orNull(list<T>(path, query), (code) => code === 'SOURCE_NOT_PUBLIC'),
  }
}

/** Returns null if the request is refused with one of the given codes. */
async function orNull<T>(answer: Promise<T>, isNull: (code: ErrorCode) => boolean): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ServiceError && isNull(error.code)) return null
    throw error
  }
}

async function* pagesOf<T>(
  ask: (path: string, query: Query) => Promise<Answer>,
  path: string,
  query: Query,
): AsyncGenerator<readonly T[]> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const answer = await ask(path, { ...query, limit: PAGE_SIZE.max, cursor })
    yield answer.data as readonly T[]
    cursor = answer.page?.next_cursor ?? null
  }
}

type Request = {
  readonly base: string
  readonly target: string
  readonly key: RequestKey | null
  /** JSON text; null: the request reads. */
  readonly body: string | null
}
const SUCCESS = [200, 202]

/** Retries rate limits as often as needed, after the wait that they name, and other transient refusals a few times. */
async function answerOf(
  request: Request,
  signal: AbortSignal | undefined,
  on_wait: OnWait | undefined,
): Promise<Answer> {
  const { base, body } = request
  for (let failed = 0; ; ) {
    const { status, answer } = await fetchAnswer(request, signal)
    if (SUCCESS.includes(status) && answer?.data !== undefined) return answer
    if (answer?.error === undefined) throw unavailable(base, `answered ${status}, not as this API does`)
    const { code, retryable, retry_after_ms } = answer.error
    if (code !== 'RATE_LIMIT_EXCEEDED') failed += 1
    // A write whose answer is lost may have been carried out.
    const may_repeat = code === 'RATE_LIMIT_EXCEEDED' || body === null
    if (!retryable || !may_repeat || failed > RETRIES_MAX) throw refusal(base, answer.error)
    const wait_ms = retry_after_ms ?? backoffMs(RETRY, failed + 1)
    on_wait?.(wait_ms, code)
    await sleep(wait_ms, undefined, signal === undefined ? {} : { signal })
  }
}

async function fetchAnswer({ base, target, key, body }: Request, signal: AbortSignal | undefined) {
  const method = body === null ? 'GET' : 'POST'
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  try {
    const response = await fetch(`${base}${target}`, {
      method,
      // Signed anew each time: a nonce is accepted once.
      headers: {
        ...(key === null ? {} : signRequest({ method, target, ...(body === null ? {} : { body }) }, key)),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === null ? {} : { body }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    return { status: response.status, answer: parsedAnswer(await response.text()) }
  } catch (error) {
    signal?.throwIfAborted()
    throw unavailable(
      base,
      timeout.aborted ? `no answer in ${REQUEST_TIMEOUT_MS / 1000} s` : fetchFailure(error),
      error,
    )
  }
}

function parsedAnswer(text: string): Answer | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' ? (parsed as Answer | null) : null
  } catch {
    return null
  }
}

/** Codes of records that do not exist or are not public. */
function isAbsent(code: ErrorCode): boolean {
  return (code.endsWith('_NOT_FOUND') && code !== 'ROUTE_NOT_FOUND') || code === 'SOURCE_NOT_PUBLIC'
}

function refusal(base: string, { code, message }: NonNullable<Answer['error']>): ServiceError {
  return code in ERROR_CODES && code !== 'ROUTE_NOT_FOUND'
    ? new ServiceError(code as ErrorCode, message)
    : unavailable(base, `${code}: ${message}`)
}

function unavailable(base: string, what: string, cause?: unknown): ServiceError {
  const sentence = `base URL is ${base}: ${what}; allowed: the address of a running service`
  return new ServiceError('SERVICE_UNAVAILABLE', sentence, { base_url: base }, cause)
}

/** Returns the query with its question mark; empty without parameters. */
export function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value == null ? [] : [[name, String(value)] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** Runs at most `width` tasks at once; others wait in order of arrival. */
export function createGate(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // The slot passes directly to the next task.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
