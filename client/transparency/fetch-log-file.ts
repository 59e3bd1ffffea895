import { setTimeout as sleep } from 'node:timers/promises'
import { type BackoffRule, backoffMs } from '../../primitives/backoff.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { fetchFailure } from '../http/fetch-failure.ts'

const REQUEST_TIMEOUT_MS = 60_000
/** Wait if a refusal names none; doubled each time. */
const RETRY: BackoffRule = { first_ms: 250, max_ms: 4_000 }
const RETRIES_MAX = 4
const RATE_LIMITED = 429
const UNAVAILABLE = 503

/**
 * Reads a file of a log; waits as long as the service asks where its rate limit is met.
 * @returns null: there is no such file
 * @throws {ServiceError} SERVICE_UNAVAILABLE
 */
export async function fetchLogFile(url: string, signal?: AbortSignal): Promise<Buffer | null> {
  for (let failed = 0; ; ) {
    const response = await fetchOnce(url, signal)
    if (response.status === 404) return null
    if (response.ok) return Buffer.from(await response.arrayBuffer())
    if (response.status !== RATE_LIMITED) failed += 1
    const is_busy = response.status === RATE_LIMITED || response.status === UNAVAILABLE
    if (!is_busy || failed > RETRIES_MAX) {
      throw unavailable(url, `answers with ${response.status}; allowed: 200 or 404`)
    }
    await sleep(waitMs(response, failed), undefined, signal === undefined ? {} : { signal })
  }
}

function waitMs(response: Response, failed: number): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : backoffMs(RETRY, failed + 1)
}

async function fetchOnce(url: string, signal?: AbortSignal): Promise<Response> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  try {
    return await fetch(url, { signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) })
  } catch (error) {
    signal?.throwIfAborted()
    throw unavailable(url, `does not answer: ${fetchFailure(error)}`, error)
  }
}

function unavailable(url: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', `${url} ${what}`, { url }, cause)
}
