import type { RetryPolicy } from '@temporalio/common'
import { ERROR_CODES, type ErrorCode } from '../primitives/errors.ts'

/** Errors that an operator can mend while the work waits: not retryable for a client, and tried again here. */
const MENDED_MEANWHILE: readonly ErrorCode[] = [
  'INTERNAL_ERROR',
  'WAREHOUSE_NOT_FOUND',
  'WAREHOUSE_STORE_UNSUITABLE',
  'WAREHOUSE_SCHEMA_CHANGED',
]

/**
 * Whether the same work fails again for ever: bad data, a wrong request, a missing index. `retryable` of the table of codes
 * speaks to a client; outages, which pass, are retryable there and here.
 */
export function isFinal(code: ErrorCode): boolean {
  return !ERROR_CODES[code].retryable && !MENDED_MEANWHILE.includes(code)
}

/** Outages are waited for. Bad data is final: its failure says so itself (activities/failure-of.ts). */
export const RETRY: RetryPolicy = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '30s',
}

/** Of work on all tables, which the next turn of its schedule does as well. */
export const UPKEEP = {
  startToCloseTimeout: '2h',
  scheduleToCloseTimeout: '6h',
  heartbeatTimeout: '2m',
  retry: RETRY,
} as const
