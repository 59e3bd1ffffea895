import { afterEach, expect, test, vi } from 'vitest'
import { createTradingClient, type TradingClient } from '../../../client/trading/trading-client.ts'
import type { PrivateEndpoint } from '../../../protocol/endpoints/private-endpoint.ts'
import { PRIVATE_ENDPOINTS } from '../../../protocol/endpoints/trading-endpoints.ts'
import { echoAnswer } from '../../support/echo-answer.ts'

afterEach(() => vi.unstubAllGlobals())

const BASE = 'http://service.example'
const ORDER = {
  market_id: 'mkt_a',
  outcome_id: 'out_a',
  side: 'BUY',
  limit_price: '0.50',
  quantity: '1',
  maximum_fee: '1',
  maximum_notional: '1',
} as const
const KEY = { key_id: `key_${'b'.repeat(16)}`, label: 'l', scopes: ['account:read'] } as const
const LIMITS = { fill_count_max: 5, window_ms: 1000, frozen_ms: 1000 } as never
const WEBHOOK = { url: 'https://example.com', topics: [] } as never

/** A call of each private operation; an operation without one does not compile. */
const CALLS: Readonly<Record<keyof typeof PRIVATE_ENDPOINTS, (client: TradingClient) => unknown>> = {
  place_order: (client) => client.placeOrder(ORDER),
  place_orders: (client) => client.placeOrders([ORDER]),
  mass_quote: (client) => client.massQuote({ market_id: 'mkt_a', quote_set_id: 'q', orders: [] }),
  preview_order: (client) => client.preview(ORDER),
  list_orders: (client) => client.orders(),
  get_order: (client) => client.order('ord_a'),
  get_order_by_client_id: (client) => client.orderByClientId('c1'),
  get_queue_position: (client) => client.queuePosition('ord_a'),
  cancel_order: (client) => client.cancelOrder('ord_a'),
  cancel_order_by_client_id: (client) => client.cancelByClientId('c1'),
  cancel_orders: (client) => client.cancelOrders([{ order_id: 'ord_a' }]),
  amend_order: (client) => client.amendOrder('ord_a', 1, ORDER),
  amend_orders: (client) => client.amendOrders([{ order_id: 'ord_a', expected_order_version: 1, terms: ORDER }]),
  cancel_all_orders: (client) => client.cancelAll({ scope: 'all_open_orders' }),
  set_cancel_after: (client) => client.cancelAfter(1000),
  set_market_maker_protection: (client) => client.protect('mkt_a', LIMITS),
  list_market_maker_protections: (client) => client.protections(),
  get_market_maker_protection: (client) => client.protection('mkt_a'),
  reset_market_maker_protection: (client) => client.resetProtection('mkt_a'),
  remove_market_maker_protection: (client) => client.removeProtection('mkt_a'),
  list_fills: (client) => client.fills(),
  get_fill: (client) => client.fill('fil_a'),
  list_adjustments: (client) => client.adjustments(),
  list_positions: (client) => client.positions(),
  get_market_positions: (client) => client.marketPositions('mkt_a', { as_of: '2026-01-01T00:00:00Z' }),
  list_balances: (client) => client.balances(),
  get_account_policy: (client) => client.policy(),
  get_redemption_preview: (client) => client.redemptionPreview('mkt_a'),
  list_settlements: (client) => client.settlements(),
  get_settlement: (client) => client.settlement('stl_a'),
  list_statement: (client) => client.statement(),
  get_account_summary: (client) => client.summary(),
  list_equity_history: (client) => client.equityHistory({ start_time: 'a', end_time: 'b', interval: 'PT1H' }),
  list_fee_schedules: (client) => client.feeSchedules(),
  request_transfer: (client) => client.requestTransfer({ direction: 'deposit', amount: '1' }),
  cancel_transfer: (client) => client.cancelTransfer('trf_a'),
  list_transfers: (client) => client.transfers(),
  get_transfer: (client) => client.transfer('trf_a'),
  create_api_key: (client) => client.keys.create(KEY),
  list_api_keys: (client) => client.keys.list(),
  rotate_api_key: (client) => client.keys.rotate(OWN_KEY, { overlap_seconds: 0 }),
  revoke_api_key: (client) => client.keys.revoke(OWN_KEY, 'r'),
  list_signers: (client) => client.keys.signers(),
  list_api_key_audit: (client) => client.keys.auditLog(OWN_KEY),
  create_webhook: (client) => client.webhooks.create(WEBHOOK),
  list_webhooks: (client) => client.webhooks.list(),
  get_webhook: (client) => client.webhooks.get('whk_a'),
  update_webhook: (client) => client.webhooks.update('whk_a', {}),
  rotate_webhook_secret: (client) => client.webhooks.rotateSecret('whk_a', 0),
  test_webhook: (client) => client.webhooks.test('whk_a'),
  replay_webhook: (client) => client.webhooks.replay('whk_a', {} as never),
  list_webhook_deliveries: (client) => client.webhooks.deliveries('whk_a'),
  list_webhook_events: (client) => client.webhooks.events(),
  delete_webhook: (client) => client.webhooks.delete('whk_a'),
}
const OWN_KEY = `key_${'a'.repeat(16)}`

test.each(
  Object.values<PrivateEndpoint>(PRIVATE_ENDPOINTS).map((endpoint) => [endpoint.operation_id, endpoint] as const),
)('%s has a method that asks its path', async (operation_id, { method, path, envelope }) => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string, { method: used = 'GET', body }: { method?: string; body?: string }) => {
    asked.push(`${used} ${new URL(url).pathname}`)
    return echoAnswer(url, body, envelope !== 'single')
  })
  const client = createTradingClient({
    ...{ base_url: BASE, account_id: 'acct_a', environment: 'test', key_id: OWN_KEY },
    ...{ secret: '1'.repeat(64), signer_private_key: `0x${'01'.repeat(32)}` },
  })
  const answer = await CALLS[operation_id as keyof typeof CALLS](client)
  if (isList(answer)) for await (const _ of answer);
  const pattern = new RegExp(`^${method} /v1${path.replace(/\{\w+\}/g, '[^/]+')}$`)
  expect(asked.at(-1)).toMatch(pattern)
})

test('each private operation is a method of its own name: list_orders is listOrders', () => {
  const client = createTradingClient({
    ...{ base_url: BASE, account_id: 'acct_a', environment: 'test', key_id: OWN_KEY, secret: '1'.repeat(64) },
  })
  const names = Object.keys(PRIVATE_ENDPOINTS).map((id) =>
    id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  )
  const methods = client as unknown as Readonly<Record<string, unknown>>
  expect(names.filter((name) => typeof methods[name] !== 'function')).toEqual([])
  expect(client.listOrders).toBe(client.orders)
  expect(client.createWebhook).toBe(client.webhooks.create)
})

/** Gives each method one more argument, after `skipped` that are left out. */
function withArgument<T extends object>(client: T, argument: unknown, skipped: number): T {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === 'object' && value !== null) return withArgument(value, argument, skipped)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => value(...given, ...new Array(skipped).fill(undefined), argument)
    },
  })
}

/** Awaits an answer, all of a list. @returns the message of its error; null: none */
async function messageOf(work: () => unknown): Promise<string | null> {
  try {
    const answer = await work()
    if (isList(answer)) for await (const _ of answer);
    return null
  } catch (error) {
    return (error as Error).message
  }
}

test.each(Object.entries(CALLS))(
  '%s refuses a misspelled option before it sends anything',
  async (operation_id, call) => {
    const { envelope } = PRIVATE_ENDPOINTS[operation_id as keyof typeof CALLS]
    const refusals: (string | null)[] = []
    let sent = 0
    vi.stubGlobal('fetch', async (url: string, { body }: { body?: string }) => {
      sent += 1
      return echoAnswer(url, body, envelope !== 'single')
    })
    const client = createTradingClient({
      ...{ base_url: BASE, account_id: 'acct_a', environment: 'test', key_id: OWN_KEY },
      ...{ secret: '1'.repeat(64), signer_private_key: `0x${'01'.repeat(32)}` },
    })
    // Some methods have one optional argument before the options.
    for (const skipped of [0, 1]) {
      const before = sent
      const message = await messageOf(() => call(withArgument(client, { timeoutMs: 5 }, skipped)))
      if (message?.includes('timeoutMs is unknown (did you mean timeout_ms?)')) refusals.push(message)
      if (message !== null) expect(sent).toBe(before)
    }
    expect(refusals).toHaveLength(1)
  },
)

function isList(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}
