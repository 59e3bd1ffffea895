import type { TSchema } from 'typebox'
import type { Scope } from '../signing/scopes.ts'
import type { CacheClass, Endpoint } from './endpoint.ts'

export type PrivateMethod = 'GET' | 'POST' | 'PUT'

/** An endpoint of one account: every request is signed by a key that has the scope. */
export type PrivateEndpoint = Endpoint & {
  readonly method: PrivateMethod
  /** What the key must be allowed. */
  readonly scope: Scope
  /** null: none is taken. */
  readonly body: TSchema | null
  /** Whether the header Idempotency-Key is required: it is where something may change. */
  readonly idempotent: boolean
  /** Status of success. */
  readonly success: 200 | 201
  /** The list of the body that each item of costs `cost`; null: the request costs `cost`. */
  readonly cost_each: string | null
  /** `record`: an ETag, kept by the caller alone and asked for again each time. */
  readonly cache: Extract<CacheClass, 'none' | 'record'>
  /** Whether meta has the place where the private stream goes on. */
  readonly stream_cursor: boolean
  /** Statuses that carry `data` beside `error`, and its schema: the projection that the error is of. */
  readonly refused_with_data: { readonly statuses: readonly (409 | 422)[]; readonly data: TSchema } | null
}
