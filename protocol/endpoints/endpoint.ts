import type { TSchema } from 'typebox'
import type { ErrorCode } from '../../primitives/error-codes.ts'
import type { RateClassName } from '../limits.ts'
import type { Parameters } from './parameter.ts'

/**
 * Caching of a response.
 *   immutable  never changes: a strong ETag and a year
 *   version    an ETag and five minutes: effective_to of a version changes when it gets a successor
 *   record     an ETag and an hour: the record is final, meta.correction_chain may grow
 *   current    an ETag and a short max-age; meta.max_age_ms if `max_age` is set
 *   none       not cached: clocks, health
 */
export type CacheClass = 'immutable' | 'version' | 'record' | 'current' | 'none'

/** One endpoint of /v1; routes, checks, documents and rate costs derive from it. */
export type Endpoint = {
  readonly operation_id: string
  /** Path below /v1, with {parameters}. */
  readonly path: string
  /** Other paths that answer the same. */
  readonly aliases?: readonly string[]
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly path_parameters: Readonly<Record<string, TSchema>>
  readonly query: Parameters
  /** Schema of `data`, or of one item of it for a collection. */
  readonly data: TSchema
  readonly envelope: 'single' | 'collection'
  /** A history: also offered as CSV and Parquet. Absent: JSON only. */
  readonly is_history?: true
  /** Also offered as text/plain. Absent: JSON only. */
  readonly is_plain?: true
  readonly cache: CacheClass
  readonly limit_class: RateClassName
  readonly cost: number
  /** Greatest page with `expand`, and records of it that a further token covers. Absent: `expand` bounds and costs nothing. */
  readonly expanded?: { readonly page_max: number; readonly per_token?: number }
  /** Error codes of this endpoint, in addition to those of every endpoint. */
  readonly errors: readonly ErrorCode[]
}
