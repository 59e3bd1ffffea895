import type { BackoffRule } from '../../primitives/backoff.ts'
import { exchange, type Transport } from '../http/transport.ts'
import { retryAfterMs, WAITING_MS_MAX, waitMs } from '../http/waits.ts'
import { sleep } from '../platform.ts'
import { clientError, type TidemarkError } from '../tidemark-error.ts'

const REQUEST_TIMEOUT_MS = 60_000
/** Wait if a refusal names none; doubled each time. */
const RETRY: BackoffRule = { first_ms: 250, max_ms: 4_000 }
const RETRIES_MAX = 4
const RATE_LIMITED = 429
const UNAVAILABLE = 503

/**
 * Reads a file of a log; waits as long as the service asks where its rate limit is met.
 * @returns null: there is no such file
 * @throws {TidemarkError} SERVICE_UNAVAILABLE
 */
export async function fetchLogFile(
  url: string,
  signal?: AbortSignal,
  transport: Transport = {},
): Promise<Uint8Array | null> {
  const { origin, pathname } = new URL(url)
  const sent = {
    ...{ base_url: origin, target: pathname, method: 'GET', headers: {}, timeout_ms: REQUEST_TIMEOUT_MS, signal },
    unanswered: (reason: string, cause: unknown) => unavailable(url, `does not answer: ${reason}`, cause),
  }
  const begun_ms = performance.now()
  for (let failed = 0, refusals = 1; ; refusals += 1) {
    const { status, headers, content } = await exchange(sent, transport, (answer) => answer.arrayBuffer())
    if (status === 404) return null
    if (status >= 200 && status < 300) return new Uint8Array(content)
    if (status !== RATE_LIMITED) failed += 1
    const is_busy = status === RATE_LIMITED || status === UNAVAILABLE
    const wait_ms = waitMs(RETRY, retryAfterMs(headers), refusals, Math.random())
    const is_late = performance.now() - begun_ms + wait_ms > WAITING_MS_MAX
    if (!is_busy || failed > RETRIES_MAX || is_late)
      throw unavailable(url, `answers with ${status}; allowed: 200 or 404`)
    await sleep(wait_ms, signal)
  }
}

function unavailable(url: string, what: string, cause?: unknown): TidemarkError {
  return clientError('SERVICE_UNAVAILABLE', `${url} ${what}`, true, cause)
}
