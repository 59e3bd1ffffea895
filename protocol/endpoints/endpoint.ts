import type { TSchema } from 'typebox'
import type { ErrorCode } from '../../primitives/errors.ts'
import type { RateClassName } from '../limits.ts'
import type { Parameters } from './parameter.ts'

/**
 * How long an answer may be kept.
 *   immutable  never changes: a strong ETag and a year
 *   version    an ETag and five minutes: a version gets its end when it has a successor
 *   record     an ETag and an hour: the record stands, meta.correction_chain may grow
 *   current    an ETag and a short max-age; meta.max_age_ms where `max_age` says so
 *   none       not kept: clocks, health
 */
export type CacheClass = 'immutable' | 'version' | 'record' | 'current' | 'none'

/** One endpoint of /v1: routes, checks, documents and rate costs are made from it. */
export type Endpoint = {
  readonly operation_id: string
  /** Below /v1, with {parameters}. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly path_parameters: Readonly<Record<string, TSchema>>
  readonly query: Parameters
  /** Schema of `data`, or of one item of it for a collection. */
  readonly data: TSchema
  readonly envelope: 'single' | 'collection'
  readonly cache: CacheClass
  readonly limit_class: RateClassName
  readonly cost: number
  /** Codes of its own, beside those that every endpoint may answer with. */
  readonly errors: readonly ErrorCode[]
}
