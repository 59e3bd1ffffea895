import type { BackoffRule } from '../../primitives/backoff.ts'
import { checkedObject, refusedArgument } from '../given.ts'
import { waitMs } from '../http/waits.ts'
import { clientError, type TidemarkError } from '../tidemark-error.ts'

/** Limits of the retries of one call. */
export type RetryRule = {
  /** Most requests, including the first. Refusals for rate that name their wait end by themselves and count only if it is 1. */
  readonly attempts_max: number
  /** Time after which nothing is retried, from the first request on. */
  readonly within_ms: number
}

const RETRY_RULE: RetryRule = { attempts_max: 8, within_ms: 60_000 }

/**
 * Fills missing limits with their defaults.
 * @throws {TidemarkError} VALIDATION_USAGE_INVALID: a field is unknown, or a limit is no number or too small
 */
export function retryRule(given: Partial<RetryRule> = {}): RetryRule {
  for (const [field, value] of Object.entries(checkedObject(given, 'retry'))) {
    if (!Object.hasOwn(RETRY_RULE, field)) throw refused(`retry.${field} is unknown; allowed: attempts_max, within_ms`)
    const least = field === 'within_ms' ? 0 : 1
    if (typeof value !== 'number' || !(value >= least))
      throw refusedArgument(`retry.${field}`, value, `a number of at least ${least}`)
  }
  return { ...RETRY_RULE, ...given }
}

function refused(message: string): TidemarkError {
  return clientError('VALIDATION_USAGE_INVALID', message, false)
}

const BACKOFF: BackoffRule = { first_ms: 100, max_ms: 5_000 }

/** Codes that are retried under the same Idempotency-Key: transient ones, and a refused timestamp. */
const PASSING: ReadonlySet<string> = new Set(['IDEMPOTENCY_IN_PROGRESS', 'AUTH_TIMESTAMP_OUT_OF_WINDOW'])
const PASSING_STATUS: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Tests whether an answer of such a status may be another one later. */
export function isPassingStatus(status: number): boolean {
  return PASSING_STATUS.has(status)
}

/** Tests whether a request was refused for rate: nothing was carried out, and it will pass later. */
export function isRateRefusal({ code, status }: TidemarkError): boolean {
  return code === 'RATE_LIMIT_EXCEEDED' || status === 429
}

/** Tests whether a refusal for rate says when it ends; such a one is no failed attempt. */
export function isTimedRefusal(error: TidemarkError): boolean {
  return isRateRefusal(error) && typeof error.error.retry_after_ms === 'number'
}

/**
 * Returns the wait before the next attempt in milliseconds; null: no retry.
 * @param failed     number of failed attempts, including this one; without timed refusals
 * @param refusals   number of answers that are no success, with timed refusals
 * @param spent_ms   since the first one was sent
 * @param chance     in [0, 1): spreads clients that failed together
 */
export function retryWait(
  rule: RetryRule,
  error: TidemarkError,
  failed: number,
  refusals: number,
  spent_ms: number,
  chance: number,
): number | null {
  const passes = error.status === null ? error.retryable : PASSING_STATUS.has(error.status) || PASSING.has(error.code)
  if (!passes || failed >= rule.attempts_max || rule.attempts_max <= 1) return null
  const stated = error.error.retry_after_ms
  const stated_ms = typeof stated === 'number' ? spreadMs(stated, chance) : null
  const wait_ms = waitMs(BACKOFF, stated_ms, stated_ms === null ? failed : refusals, chance)
  return spent_ms + wait_ms > rule.within_ms ? null : wait_ms
}

/** Lengthens a stated wait, by a quarter or a second at most: before its end, no request would pass. */
function spreadMs(stated_ms: number, chance: number): number {
  return Math.ceil(stated_ms + chance * Math.min(stated_ms / 4, 1000))
}
