import type { RetryPolicy } from '@temporalio/common'
import { ERROR_CODES, type ErrorCode } from '../primitives/error-codes.ts'
import { ACTIVITY_QUEUES } from './task-queues.ts'

/** Errors that an operator can fix meanwhile: not retryable for a client, but retried here. */
const MENDED_MEANWHILE: readonly ErrorCode[] = [
  'INTERNAL_ERROR',
  'WAREHOUSE_NOT_FOUND',
  'WAREHOUSE_STORE_UNSUITABLE',
  'WAREHOUSE_SCHEMA_CHANGED',
]

/**
 * Returns true if a retry would always fail: bad data, a wrong request, a missing index. `retryable` in the table of codes is
 * meant for clients; outages are retryable there and here.
 */
export function isFinal(code: ErrorCode): boolean {
  return !ERROR_CODES[code].retryable && !MENDED_MEANWHILE.includes(code)
}

/** Retries outages without limit. Failures for bad data are marked as final (activities/failure-of.ts). */
export const RETRY: RetryPolicy = {
  initialInterval: '1s',
  backoffCoefficient: 2,
  maximumInterval: '30s',
}

/** Options of work on all tables, which the next turn of its schedule repeats. */
export const UPKEEP = {
  taskQueue: ACTIVITY_QUEUES.compute,
  startToCloseTimeout: '2h',
  scheduleToCloseTimeout: '6h',
  heartbeatTimeout: '2m',
  retry: RETRY,
} as const
