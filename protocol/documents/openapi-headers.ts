import type { JsonObject } from './schema-components.ts'

const INTEGER = { type: 'integer', minimum: 0 } as const
const TEXT = { type: 'string' } as const

export const HEADERS = {
  'SVC-Request-Id': { description: 'id of the request; also meta.request_id and error.request_id', schema: TEXT },
  'SVC-RateLimit-Limit-Class': { description: 'limit class of the endpoint', schema: TEXT },
  'SVC-RateLimit-Remaining': { description: 'whole tokens that the caller has left', schema: INTEGER },
  'SVC-RateLimit-Reset': { description: 'Unix second at which the bucket is full again', schema: INTEGER },
  'SVC-RateLimit-Cost': { description: 'tokens that the request cost', schema: INTEGER },
  'SVC-Stale-Since': {
    description: 'instant since which the service has been behind its warehouse; absent while it is current',
    schema: TEXT,
  },
  ETag: { description: 'entity tag of data, page and correction chain; meta is not covered', schema: TEXT },
  'Cache-Control': { description: 'how long the response may be cached', schema: TEXT },
  'SVC-Idempotent-Replay': {
    description: 'true: the stored response to an earlier request with the same Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'path of the created resource', schema: TEXT },
  'Retry-After': {
    description: 'seconds to wait before repeating the request',
    schema: { type: 'integer', minimum: 1 },
  },
} as const satisfies JsonObject

export type HeaderName = keyof typeof HEADERS

/** Headers of every response. */
export const OF_ALL: readonly HeaderName[] = [
  'SVC-Request-Id',
  'SVC-RateLimit-Limit-Class',
  'SVC-RateLimit-Remaining',
  'SVC-RateLimit-Reset',
  'SVC-RateLimit-Cost',
]
/** Headers of a cacheable response. */
export const OF_KEPT: readonly HeaderName[] = [...OF_ALL, 'SVC-Stale-Since', 'ETag', 'Cache-Control']

/** Returns references to headers of the document. */
export function headers(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
