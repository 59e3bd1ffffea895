import type { BackoffRule } from '../../primitives/backoff.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { checkCall, checkedPath, checkQuery, jsonText } from '../given.ts'
import { sleep } from '../platform.ts'
import type { RequestKey, RequestToSend, SignedHeaders } from '../signing/sign-request.ts'
import { TidemarkError } from '../tidemark-error.ts'
import { type Answer, createPageCheck, OTHER, parsedAnswer, recordOf, recordsOf } from './answer.ts'
import { baseUrl } from './base-url.ts'
import { type Call, eitherSignal } from './call.ts'
import { createGate, type Gate } from './gate.ts'
import { pageMax } from './page-max.ts'
import { createPageSize, isTooLarge, type PageSize } from './page-size.ts'
import { type Query, queryText } from './query.ts'
import { exchange, type Transport, textOf } from './transport.ts'
import { retryAfterMs, statedMs, WAITING_MS_MAX, waitMs } from './waits.ts'

/** Reads of the public API of one service; `path` follows /v1. */
export type PublicApi = {
  /** The `data` of an answer. */
  read<T>(path: string, query?: Query, call?: Call): Promise<T>
  /** The same; null where the service has no such public record. */
  find<T>(path: string, query?: Query): Promise<T | null>
  /** A collection, page by page: of `limit` records, or else of as many as the service allows with the query. */
  pages<T>(path: string, query?: Query, call?: Call): AsyncGenerator<readonly T[]>
  /** A collection whole. */
  list<T>(path: string, query?: Query): Promise<readonly T[]>
  /** The same; null where the service may not show it. */
  listPublic<T>(path: string, query?: Query): Promise<readonly T[] | null>
}

/** The same with whole answers, which have `meta` and `page`. */
export type AnswerApi = PublicApi & {
  answer(path: string, query?: Query, call?: Call): Promise<PublicAnswer>
  /** Answers of a collection, one per page. */
  answers(path: string, query?: Query, call?: Call): AsyncGenerator<PublicAnswer>
  /** Posts a body; a rejection for rate is waited out, every other one is final. @returns the `data` of the answer */
  send<T>(path: string, body: unknown, call?: Call): Promise<T>
}

/** Called before a rejected request is repeated. */
export type OnWait = (wait_ms: number, code: string) => void

type PublicAnswer = Omit<Answer, 'error'>

/** Signs a request with a key. */
export type SignRequest = (request: RequestToSend, key: RequestKey) => SignedHeaders

export type PublicApiOptions = Transport & {
  readonly signal?: AbortSignal
  /** Bound of one attempt; default: a minute. */
  readonly timeout_ms?: number
  /** Called before each wait with its length and the code of the rejection, such as RATE_LIMIT_EXCEEDED. */
  readonly on_wait?: OnWait
  /** Signs each request, for the rate limits of a key. */
  readonly signed?: { readonly key: RequestKey; readonly sign: SignRequest }
  /** Called with the `meta` of each answer. */
  readonly on_meta?: (meta: Readonly<Record<string, unknown>>) => void
  /** Attempts of a read that nothing answers; default: one. */
  readonly unanswered_max?: number
}

const REQUEST_TIMEOUT_MS = 60_000
/** First wait if a refusal names none; doubled each time. */
const RETRY: BackoffRule = { first_ms: 250, max_ms: 4_000 }
const RETRIES_MAX = 4
/** Concurrent requests; more would only wait in the service's queue. */
const AT_ONCE = 8

/**
 * Reads of the public API at an address, each answered once.
 * @param base_url  http or https, without /v1
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID; each read: the service's own code, or SERVICE_UNAVAILABLE if the address does not
 *   answer like this API
 */
export function createPublicApi(base_url: string, signal?: AbortSignal, on_wait?: OnWait): AnswerApi {
  return openPublicApi(base_url, {
    ...(signal === undefined ? {} : { signal }),
    ...(on_wait === undefined ? {} : { on_wait }),
  })
}

/** The public API at an address, with the means of the caller. */
export function openPublicApi(base_url: string, options: PublicApiOptions): AnswerApi {
  const base = baseUrl(base_url)
  const gate = createGate(AT_ONCE)
  const inTurn = createGate(1)
  const send: Send = async (request, call) => {
    checkCall(call)
    const signal = eitherSignal(options.signal, call.signal)
    const answer = await gate(() => answerOf({ base, ...request }, options, call, inTurn), signal)
    if (answer.meta !== undefined) options.on_meta?.(answer.meta)
    return answer
  }
  const ask = async (path: string, query: Query, call: Call, body: string | null = null) => {
    const target = `/v1${checkedPath(path)}${queryText(query)}`
    return send({ target: () => target, body, page: null }, call)
  }
  const answers = (path: string, query: Query = {}, call: Call = {}) => answersOf(send, { path, query, call })
  const pagesOf = async function* <T>(path: string, query: Query = {}, call: Call = {}): AsyncGenerator<readonly T[]> {
    for await (const { data } of answers(path, query, call)) yield data as readonly T[]
  }
  const read = async <T>(path: string, query: Query = {}, call: Call = {}) => {
    const { data } = await ask(path, query, call)
    return (Array.isArray(data) ? recordsOf(data) : recordOf(data)) as T
  }
  const list = async <T>(path: string, query: Query = {}) => {
    const items: T[] = []
    for await (const page of pagesOf<T>(path, query)) items.push(...page)
    return items
  }
  return {
    answer: (path, query = {}, call = {}) => ask(path, query, call),
    answers,
    send: async <T>(path: string, body: unknown, call: Call = {}) =>
      recordOf((await ask(path, {}, call, jsonText(body))).data) as T,
    read,
    find: <T>(path: string, query?: Query) => orNull(read<T>(path, query), isAbsent),
    pages: pagesOf,
    list,
    listPublic: <T>(path: string, query?: Query) =>
      orNull(list<T>(path, query), (code) => code === 'SOURCE_NOT_PUBLIC'),
  }
}

type Send = (request: Omit<Request, 'base'>, call: Call) => Promise<Answer>

/** Returns null if the request is refused with one of the given codes. */
async function orNull<T>(answer: Promise<T>, isNull: (code: string) => boolean): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ServiceError && isNull(error.code)) return null
    throw error
  }
}

type Collection = { readonly path: string; readonly query: Query; readonly call: Call }

/** Reads a collection page by page; a page that is too large for the service now is asked for again with fewer records. */
async function* answersOf(send: Send, { path, query, call }: Collection): AsyncGenerator<Answer> {
  checkQuery(query)
  const page = createPageSize(pageMax(checkedPath(path), query))
  const nextOf = createPageCheck()
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const asked = cursor
    const target = () => `/v1${path}${queryText({ ...query, limit: page.records(), cursor: asked })}`
    const answer = await send({ target, body: null, page }, call)
    page.passed()
    cursor = nextOf({ data: answer.data, next_cursor: answer.page?.next_cursor })
    yield answer
  }
}

type Request = {
  readonly base: string
  /** Returns the target of the next attempt. */
  readonly target: () => string
  /** JSON text; null: the request reads. */
  readonly body: string | null
  /** Size of the page that the target names; null: it names none. */
  readonly page: PageSize | null
}
const SUCCESS = [200, 202]

/**
 * Retries rate limits after the wait that they name, and other transient failures a few times, all within WAITING_MS_MAX. A page that
 * is too large is halved as often as possible.
 */
async function answerOf(request: Request, options: PublicApiOptions, call: Call, inTurn: Gate): Promise<Answer> {
  const signal = eitherSignal(options.signal, call.signal)
  const send = () => attempt(request, options, { ...call, ...(signal === undefined ? {} : { signal }) })
  const begun_ms = performance.now()
  let outcome = await send()
  for (let failed = 0, limited = 0; 'error' in outcome; ) {
    const { error, stated_ms } = outcome
    const is_limited = error.code === 'RATE_LIMIT_EXCEEDED'
    const is_smaller = isTooLarge(error.code) && request.page?.halve() === true
    if (is_limited) limited += 1
    else if (!is_smaller) failed += 1
    // A write whose answer is lost may have been carried out.
    const may_repeat = is_limited || request.body === null
    const retries_max = error.status === null ? (options.unanswered_max ?? 1) - 1 : RETRIES_MAX
    if (!(is_smaller || error.retryable) || !may_repeat || failed > retries_max) throw error
    const wait_ms = waitMs(RETRY, stated_ms, is_limited ? limited : failed + 1, Math.random())
    if (performance.now() - begun_ms + wait_ms > WAITING_MS_MAX) throw error
    options.on_wait?.(wait_ms, error.code)
    const until_ms = performance.now() + wait_ms
    const again = async () => {
      await sleep(Math.max(0, until_ms - performance.now()), signal)
      return send()
    }
    outcome = await (is_limited ? inTurn(again, signal) : again())
  }
  return outcome.answer
}

type Outcome = { readonly answer: Answer } | { readonly error: TidemarkError; readonly stated_ms: number | null }

/** Sends a request once. */
async function attempt({ base, target: next, body }: Request, options: PublicApiOptions, call: Call): Promise<Outcome> {
  const target = next()
  const method = body === null ? 'GET' : 'POST'
  const { signed, timeout_ms = REQUEST_TIMEOUT_MS } = options
  // Signed anew each time: a nonce is accepted once.
  const access = signed?.sign({ method, target, ...(body === null ? {} : { body }) }, signed.key)
  const sent = {
    base_url: base,
    target,
    method,
    headers: { ...access, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    ...(body === null ? {} : { body }),
    timeout_ms: call.timeout_ms ?? timeout_ms,
    signal: call.signal,
    unanswered: (reason: string, cause: unknown) => unavailable(base, reason, null, cause),
  }
  try {
    const { status, headers, content } = await exchange(sent, options, textOf)
    const retry_after_ms = retryAfterMs(headers)
    return outcomeOf(base, status, parsedAnswer(content, retry_after_ms), retry_after_ms)
  } catch (error) {
    if (error instanceof TidemarkError) return { error, stated_ms: null }
    throw error
  }
}

function outcomeOf(base: string, status: number, answer: Answer | string, retry_after_ms: number | null): Outcome {
  if (typeof answer === 'string' || (answer.error === undefined && !SUCCESS.includes(status))) {
    const what = typeof answer === 'string' ? answer : OTHER
    const error = unavailable(base, `answered ${status}${what}`, status)
    return { error: asFinal(error, BUSY.includes(status)), stated_ms: retry_after_ms }
  }
  const { error, data = null } = answer
  if (error === undefined) return { answer }
  const { code, message } = error
  if (code === 'ROUTE_NOT_FOUND')
    return { error: asFinal(unavailable(base, `${code}: ${message}`, status), false), stated_ms: null }
  return { error: new TidemarkError(error, status, data), stated_ms: statedMs(error.retry_after_ms) }
}

/** Statuses with which something in front of the service says that it will answer later. */
const BUSY: readonly number[] = [429, 502, 503, 504]

/** Sets whether a request that was not answered by this API may be repeated. */
function asFinal(error: TidemarkError, retryable: boolean): TidemarkError {
  return new TidemarkError({ ...error.error, retryable }, error.status, null, error.cause)
}

/** Codes of records that do not exist or are not public. */
function isAbsent(code: string): boolean {
  return (code.endsWith('_NOT_FOUND') && code !== 'ROUTE_NOT_FOUND') || code === 'SOURCE_NOT_PUBLIC'
}

function unavailable(base: string, what: string, status: number | null, cause?: unknown): TidemarkError {
  const message = `base URL is ${base}: ${what}; allowed: the address of a running service`
  return new TidemarkError(
    { code: 'SERVICE_UNAVAILABLE', message, retryable: true, request_id: null },
    status,
    null,
    cause,
  )
}
