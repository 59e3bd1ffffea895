import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import { baseUrl } from '../http/base-url.ts'
import { fetchFailure } from '../http/fetch-failure.ts'
import { createGate } from '../http/gate.ts'
import { type Query, queryText } from '../http/query.ts'
import { type RequestKey, type SignedHeaders, signRequest } from '../signing/sign-request.ts'

type Meta = {
  readonly request_id: string
  readonly published_at: string
  readonly as_of?: string
  readonly max_age_ms?: number
  readonly stale?: boolean
  readonly correction_chain?: readonly string[]
}
type Page = { readonly next_cursor: string | null; readonly has_more: boolean }

/** Answer of the service with the request that got it; `data` is null if the request was refused. */
export type Answer<T = unknown> = {
  readonly request: string
  readonly status: number
  readonly data: T
  readonly meta: Meta
  readonly page: Page | null
  /** Code of the refusal; null: status 200. */
  readonly code: string | null
}

/** A list read from its first page to its last, or to `complete: false`. */
export type Listed<T> = Answer<readonly T[]> & { readonly complete: boolean }

export type Asker = {
  /** Asks once; the answer to a question with as_of is kept for the run. `path` follows /v1. */
  get<T>(path: string, query?: Query): Promise<Answer<T>>
  /** The same without keeping the answer. */
  again<T>(path: string, query?: Query): Promise<Answer<T>>
  /** Reads a list page by page, at most `pages_max` pages. */
  list<T>(path: string, query?: Query, pages_max?: number): Promise<Listed<T>>
  /** Reads an address of the deployment that is not below /v1. */
  site(path: string): Promise<{ readonly status: number; readonly text: string }>
}

/** Shared transport of a run. */
export type Transport = {
  /**
   * Creates the reads of one check.
   * @param onRequest called for each request that is sent
   * @param allow called before a question; it throws to end the check
   */
  asker(onRequest: () => void, allow?: () => void): Asker
  setRate(rate: number): void
}

const REQUEST_TIMEOUT_MS = 20_000
const RETRIES_MAX = 6
const AT_ONCE = 6
const PAGE_LIMIT = 1000
/** Tokens left to other callers of the same address. */
const RESERVE = 12

/**
 * Creates the transport of a run, signed if a key is given, which has a higher limit: few requests at once, and a pause wherever the limit headers say that little capacity remains.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID; each request: RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE: not an answer of this API
 */
export function createTransport(base_url: string, key: RequestKey | null, signal?: AbortSignal): Transport {
  const base = baseUrl(base_url)
  const gate = createGate(AT_ONCE)
  const capacity = newCapacity()
  // A page is charged to the address even if the request is signed.
  const of_address = key === null ? capacity : newCapacity()
  const kept = new Map<string, Promise<Answer>>()
  const options = signal === undefined ? {} : { signal }
  const wait = (ms: number) => sleep(ms, undefined, options)
  const fetchText = async (target: string, onRequest: () => void) => {
    const spent = target.startsWith('/v1/') ? capacity : of_address
    await awaitCapacity(spent, wait)
    onRequest()
    const headers = key === null ? {} : signRequest({ method: 'GET', target, body: '', timestamp_ms: Date.now() }, key)
    const response = await fetched(base, target, headers, signal)
    noteCapacity(spent, response.headers)
    return response
  }
  /** Asks again where the service has no capacity now; the refusal itself is no answer to compare. */
  const patiently = async (target: string, onRequest: () => void, allow: () => void) => {
    for (let failed = 0; ; failed += 1) {
      allow()
      const response = await gate(() => fetchText(target, onRequest))
      if (response.status !== 429 && (response.status !== 503 || failed >= RETRIES_MAX)) return response
      if (failed >= RETRIES_MAX) throw refused(target)
      await wait(1000 * Number(response.headers.get('retry-after') ?? 1))
    }
  }
  const ask = async (target: string, onRequest: () => void, allow: () => void): Promise<Answer> => {
    const { status, text } = await patiently(target, onRequest, allow)
    return answerOf(base, target, status, text)
  }
  return {
    setRate: (rate) => {
      capacity.rate = rate
    },
    asker: (onRequest, allow = () => undefined) =>
      askerOf(
        kept,
        (target) => ask(target, onRequest, allow),
        (path) => patiently(path, onRequest, allow),
      ),
  }
}

type Capacity = { tokens: number; at_ms: number; rate: number }

/** Unknown until the first answer; the rate is that of a caller without a key. */
function newCapacity(): Capacity {
  return { tokens: Number.POSITIVE_INFINITY, at_ms: Date.now(), rate: 20 }
}

async function awaitCapacity(capacity: Capacity, wait: (ms: number) => Promise<void>): Promise<void> {
  const refill = () => {
    const now = Date.now()
    capacity.tokens += ((now - capacity.at_ms) / 1000) * capacity.rate
    capacity.at_ms = now
    return capacity.tokens
  }
  while (refill() < RESERVE) await wait(Math.ceil(((RESERVE - capacity.tokens) / capacity.rate) * 1000))
}

function noteCapacity(capacity: Capacity, headers: Headers): void {
  const remaining = headers.get('svc-ratelimit-remaining')
  if (remaining === null) return
  capacity.tokens = Number(remaining)
  capacity.at_ms = Date.now()
}

function askerOf(
  kept: Map<string, Promise<Answer>>,
  ask: (target: string) => Promise<Answer>,
  site: (path: string) => Promise<{ status: number; text: string }>,
): Asker {
  const again = <T>(path: string, query: Query = {}) => ask(`/v1${path}${queryText(query)}`) as Promise<Answer<T>>
  const get = <T>(path: string, query: Query = {}): Promise<Answer<T>> => {
    if (query.as_of == null) return again(path, query)
    const target = `/v1${path}${queryText(query)}`
    const known = kept.get(target)
    if (known !== undefined) return known as Promise<Answer<T>>
    const asked = ask(target)
    kept.set(target, asked)
    asked.catch(() => kept.delete(target))
    return asked as Promise<Answer<T>>
  }
  return {
    get,
    again,
    site,
    async list<T>(path: string, query: Query = {}, pages_max = 1): Promise<Listed<T>> {
      const first = await get<readonly T[]>(path, { limit: PAGE_LIMIT, ...query })
      const items = [...(first.data ?? [])]
      let cursor = first.page?.next_cursor ?? null
      for (let page = 1; cursor !== null && page < pages_max; page += 1) {
        const next = await get<readonly T[]>(path, { limit: PAGE_LIMIT, ...query, cursor })
        items.push(...(next.data ?? []))
        cursor = next.page?.next_cursor ?? null
      }
      return { ...first, data: items, complete: cursor === null }
    },
  }
}

async function fetched(base: string, target: string, headers: SignedHeaders | object, signal: AbortSignal | undefined) {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  try {
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    const response = await fetch(`${base}${target}`, { headers: { ...headers }, signal: either, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    signal?.throwIfAborted()
    throw unavailable(base, timeout.aborted ? `no answer in ${REQUEST_TIMEOUT_MS / 1000} s` : fetchFailure(error))
  }
}

function answerOf(base: string, target: string, status: number, text: string): Answer {
  const body = parsed(text)
  if (body === null) throw unavailable(base, `GET ${target} answered ${status}, not as this API does`)
  const { data = null, meta = {}, page = null, error = null } = body
  return { request: `GET ${target}`, status, data, meta: meta as Meta, page, code: error?.code ?? null }
}

type Body = { data?: unknown; meta?: object; page?: Page; error?: { code: string } }

function parsed(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && ('data' in value || 'error' in value) ? (value as Body) : null
  } catch {
    return null
  }
}

function refused(target: string): ServiceError {
  const message = `GET ${target} was refused ${RETRIES_MAX + 1} times with 429, each time after the stated wait`
  return new ServiceError('RATE_LIMIT_EXCEEDED', message, { target })
}

function unavailable(base: string, what: string): ServiceError {
  const sentence = `base URL is ${base}: ${what}; allowed: the address of a running service`
  return new ServiceError('SERVICE_UNAVAILABLE', sentence, { base_url: base })
}
