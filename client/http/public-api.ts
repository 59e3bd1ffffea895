import { setTimeout as sleep } from 'node:timers/promises'
import { type BackoffRule, backoffMs } from '../../primitives/backoff.ts'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { PAGE_SIZE } from '../../protocol/limits.ts'
import { type RequestKey, signRequest } from '../signing/sign-request.ts'
import { baseUrl } from './base-url.ts'
import { fetchFailure } from './fetch-failure.ts'
import { createPageSize, isTooLarge, type PageSize } from './page-size.ts'

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
  /** Whole answers of a collection, page by page, of at most so many records each. */
  answers(path: string, query: Query, records_max: number): AsyncGenerator<PublicAnswer>
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
  const waiting = { signal, on_wait, inTurn: createGate(1) }
  const send = (request: Omit<Request, 'base' | 'key'>) => gate(() => answerOf({ base, key, ...request }, waiting))
  const ask = (path: string, query: Query, body: string | null = null) => {
    const target = `/v1${path}${queryText(query)}`
    return send({ target: () => target, body, page: null })
  }
  const answers = (path: string, query: Query, records_max: number) => answersOf(send, { path, query, records_max })
  const pagesOf = async function* <T>(path: string, query: Query = {}): AsyncGenerator<readonly T[]> {
    for await (const { data } of answers(path, query, PAGE_SIZE.max)) yield data as readonly T[]
  }
  const read = async <T>(path: string, query: Query = {}) => (await ask(path, query)).data as T
  const list = async <T>(path: string, query: Query = {}) => {
    const items: T[] = []
    for await (const page of pagesOf<T>(path, query)) items.push(...page)
    return items
  }
  return {
    answer: (path, query = {}) => ask(path, query),
    answers,
    send: async <T>(path: string, body: unknown) => (await ask(path, {}, JSON.stringify(body))).data as T,
    read,
    find: <T>(path: string, query?: Query) => orNull(read<T>(path, query), isAbsent),
    pages: pagesOf,
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

type Collection = { readonly path: string; readonly query: Query; readonly records_max: number }

/** Reads a collection page by page; a page that is too large for the service now is asked for again with fewer records. */
async function* answersOf(
  send: (request: Omit<Request, 'base' | 'key'>) => Promise<Answer>,
  { path, query, records_max }: Collection,
): AsyncGenerator<Answer> {
  const page = createPageSize(records_max)
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const asked = cursor
    const target = () => `/v1${path}${queryText({ ...query, limit: page.records(), cursor: asked })}`
    const answer = await send({ target, body: null, page })
    page.passed()
    yield answer
    cursor = answer.page?.next_cursor ?? null
  }
}

type Request = {
  readonly base: string
  /** Returns the target of the next attempt. */
  readonly target: () => string
  readonly key: RequestKey | null
  /** JSON text; null: the request reads. */
  readonly body: string | null
  /** Size of the page that the target names; null: it names none. */
  readonly page: PageSize | null
}
const SUCCESS = [200, 202]

/**
 * Retries rate limits as often as needed, after the wait that they name, and other transient refusals a few times. A page that is too
 * large is halved as often as possible.
 */
async function answerOf(request: Request, { signal, on_wait, inTurn }: Waiting): Promise<Answer> {
  const { base, body, page } = request
  let sent = await fetchAnswer(request, signal)
  for (let failed = 0; ; ) {
    const { status, answer } = sent
    if (SUCCESS.includes(status) && answer?.data !== undefined) return answer
    if (answer?.error === undefined) throw unavailable(base, `answered ${status}, not as this API does`)
    const { code, retryable, retry_after_ms } = answer.error
    const is_smaller = isTooLarge(code) && page?.halve() === true
    if (code !== 'RATE_LIMIT_EXCEEDED' && !is_smaller) failed += 1
    // A write whose answer is lost may have been carried out.
    const may_repeat = code === 'RATE_LIMIT_EXCEEDED' || body === null
    const may_pass = is_smaller || retryable
    if (!may_pass || !may_repeat || failed > RETRIES_MAX) throw refusal(base, answer.error)
    const wait_ms = retry_after_ms ?? backoffMs(RETRY, failed + 1)
    on_wait?.(wait_ms, code)
    const until_ms = performance.now() + wait_ms
    const again = async () => {
      const left_ms = Math.max(0, until_ms - performance.now())
      await sleep(left_ms, undefined, signal === undefined ? {} : { signal })
      return fetchAnswer(request, signal)
    }
    sent = await (code === 'RATE_LIMIT_EXCEEDED' ? inTurn(again) : again())
  }
}

/** Waits that the requests of one API share. */
type Waiting = {
  readonly signal: AbortSignal | undefined
  readonly on_wait: OnWait | undefined
  /** Runs repeated requests one at a time: together they would only take each other's tokens. */
  readonly inTurn: ReturnType<typeof createGate>
}

async function fetchAnswer({ base, target: targetOf, key, body }: Request, signal: AbortSignal | undefined) {
  const method = body === null ? 'GET' : 'POST'
  const target = targetOf()
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
