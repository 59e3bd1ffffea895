import { afterAll, beforeAll, expect, test } from 'vitest'
import { toMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { ENGINE } from '../../../protocol/limits.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { type Got, MARKET_ID, type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'

const database = withDatabase()
let served: ServedAccounts

/** More than one slice. */
const ORDERS = 150
const BATCH = 50
const ELSEWHERE = 'mkt_elsewhere'

beforeAll(async () => {
  const catalog = {
    market: (market_id: string) => (market_id === ELSEWHERE ? ({ market_id } as unknown as Row) : null),
  }
  served = await serveAccounts((await database()).pool, { reader: { catalog } })
}, 180_000)
afterAll(() => served.close())

const get = (url: string): Promise<Got> => served.call({ method: 'GET', url: `/v1${url}` })
const post = (url: string, body: unknown): Promise<Got> => served.call({ method: 'POST', url: `/v1${url}`, body })
const idsOf = ({ body }: Got): string[] => body.data.map(({ order_id }: { order_id: string }) => order_id)

test('GET /v1/orders?command_id= lists what a cancel-all has canceled, with who canceled it and why', async () => {
  const placed: string[] = []
  for (let n = 0; n < ORDERS / BATCH; n += 1) {
    const orders = await Promise.all(
      Array.from({ length: BATCH }, () => served.order({ limit_price: '0.05', quantity: '1' })),
    )
    placed.push(...idsOf(await post('/orders/batch', { orders })))
  }
  const asked = { account_id: 'acct_a', market_id: MARKET_ID, client_cancel_id: 'stop-7', reason: 'end of day' }
  const canceled = await post('/orders/cancel-all', asked)
  assertDescribed('cancel_all_orders', canceled)
  const { command_id, targeted_count, pending_count } = canceled.body.data
  expect([targeted_count, pending_count]).toEqual([ORDERS, ORDERS - ENGINE.slice_max])
  await expect.poll(async () => (await get('/orders?status=open')).body.data).toEqual([])
  const first = await get(`/orders?command_id=${command_id}&limit=100`)
  assertDescribed('list_orders', first)
  const rest = await get(`/orders?command_id=${command_id}&limit=100&cursor=${first.body.page.next_cursor}`)
  expect([...idsOf(first), ...idsOf(rest)].sort()).toEqual(placed.sort())
  for (const order of [...first.body.data, ...rest.body.data]) {
    const kept = { cancel_command_id: command_id, client_cancel_id: 'stop-7', cancel_reason: 'end of day' }
    expect(order).toMatchObject({ status: 'canceled', terminal_reason: 'CANCEL_ALL', ...kept })
  }
  expect((await get('/orders?command_id=cmd_absent')).body.data).toEqual([])
  const others = `/v1/orders?command_id=${command_id}`
  expect((await served.call({ method: 'GET', url: others, key: served.keys.acct_b })).body.data).toEqual([])
}, 120_000)

test('a cancel keeps client_cancel_id and reason; the id need not be unique', async () => {
  for (const reason of ['first', 'second']) {
    const placed = await post('/orders', await served.order({ limit_price: '0.05' }))
    const { order_id } = placed.body.data
    const got = await post(`/orders/${order_id}/cancel`, { client_cancel_id: 'same', reason })
    expect(got.body.data).toMatchObject({ client_cancel_id: 'same', cancel_reason: reason })
    const { data } = (await get(`/orders/${order_id}`)).body
    expect(data).toMatchObject({ client_cancel_id: 'same', cancel_reason: reason, status: 'canceled' })
  }
})

test('a market that is published, but not ours, is not tradable; one that nobody knows is not found', async () => {
  const place = async (market_id: string) => post('/orders', await served.order({ market_id }))
  const elsewhere = await place(ELSEWHERE)
  assertRefused('place_order', elsewhere, 'MARKET_NOT_TRADABLE')
  expect(elsewhere.body.data.status).toBe('rejected')
  assertRefused('place_order', await place('mkt_absent'), 'MARKET_NOT_FOUND')
})

test('received_at, acknowledged_at and meta.published_at are in the order in which they came about', async () => {
  const asked_at = wallClock()
  const { body } = await post('/orders', await served.order({ limit_price: '0.05' }))
  const { received_at, acknowledged_at, order_id } = body.data
  const stamps = [received_at, acknowledged_at, body.meta.published_at].map((text) => toMicros(text))
  expect(stamps).toEqual(stamps.toSorted((a, b) => a - b))
  expect(stamps[0]).toBeGreaterThanOrEqual(asked_at)
  // A signature is checked and a batch decided between the two.
  expect(stamps[0]).toBeLessThan(stamps[1]!)
  const read = await get(`/orders/${order_id}`)
  expect(read.body.data).toMatchObject({ received_at, acknowledged_at })
  expect(toMicros(read.body.meta.published_at)).toBeGreaterThan(stamps[1]!)
})
