import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { ErrorEnvelope } from '../envelope.ts'
import { headers, OF_ALL } from './openapi-headers.ts'
import type { Json, JsonObject, SchemaComponents } from './schema-components.ts'

/** Collects the error responses: one for each status and set of codes. */
export type Refusals = {
  /** References to the responses of these codes, by status; `statusOf` defaults to the status of the code. */
  readonly show: (codes: readonly ErrorCode[], statusOf?: (code: ErrorCode) => number) => JsonObject
  readonly all: () => JsonObject
  readonly codes: () => readonly ErrorCode[]
}

/** Creates an empty collection; a response is added when it is first referred to. */
export function createRefusals(components: SchemaComponents): Refusals {
  const named = new Map<string, { name: string; status: number; codes: readonly ErrorCode[] }>()
  const nameOf = (status: number, codes: readonly ErrorCode[]): string => {
    const others = [...named.values()].filter((one) => one.status === status).length
    const key = `${status} ${codes.join()}`
    const refusal = named.get(key) ?? { name: `Error${status}_${others + 1}`, status, codes }
    named.set(key, refusal)
    return refusal.name
  }
  return {
    show: (codes, statusOf = (code) => ERROR_CODES[code].status) => {
      const statuses = [...new Set(codes.map(statusOf))].sort((a, b) => a - b)
      const refer = (status: number): Json => {
        const own = codes.filter((code) => statusOf(code) === status)
        return { $ref: `#/components/responses/${nameOf(status, own)}` }
      }
      return Object.fromEntries(statuses.map((status) => [String(status), refer(status)]))
    },
    all: () =>
      Object.fromEntries(
        [...named.values()].map(({ name, status, codes }) => [name, errorResponse(status, codes, components)]),
      ),
    codes: () => [...new Set([...named.values()].flatMap(({ codes }) => codes))].sort(),
  }
}

function errorResponse(status: number, codes: readonly ErrorCode[], components: SchemaComponents): JsonObject {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: codes.join(', '),
    headers: headers(status === 429 || status === 503 ? [...OF_ALL, 'Retry-After'] : OF_ALL),
    content: { 'application/json': { schema: components.show(ErrorEnvelope), examples } },
  }
}

/** Returns an example response with the code. */
export function errorExample(code: ErrorCode): JsonObject {
  const { status, retryable } = ERROR_CODES[code]
  const waits = status === 429 || status === 503
  const message = `one sentence: the field, the value seen, what is allowed; /docs/errors/${code}`
  return {
    error: {
      code,
      message,
      retryable,
      request_id: '01a1fdb5-1e8c-769f-814c-c0344dff4ed2',
      ...(waits && { retry_after_ms: 1000 }),
    },
  }
}
