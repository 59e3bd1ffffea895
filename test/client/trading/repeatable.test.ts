import { describe, expect, test } from 'vitest'
import type { OrderTerms } from '../../../client/trading/order-terms.ts'
import { createTradingClient, type TradingClient } from '../../../client/trading/trading-client.ts'
import { echoAnswer } from '../../support/echo-answer.ts'

const CREDENTIALS = {
  ...{ account_id: 'acct_a', key_id: 'key_0123456789abcdef', secret: '5e'.repeat(32), environment: 'sandbox' },
  signer_private_key: `0x${'1'.repeat(64)}`,
}
const TERMS: OrderTerms = {
  ...{ market_id: 'mkt_a', outcome_id: 'out_a', limit_price: '0.5', quantity: '1', maximum_fee: '1' },
  side: 'BUY',
}
const REORDERED = Object.fromEntries(Object.entries(TERMS).reverse()) as OrderTerms
const KEY = { idempotency_key: 'order-1' }

type Sent = {
  readonly [field: string]: unknown
  readonly client_order_id: string
  readonly order_nonce: string
  readonly orders: readonly Sent[]
}

/** Bodies of the requests of a new client, such as after a restart. */
async function bodiesOf(...calls: readonly ((client: TradingClient) => Promise<unknown>)[]): Promise<readonly Sent[]> {
  const bodies: Sent[] = []
  const fetch = async (url: string, { body }: { readonly body?: string }) => {
    bodies.push(JSON.parse(body!))
    return echoAnswer(url, body)
  }
  for (const call of calls)
    await call(createTradingClient({ ...CREDENTIALS, base_url: 'http://service.example', fetch }))
  return bodies
}

describe('the same Idempotency-Key and terms are the same request, also of another client', () => {
  test.each([
    ['an order', (terms: OrderTerms) => (client: TradingClient) => client.placeOrder(terms, KEY)],
    ['a list', (terms: OrderTerms) => (client: TradingClient) => client.placeOrders([terms, TERMS], KEY)],
    [
      'a ladder',
      (terms: OrderTerms) => (client: TradingClient) =>
        client.massQuote({ market_id: 'mkt_a', quote_set_id: 'q', orders: [terms] }, KEY),
    ],
    ['an amendment', (terms: OrderTerms) => (client: TradingClient) => client.amendOrder('ord_a', 1, terms, KEY)],
    [
      'a list of amendments',
      (terms: OrderTerms) => (client: TradingClient) =>
        client.amendOrders([{ order_id: 'ord_a', expected_order_version: 1, terms }], KEY),
    ],
  ])('%s', async (_, call) => {
    const [first, again, other] = await bodiesOf(call(TERMS), call(REORDERED), call({ ...TERMS, quantity: '2' }))
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
  })

  test('a key, with the time of the consent', async () => {
    const terms = { key_id: `key_${'b'.repeat(16)}`, label: 'l', scopes: ['account:read'] }
    const call = (client: TradingClient) => client.keys.create(terms, { ...KEY, issued_at: 1_768_651_200 })
    const [first, again] = await bodiesOf(call, call)
    expect(again).toEqual(first)
  })
})

test('orders that differ in key, ordinal or purpose differ in nonce and client_order_id', async () => {
  const bodies = await bodiesOf(
    (client) => client.placeOrder(TERMS),
    (client) => client.placeOrder(TERMS),
    (client) => client.placeOrder(TERMS, KEY),
    (client) => client.placeOrder(TERMS, { idempotency_key: 'order-2' }),
    (client) => client.amendOrder('ord_a', 1, TERMS, KEY),
    (client) => client.amendOrder('ord_b', 1, TERMS, KEY),
    (client) => client.placeOrders([TERMS, TERMS], KEY),
  )
  const orders = bodies.flatMap((body) => body.orders ?? [body])
  expect(orders).toHaveLength(8)
  expect(new Set(orders.map(({ order_nonce }) => order_nonce)).size).toBe(8)
  expect(new Set(orders.map(({ client_order_id }) => client_order_id)).size).toBe(8)
  for (const { client_order_id, order_nonce } of orders) {
    expect(client_order_id).toMatch(/^[0-9a-f]{24}$/)
    expect(order_nonce).toMatch(/^\d{20,39}$/)
  }
})

test('an id and a nonce of the caller are sent, and undefined ones are made', async () => {
  const named = { client_order_id: 'mine', order_nonce: '7' }
  const unnamed = { client_order_id: undefined, time_in_force: undefined } as unknown as OrderTerms
  const [first, second] = await bodiesOf(
    (client) => client.placeOrder({ ...TERMS, ...named }, KEY),
    (client) => client.placeOrder({ ...TERMS, ...unnamed }, KEY),
  )
  expect(first).toMatchObject(named)
  expect(second).toMatchObject({ client_order_id: expect.stringMatching(/^[0-9a-f]{24}$/), time_in_force: 'GTC' })
})

test('a signer may be an account, such as that of a wallet', async () => {
  const account = { address: `0x${'AB'.repeat(20)}`, signTypedData: async () => '0x12' }
  const bodies: Sent[] = []
  const fetch = async (url: string, { body }: { readonly body?: string }) => {
    bodies.push(JSON.parse(body!))
    return echoAnswer(url, body)
  }
  const { signer_private_key: _, ...credentials } = CREDENTIALS
  const options = { ...credentials, base_url: 'http://service.example', fetch, signer: account }
  await createTradingClient(options).placeOrder(TERMS)
  expect(bodies[0]).toMatchObject({ signer: `0x${'ab'.repeat(20)}`, signature_type: 'eoa', order_signature: '0x12' })
})
