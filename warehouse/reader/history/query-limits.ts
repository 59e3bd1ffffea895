import { ServiceError } from '../../../primitives/errors.ts'
import type { QueryProcessOptions } from './query-job.ts'

/** Limits of the reads of history in one serving process. */
export type QueryLimits = QueryProcessOptions & {
  /** Queries that run at the same time, each in a process of its own. */
  readonly processes: number
  /** Longest queue of waiting queries. */
  readonly waiting_max: number
  /** Most waiting queries of one caller. */
  readonly waiting_of_caller_max: number
  /** Longest run and longest wait of a query, in milliseconds. */
  readonly time_ms: number
  /** Data files with at most this many rows stay in the processes' memory after their first read. */
  readonly small_file_rows: number
}

export const QUERY_LIMITS: QueryLimits = {
  processes: 2,
  waiting_max: 256,
  waiting_of_caller_max: 48,
  time_ms: 5000,
  small_file_rows: 1000,
  memory_mb: 512,
  threads: 1,
}

/** Builds the error for a query that ran too long: on a busy machine any query may, so the same one may succeed later. */
export function timeLimit({ time_ms }: QueryLimits): ServiceError {
  return new ServiceError(
    'QUERY_TIMEOUT',
    `the read took longer than ${time_ms} ms; try again, with a smaller limit or range if it takes too long again`,
    { time_ms: String(time_ms) },
  )
}

/**
 * Builds the error for a query that needed too much memory: DuckDB reported it, or the process ended. The same query would need as much
 * at any time.
 */
export function memoryLimit({ memory_mb }: QueryLimits, seen: string): ServiceError {
  return new ServiceError(
    'VALIDATION_QUERY_LIMIT',
    `the read needs more than ${memory_mb} MB (${seen}); allowed: a smaller limit or range, or more filters`,
    { memory_mb: String(memory_mb) },
  )
}

/** Builds the error for a query that cannot run now. */
export function notNow(seen: string, facts: { readonly retry_after_ms?: string } = {}): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', `reads of history are not possible now: ${seen}; try again`, facts)
}

/** Builds the error for a caller that has too many waiting queries of its own. */
export function tooManyOfCaller({ waiting_of_caller_max }: QueryLimits, retry_after_ms: number): ServiceError {
  const message = `${waiting_of_caller_max} reads of history of this caller are queued, the maximum; wait ${retry_after_ms} ms`
  return new ServiceError('RATE_LIMIT_EXCEEDED', message, { retry_after_ms: String(retry_after_ms) })
}
