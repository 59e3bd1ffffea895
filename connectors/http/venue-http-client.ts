import { setTimeout as sleep } from 'node:timers/promises'
import { CircuitState, isBrokenCircuitError, wrap } from 'cockatiel'
import { type Dispatcher, Pool } from 'undici'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { Micros } from '../../primitives/instants.ts'
import { TokenBucket } from '../../primitives/token-bucket.ts'
import { type PayloadItem, receivedItem } from '../archives/payloads/payload-item.ts'
import { breakerPolicy, HTTP_POLICY, type HttpPolicy, retryPolicy } from './http-policy.ts'
import { bucketRule, RATE_LIMITS, type RateLimit } from './rate-limits.ts'
import { readBody } from './read-body.ts'
import { retryAfterMs } from './retry-after.ts'
import { venueBase } from './venue-base.ts'
import { type AskedOf, VenueAnswerError, VenueUnavailableError } from './venue-errors.ts'

export type VenueHttpOptions = {
  readonly venue_id: PayloadVenue
  /** `https://host/path` of one service of the venue; no request leaves this host. */
  readonly base_url: string
  /** Clock of receipts. */
  readonly now: () => Micros
  /** Default: the venue's own. */
  readonly limits?: readonly RateLimit[]
  readonly policy?: Partial<HttpPolicy>
  /** Headers that the venue requires, made for each attempt: a signature. */
  readonly sign?: RequestSigner
}

/** Makes the headers that prove who asks. @param path without its query */
export type RequestSigner = (method: 'GET', path: string) => Readonly<Record<string, string>>

/** Reads one service of a venue over HTTP. */
export type VenueHttpClient = {
  readonly venue_id: PayloadVenue
  /**
   * Requests until the venue answers, and returns the answer as an archive would keep it: its text, the request, and the
   * receipt of its last byte. Text that is not UTF-8 is quarantined.
   * @param endpoint as the venue's reader names it: `GET /book`
   * @param request  path and query below the base
   * @returns null if the venue has no such resource (404, 410)
   * @throws {ServiceError} VENUE_UNAVAILABLE, VENUE_ANSWER_REFUSED; the signal's reason
   */
  get(endpoint: string, request: string, signal?: AbortSignal): Promise<PayloadItem | null>
  /**
   * Requests a resource only if it changed since the last call: the venue is sent the known version.
   * @returns 'unchanged' if the venue confirms that version
   */
  getChanged(endpoint: string, request: string, signal?: AbortSignal): Promise<PayloadItem | null | 'unchanged'>
  /** Time of the venue's last answer; null = never. */
  readonly confirmed_at: Micros | null
  /** `open`: the venue failed too often in a row and gets no requests for a while. */
  breaker(): 'closed' | 'open'
  close(): Promise<void>
}

type Answer = {
  readonly bytes: Buffer
  readonly received_at: Micros
  readonly version: Readonly<Record<string, string>>
}

/** Creates a client. @throws {ServiceError} VALIDATION_USAGE_INVALID for an invalid base URL */
export function createVenueHttpClient(options: VenueHttpOptions): VenueHttpClient {
  const { venue_id, base_url, now, limits = RATE_LIMITS[options.venue_id] } = options
  const policy = { ...HTTP_POLICY, ...options.policy }
  const base = venueBase(base_url)
  const pool = createPool(base.origin, policy)
  const waitForToken = createPacer(limits)
  const breaker = breakerPolicy(policy)
  // The breaker is inside: each attempt counts, and while it is open no further one is made.
  const patient = wrap(retryPolicy(policy), breaker)
  const sign = options.sign ?? (() => ({}))
  /** Versions of resources read by `getChanged`, as headers of the next request for each. */
  const versions = new Map<string, Readonly<Record<string, string>>>()
  let confirmed_at: Micros | null = null
  const ask = async (request: string, known: Readonly<Record<string, string>>, signal: AbortSignal | undefined) => {
    const asked = { venue_id, path: base.pathOf(request) }
    const attempt = async () => {
      await waitForToken(request, signal)
      const headers = { ...known, ...sign('GET', asked.path.split('?')[0]!) }
      return askOnce(pool, asked, { policy, now, signal, headers })
    }
    const answer = await untilAborted(patient.execute(attempt, signal), signal).catch((error: unknown) => {
      throw isBrokenCircuitError(error) ? leftAlone(asked, policy) : error
    })
    confirmed_at = now()
    return { answer, url: `${base.origin}${asked.path}` }
  }
  return {
    venue_id,
    get confirmed_at() {
      return confirmed_at
    },
    async get(endpoint, request, signal) {
      const { answer, url } = await ask(request, {}, signal)
      // No version was sent, so "unchanged" is not an answer.
      if (answer === 'unchanged')
        throw new VenueAnswerError({ venue_id, path: request }, 'answers with 304 although no version was sent')
      return answer === null ? null : itemOf({ venue_id, endpoint, request }, url, answer)
    },
    async getChanged(endpoint, request, signal) {
      const { answer, url } = await ask(request, versions.get(request) ?? {}, signal)
      if (answer === null || answer === 'unchanged') return answer
      versions.set(request, answer.version)
      return itemOf({ venue_id, endpoint, request }, url, answer)
    },
    breaker: () => (breaker.state === CircuitState.Open ? 'open' : 'closed'),
    close: () => pool.destroy(),
  }
}

function createPool(origin: string, policy: HttpPolicy): Pool {
  return new Pool(origin, {
    connections: policy.connections_max,
    connect: { timeout: policy.connect_ms },
    headersTimeout: policy.first_byte_ms,
    bodyTimeout: policy.idle_ms,
    pipelining: 1,
  })
}

/** Waits until every limit that matches a request allows it. */
function createPacer(limits: readonly RateLimit[]) {
  const buckets = limits.map((limit) => ({ path: limit.path, bucket: new TokenBucket(bucketRule(limit)) }))
  return async (request: string, signal: AbortSignal | undefined): Promise<void> => {
    const now_ms = performance.now()
    const waits = buckets.filter(({ path }) => request.startsWith(path)).map(({ bucket }) => bucket.reserve(now_ms))
    const wait_ms = Math.max(0, ...waits)
    if (wait_ms > 0) await sleep(wait_ms, undefined, signal === undefined ? {} : { signal })
  }
}

type Attempt = {
  readonly policy: HttpPolicy
  readonly now: () => Micros
  readonly signal: AbortSignal | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Makes one attempt. Any failure on the way makes the venue unavailable, unless the caller aborted it. */
async function askOnce(pool: Pool, asked: AskedOf, attempt: Attempt): Promise<Answer | null | 'unchanged'> {
  const { policy, now, signal } = attempt
  const deadline = AbortSignal.timeout(policy.answer_ms)
  const ended = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
  try {
    const headers = { accept: 'application/json, application/xml;q=0.9', 'user-agent': 'tidemark', ...attempt.headers }
    const response = await pool.request({ method: 'GET', path: asked.path, headers, signal: ended })
    if (response.statusCode === UNCHANGED) {
      await response.body.dump()
      return 'unchanged'
    }
    if (response.statusCode !== 200) return await refusedOrNone(response, asked, now())
    const bytes = await readBody(response.body, policy.body_bytes_max)
    if (bytes === null) throw new VenueAnswerError(asked, `sends more than ${policy.body_bytes_max} bytes`)
    return { bytes, received_at: now(), version: versionOf(response.headers) }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof VenueAnswerError || error instanceof VenueUnavailableError) throw error
    const why = deadline.aborted ? `did not answer within ${policy.answer_ms} ms` : `broke off: ${reasonOf(error)}`
    throw new VenueUnavailableError(asked, why, { cause: error })
  }
}

const NOTHING_THERE = [404, 410]
const UNCHANGED = 304

/** Returns the headers that send a known version (RFC 9110, section 13). */
function versionOf({ etag, 'last-modified': modified }: Dispatcher.ResponseData['headers']) {
  return {
    ...(typeof etag === 'string' ? { 'if-none-match': etag } : {}),
    ...(typeof modified === 'string' ? { 'if-modified-since': modified } : {}),
  }
}

async function refusedOrNone(response: Dispatcher.ResponseData, asked: AskedOf, now: Micros): Promise<null> {
  const { statusCode: status, headers } = response
  await response.body.dump()
  if (NOTHING_THERE.includes(status)) return null
  const wait = headers['retry-after']
  const retry_after_ms = retryAfterMs(Array.isArray(wait) ? wait[0] : wait, now)
  if (status === 429) {
    throw new VenueUnavailableError(asked, 'asks for fewer requests (429)', { retry_after_ms, throttled: true })
  }
  if (status >= 500 || status === 408) {
    throw new VenueUnavailableError(asked, `answers with ${status}`, { retry_after_ms })
  }
  if (status >= 300 && status < 400) throw new VenueAnswerError(asked, `redirects (${status}), which is not followed`)
  throw new VenueAnswerError(asked, `answers with ${status}; allowed: 200, or 404 for a missing resource`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

function leftAlone(asked: AskedOf, { breaker_open_ms, breaker_failures }: HttpPolicy): VenueUnavailableError {
  const why = `gets no requests for ${breaker_open_ms} ms: it failed ${breaker_failures} times in a row`
  return new VenueUnavailableError(asked, why)
}

/** Ends the wait between two attempts when the caller aborts. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  work.catch(() => undefined) // it is seen below, unless the caller has gone
  signal.throwIfAborted()
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

type Asked = { readonly venue_id: PayloadVenue; readonly endpoint: string; readonly request: string }

function itemOf(asked: Asked, url: string, { bytes, received_at }: Answer): PayloadItem {
  return receivedItem({ ...asked, received_at, file: url }, bytes)
}
