import type { TSchema } from 'typebox'
import type { Scope } from '../signing/scopes.ts'
import type { CacheClass, Endpoint } from './endpoint.ts'

/** Methods of writes. */
export const WRITE_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
type WriteMethod = (typeof WRITE_METHODS)[number]
type PrivateMethod = 'GET' | WriteMethod

/** Endpoint of one account; every request is signed by a key that has the scope. */
export type PrivateEndpoint = Endpoint & {
  readonly method: PrivateMethod
  /** Scope that the key must have. */
  readonly scope: Scope
  /** null: the endpoint takes no body. */
  readonly body: TSchema | null
  /** Whether the header Idempotency-Key is required: true for every write. */
  readonly idempotent: boolean
  /** HTTP status of success. */
  readonly success: 200 | 201
  /** Name of a list in the body: each of its items costs `cost`; null: the request costs `cost`. */
  readonly cost_each: string | null
  /** `record`: an ETag, for the caller's private cache, revalidated on every use. */
  readonly cache: Extract<CacheClass, 'none' | 'record'>
  /** Whether meta carries the stream_cursor from which the private stream continues. */
  readonly stream_cursor: boolean
  /** Statuses that carry `data` beside `error`, and the schema of that data: the projection that the error is about. */
  readonly refused_with_data: { readonly statuses: readonly (409 | 422)[]; readonly data: TSchema } | null
}
