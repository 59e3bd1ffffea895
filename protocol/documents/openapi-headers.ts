import type { JsonObject } from './schema-components.ts'

const INTEGER = { type: 'integer', minimum: 0 } as const
const TEXT = { type: 'string' } as const

export const HEADERS = {
  'SVC-Request-Id': { description: 'id of the request; also meta.request_id and error.request_id', schema: TEXT },
  'SVC-RateLimit-Limit-Class': { description: 'limit class of the endpoint', schema: TEXT },
  'SVC-RateLimit-Remaining': { description: 'whole tokens that the caller has left', schema: INTEGER },
  'SVC-RateLimit-Reset': { description: 'epoch second when the bucket is full again', schema: INTEGER },
  'SVC-RateLimit-Cost': { description: 'tokens that the request cost', schema: INTEGER },
  'SVC-Stale-Since': {
    description: 'since when the service is behind its warehouse; left out when it is not',
    schema: TEXT,
  },
  ETag: { description: 'entity tag of data, page and correction chain; meta is no part of it', schema: TEXT },
  'Cache-Control': { description: 'how long the answer may be kept', schema: TEXT },
  'SVC-Idempotent-Replay': {
    description: 'true: the answer to an earlier request with the same Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'path of what was made', schema: TEXT },
  'Retry-After': { description: 'seconds to wait before the same request', schema: { type: 'integer', minimum: 1 } },
} as const satisfies JsonObject

export type HeaderName = keyof typeof HEADERS

/** Of every answer. */
export const OF_ALL: readonly HeaderName[] = [
  'SVC-Request-Id',
  'SVC-RateLimit-Limit-Class',
  'SVC-RateLimit-Remaining',
  'SVC-RateLimit-Reset',
  'SVC-RateLimit-Cost',
]
/** Of an answer that may be kept. */
export const OF_KEPT: readonly HeaderName[] = [...OF_ALL, 'SVC-Stale-Since', 'ETag', 'Cache-Control']

/** References to headers of the document. */
export function headers(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
