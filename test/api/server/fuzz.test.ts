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
import { queryStrings, sendableTarget } from '../../support/query-strings.ts'
import { sized } from '../../support/sized.ts'

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

test('no query string gets an answer that is not described: a status and code of the endpoint, an error object, never a 5xx', async () => {
  let refused = 0
  let answered = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...OPERATIONS), queryStrings, async (operation_id, text) => {
      const endpoint = endpointOf(operation_id)
      const path = endpoint.path.replace('{index_id}', 'idx_a').replace('{market_id}', 'mkt_a')
      const filled = path
        .replace('{observation_id}', endpoint.tag === 'Market data' ? 'obs_a' : 'iob_a')
        .replaceAll(/\{([a-z])[a-z]*?_id\}/g, 'evt_a')
      const url = sendableTarget(`/v1${filled.replace('{version}', '1')}?${text}`)
      const answer = await app.inject({ url })
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
    { numRuns: sized(500, 1_500) },
  )
  expect(refused).toBeGreaterThan(100)
  expect(answered).toBeGreaterThan(30)
})
