import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiLogger } from '../../../api/server/exchange.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'

type Refused = Parameters<NonNullable<ApiLogger['refused']>>[0]

const database = withDatabase()
let served: ServedAccounts
let lines: (Refused & { readonly message: string })[] = []

beforeAll(async () => {
  const logger: ApiLogger = {
    error: (facts) => expect(facts).toBe('no error'),
    refused: (facts, message) => lines.push({ ...facts, message }),
  }
  served = await serveAccounts((await database()).pool, { logger })
}, 180_000)
afterAll(() => served.close())

const post = async (url: string, body: unknown) => {
  lines = []
  return served.call({ method: 'POST', url: `/v1${url}`, body, idempotency_key: `log-${Math.random()}` })
}

test('a refused order is logged under the request_id that its member was answered', async () => {
  const { body, status } = await post('/orders', await served.order({ limit_price: '0.505' }))
  expect(status).toBe(422)
  const { request_id, code, message } = body.error
  const facts = { request_id, code, account_id: 'acct_a', operation: 'place_order' }
  expect(lines).toEqual([{ ...facts, message: `refused: ${message}` }])
})

test('of a list, one line names the first refusal and how many there are', async () => {
  const wanted = [{ limit_price: '0.10' }, { limit_price: '0.505' }, { quantity: '0.001' }]
  const orders = await Promise.all(wanted.map((terms) => served.order(terms)))
  const { body, status } = await post('/orders/batch', { orders })
  expect(status).toBe(200)
  const { request_id, code, message } = body.data[1].error
  expect(lines).toMatchObject([{ request_id, code, message: `refused: 2 of 3 items, the first: ${message}` }])
})

test('a request that is refused before its sender is known names no account, and an accepted order is no line', async () => {
  const { body } = await post('/orders', {})
  expect(lines).toMatchObject([{ account_id: null, code: body.error.code, request_id: body.error.request_id }])
  expect((await post('/orders', await served.order({ limit_price: '0.10' }))).status).toBe(201)
  expect(lines).toEqual([])
})

test('a repeated request is logged once', async () => {
  const order = await served.order({ limit_price: '0.505' })
  const again = { method: 'POST', url: '/v1/orders', body: order, idempotency_key: 'once' } as const
  lines = []
  await served.call(again)
  await served.call(again)
  expect(lines).toHaveLength(1)
})
