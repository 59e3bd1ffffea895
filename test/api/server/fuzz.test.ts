import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import type { RouteHandler, RouteHandlers } from '../../../api/server/handler.ts'
import { ERROR_CODES, type ErrorCode } from '../../../primitives/error-codes.ts'
import { ENDPOINTS, endpointOf, type OperationId } from '../../../protocol/endpoints/endpoints.ts'
import { errorsOf } from '../../../protocol/endpoints/errors-of.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader } from '../../support/fake-reader.ts'
import { assertIsError } from '../../support/match-schema.ts'

const OPERATIONS = Object.keys(ENDPOINTS) as OperationId[]
let app: FastifyInstance

beforeAll(async () => {
  const paged = OPERATIONS.filter((id) => endpointOf(id).envelope === 'collection')
  const next: RouteHandler = () => ({ data: [], next: { as_of: 5, key: ['a', 1, null] } })
  const given: Partial<RouteHandlers> = Object.fromEntries(paged.map((id) => [id, next]))
  app = await createApiServer({
    reader: fakeReader(),
    handlers: fakeHandlers(given),
    environment: 'test',
    rate_limits: 'off',
  })
})
afterAll(async () => {
  await app.close()
})

const NAMES = [...new Set(OPERATIONS.flatMap((id) => Object.keys(endpointOf(id).query)))]
const VALUES = [
  '1',
  '1000',
  '1001',
  'true',
  'raw',
  'latest_per_interval',
  'PT1M',
  'P1D',
  'YES',
  'mark',
  'out_a',
  'mkt_a',
  'valid',
]
const INSTANTS = [
  '2026-01-01T00:00:00Z',
  '2026-01-02T00:00:00Z',
  '2199-01-01T00:00:00Z',
  '1699-01-01T00:00:00Z',
  '2026-13-01T00:00:00Z',
]

const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: fc.string() })
const value = fc.oneof(fc.constantFrom(...VALUES), fc.constantFrom(...INSTANTS), fc.string({ unit: 'binary' }))
const written = fc
  .tuple(name, value, fc.boolean())
  .map(([key, text, encoded]) =>
    encoded ? `${encodeURIComponent(key)}=${encodeURIComponent(text)}` : `${key}=${text}`,
  )
const query = fc.array(written, { maxLength: 6 }).map((pairs) => pairs.join('&'))

test('no query string gets an answer that is not described: a status and code of the endpoint, an error object, never a 5xx', async () => {
  let refused = 0
  let answered = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...OPERATIONS), query, async (operation_id, text) => {
      const endpoint = endpointOf(operation_id)
      const path = endpoint.path.replace('{index_id}', 'idx_a').replace('{market_id}', 'mkt_a')
      const filled = path
        .replace('{observation_id}', endpoint.tag === 'Market data' ? 'obs_a' : 'iob_a')
        .replaceAll(/\{([a-z])[a-z]*?_id\}/g, 'evt_a')
      const sendable = text.replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)
      const answer = await app.inject({ url: `/v1${filled.replace('{version}', '1')}?${sendable}` })
      expect(answer.headers['svc-request-id']).toBeTypeOf('string')
      if (answer.statusCode === 200) {
        answered += 1
        return
      }
      refused += 1
      assertIsError(answer.json())
      const code = answer.json().error.code as ErrorCode
      expect(errorsOf(endpoint)).toContain(code)
      expect(answer.statusCode).toBe(ERROR_CODES[code].status)
      expect(answer.statusCode).toBeLessThan(500)
    }),
    { numRuns: 1500 },
  )
  expect(refused).toBeGreaterThan(100)
  expect(answered).toBeGreaterThan(30)
})
