import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signRequest } from '../../../client/signing/sign-request.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  type AccountName,
  type Got,
  MARKET_ID,
  OUTCOME_ID,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'

const database = withDatabase()
let served: ServedAccounts
/** Answers recorded between the acts; each must be returned again as of its moment. */
const moments: { readonly at: string; readonly balances: unknown; readonly positions: unknown }[] = []
let before_all: string
/** Instant at which the clock of the API stands; null: it runs. */
let stopped: number | null = null

const get = async (operation_id: PrivateOperationId, url: string, account: AccountName = 'acct_a'): Promise<Got> => {
  const got = await served.call({ method: 'GET', url: `/v1${url}`, key: served.keys[account] })
  assertDescribed(operation_id, got)
  return got
}
const place = async (account: AccountName, wanted: Parameters<ServedAccounts['order']>[0]): Promise<Got> => {
  const body = await served.order(wanted, account)
  const got = await served.call({ method: 'POST', url: '/v1/orders', body, key: served.keys[account] })
  expect(got.status, got.text).toBe(201)
  return got
}
const stable = (rows: readonly Record<string, unknown>[]) => rows.map(({ as_of: _, ...row }) => row)
const remember = async (): Promise<void> => {
  const balances = await get('list_balances', '/balances')
  const positions = await get('list_positions', '/positions')
  const at = formatMicros(wallClock())
  moments.push({ at, balances: stable(balances.body.data), positions: stable(positions.body.data) })
  await new Promise((resolve) => setTimeout(resolve, 10))
}

beforeAll(async () => {
  before_all = new Date(Date.now() - 60_000).toISOString()
  served = await serveAccounts((await database()).pool, { now: () => stopped ?? wallClock() })
  await remember()
  await place('acct_b', { side: 'SELL', limit_price: '0.40', quantity: '10' })
  await place('acct_b', { side: 'SELL', limit_price: '0.45', quantity: '5' })
  await place('acct_a', { limit_price: '0.50', quantity: '15' })
  await remember()
  await served.act({ kind: 'set_mark', market_id: MARKET_ID, outcome_id: OUTCOME_ID, mark: '0.60' })
  await remember()
  const { rows } = await served.pool.query<{ settlement_id: string }>(
    'SELECT settlement_id FROM trading.settlement WHERE account_id = $1',
    ['acct_a'],
  )
  const ids = rows.map(({ settlement_id }) => settlement_id)
  await served.act(submitting(ids))
  await remember()
  await served.act(concluding(ids))
  await remember()
  await place('acct_a', { side: 'SELL', limit_price: '0.55', quantity: '5' })
  await place('acct_b', { limit_price: '0.55', quantity: '2' })
  await remember()
}, 180_000)
afterAll(() => served.close())

describe('as_of', () => {
  test('at every moment what was answered then is answered again, from the ledger', async () => {
    // What the rail is told changes no position; everything else here does.
    expect(new Set(moments.map(({ positions }) => JSON.stringify(positions))).size).toBe(moments.length - 1)
    for (const { at, balances, positions } of moments) {
      const then = await get('list_balances', `/balances?as_of=${at}`)
      expect(stable(then.body.data)).toEqual(balances)
      expect([then.body.meta.as_of, then.body.data[0]?.as_of]).toEqual([
        expect.stringContaining(at.slice(0, 19)),
        expect.stringContaining(at.slice(0, 19)),
      ])
      const held = await get('list_positions', `/positions?as_of=${at}`)
      expect(stable(held.body.data)).toEqual(positions)
      expect(stable((await get('get_market_positions', `/positions/${MARKET_ID}?as_of=${at}`)).body.data)).toEqual(
        positions,
      )
    }
  })

  test('before the account was there: nothing', async () => {
    expect((await get('list_balances', `/balances?as_of=${before_all}`)).body.data).toEqual([])
    expect((await get('list_positions', `/positions?as_of=${before_all}`)).body.data).toEqual([])
  })

  test('in the future: refused, and no batch is made', async () => {
    const head = async () => (await served.pool.query('SELECT count(*) AS n FROM trading.engine_batch')).rows[0].n
    const before = await head()
    const future = new Date(Date.now() + 60_000).toISOString()
    assertRefused(
      'list_balances',
      await served.call({ method: 'GET', url: `/v1/balances?as_of=${future}` }),
      'VALIDATION_AS_OF_IN_FUTURE',
    )
    expect(await head()).toBe(before)
  })

  test('after the last batch: one is stamped there, and the answer stands from then on', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    const at = formatMicros(wallClock()) // not the system's clock, which may be up to 2 ms ahead of the service's
    const first = await get('list_balances', `/balances?as_of=${at}`)
    const { rows } = await served.pool.query('SELECT max(at) >= $1::timestamptz AS stamped FROM trading.engine_batch', [
      at,
    ])
    expect(rows[0].stamped).toBe(true)
    await place('acct_a', { limit_price: '0.10', quantity: '3' })
    const second = await get('list_balances', `/balances?as_of=${at}`)
    expect(second.body.data).toEqual(first.body.data)
    expect((await get('list_balances', '/balances')).body.data[0].reserved).not.toBe(first.body.data[0].reserved)
  })
})

describe('fills', () => {
  test('every filter says what it says; after and before are half-open', async () => {
    const all = (await get('list_fills', '/fills')).body.data as readonly Record<string, string>[]
    expect(all.length).toBe(3)
    const [newest, , oldest] = all
    expect(newest!.engine_sequence! > oldest!.engine_sequence!).toBe(true)
    const ids = async (query: string) =>
      ((await get('list_fills', `/fills?${query}`)).body.data as readonly { fill_id: string }[]).map(
        ({ fill_id }) => fill_id,
      )
    const having = (name: string, value: unknown) =>
      all.filter((fill) => fill[name] === value).map(({ fill_id }) => fill_id)
    expect(await ids('side=SELL')).toEqual(having('side', 'SELL'))
    expect(await ids('liquidity_role=maker')).toEqual(having('liquidity_role', 'maker'))
    expect(await ids('settlement_state=confirmed')).toEqual(having('settlement_state', 'confirmed'))
    expect(await ids(`order_id=${oldest!.order_id}`)).toEqual(having('order_id', oldest!.order_id))
    expect(await ids(`market_id=${MARKET_ID}&outcome_id=${OUTCOME_ID}`)).toHaveLength(3)
    expect(await ids('outcome_id=out_http_no')).toEqual([])
    expect(await ids(`engine_sequence_after=${oldest!.engine_sequence}`)).not.toContain(oldest!.fill_id)
    expect(await ids(`matched_after=${newest!.matched_at}`)).toEqual([newest!.fill_id])
    expect(await ids(`matched_before=${newest!.matched_at}`)).not.toContain(newest!.fill_id)
  })

  test('one fill has a tag and is the caller’s alone to keep', async () => {
    const [fill] = (await get('list_fills', '/fills')).body.data
    const got = await get('get_fill', `/fills/${fill.fill_id}`)
    expect(got.body.data).toEqual(fill)
    expect(got.headers['cache-control']).toBe('private, no-cache')
    const headers = { 'if-none-match': String(got.headers.etag) }
    const again = await served.call({ method: 'GET', url: `/v1/fills/${fill.fill_id}`, headers })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

describe('orders', () => {
  test('filters, and a range that nothing lies in', async () => {
    const list = async (query: string) =>
      (await get('list_orders', `/orders?${query}`)).body.data as readonly Record<string, string>[]
    const all = await list('limit=1000')
    for (const [name, value] of [
      ['side', 'SELL'],
      ['status', 'filled'],
      ['outcome_id', OUTCOME_ID],
      ['market_id', MARKET_ID],
    ] as const) {
      expect(await list(`${name}=${value}`)).toEqual(all.filter((order) => order[name] === value))
    }
    const [newest, ...older] = all
    expect(await list(`client_order_id=${newest!.client_order_id}`)).toEqual([newest])
    expect(await list(`created_after=${newest!.created_at}`)).toEqual([newest])
    expect(await list(`created_before=${newest!.created_at}`)).toEqual(older)
    expect(await list('updated_after=2199-01-01T00:00:00Z')).toEqual([])
    const empty = `/v1/orders?created_after=${newest!.created_at}&created_before=${newest!.created_at}`
    assertRefused('list_orders', await served.call({ method: 'GET', url: empty }), 'VALIDATION_RANGE_INVALID')
    assertRefused(
      'list_orders',
      await served.call({ method: 'GET', url: '/v1/orders?color=red' }),
      'VALIDATION_PARAMETER_UNKNOWN',
    )
  })

  test('status takes several values; working is about all that can still execute or be canceled', async () => {
    const statuses = async (query: string) =>
      (await get('list_orders', `/orders?limit=1000${query}`, 'acct_b')).body.data.map(
        ({ status }: { status: string }) => status,
      )
    const body = await served.order({ limit_price: '0.02' }, 'acct_b')
    const key = served.keys.acct_b
    const placed = await served.call({ method: 'POST', url: '/v1/orders', body, key })
    await served.call({ method: 'POST', url: `/v1/orders/${placed.body.data.order_id}/cancel`, body: {}, key })
    await place('acct_b', { limit_price: '0.02' })
    const all = await statuses('')
    expect(new Set(all)).toEqual(new Set(['open', 'filled', 'canceled']))
    const having = (...wanted: string[]) => all.filter((status: string) => wanted.includes(status))
    expect(await statuses('&status=filled,canceled')).toEqual(having('filled', 'canceled'))
    expect(await statuses('&working=true')).toEqual(having('open'))
    expect(await statuses('&working=false')).toEqual(having('filled', 'canceled'))
    expect(await statuses('&status=open,filled&working=true')).toEqual(having('open'))
    expect(await statuses('&status=filled&working=true')).toEqual([])
    for (const query of ['status=open,opened', 'status=open,open', 'status=', 'working=yes']) {
      const got = await served.call({ method: 'GET', url: `/v1/orders?${query}` })
      assertRefused('list_orders', got, 'VALIDATION_PARAMETER_INVALID')
      expect(got.body.error.field_violations[0].field).toBe(query.split('=')[0])
    }
  })

  test('an order links to its fills and settlements', async () => {
    const [fill] = (await get('list_fills', '/fills')).body.data
    const { body } = await get('get_order', `/orders/${fill.order_id}`)
    expect(body.data.fill_ids).toContain(fill.fill_id)
    expect(body.data.settlement_ids).toContain(fill.settlement_id)
  })

  test('pages put together are the list; a cursor is of its account and its filters', async () => {
    const all = (await get('list_orders', '/orders')).body.data
    const pages: unknown[] = []
    let cursor = ''
    for (let page = 0; page < 10; page += 1) {
      const got = await get('list_orders', `/orders?limit=2${cursor}`)
      pages.push(...got.body.data)
      expect(got.body.meta.stream_cursor.epoch).toMatch(/^[0-9a-f]{16}$/)
      if (got.body.page.next_cursor === null) break
      cursor = `&cursor=${got.body.page.next_cursor}`
    }
    expect(pages).toEqual(all)
    expect(all.length).toBeGreaterThan(2)
    const { key } = { key: served.keys.acct_b }
    const theirs = await served.call({ method: 'GET', url: `/v1/orders?limit=2${cursor}`, key })
    assertRefused('list_orders', theirs, 'VALIDATION_CURSOR_INVALID')
    const filtered = await served.call({ method: 'GET', url: `/v1/orders?side=BUY&limit=2${cursor}` })
    assertRefused('list_orders', filtered, 'VALIDATION_CURSOR_INVALID')
  })
})

describe('positions', () => {
  test('a page after the first is of the first one’s moment', async () => {
    await place('acct_a', { outcome_id: 'out_http_no', limit_price: '0.01', quantity: '1' })
    const first = await get('list_positions', '/positions?limit=1')
    const all = (await get('list_positions', '/positions')).body.data
    expect([first.body.page.has_more, all.length]).toEqual([true, 2])
    await place('acct_a', { side: 'SELL', limit_price: '0.97', quantity: '1' })
    const second = await get('list_positions', `/positions?limit=1&cursor=${first.body.page.next_cursor}`)
    expect([...first.body.data, ...second.body.data].map(({ outcome_id }) => outcome_id)).toEqual(
      all.map(({ outcome_id }: { outcome_id: string }) => outcome_id),
    )
    expect(stable(second.body.data)).toEqual(stable(all.slice(1)))
  })

  test('filters; a market that is not traded here is not found', async () => {
    const list = async (query: string) => (await get('list_positions', `/positions?${query}`)).body.data
    expect(await list('nonzero_only=true')).toHaveLength(1)
    expect(await list('outcome_id=out_http_no')).toHaveLength(1)
    expect(await list('settlement_state=confirmed')).toHaveLength(1)
    expect(await list('settlement_state=reversed')).toEqual([])
    const [position] = await list('nonzero_only=true')
    expect(position).toMatchObject({
      mark_price: '0.60000000',
      mark_observation_id: null,
      pricing_method: 'last_delivered_mark',
    })
    const got = await served.call({ method: 'GET', url: '/v1/positions/mkt_absent' })
    assertRefused('get_market_positions', got, 'MARKET_NOT_FOUND')
  })
})

test('the identities of a balance hold, and asset_id filters', async () => {
  const [balance] = (await get('list_balances', '/balances?asset_id=asset_usd')).body.data
  const units = (text: string) => BigInt(text.replace('.', ''))
  const { total, available, reserved, withdrawal_hold, pending_settlement_debit } = balance
  expect(units(available) + units(reserved) + units(withdrawal_hold)).toBe(
    units(total) - units(pending_settlement_debit),
  )
  expect((await get('list_balances', '/balances?asset_id=asset_eur')).body.data).toEqual([])
})

test('HEAD is answered like GET, without a body', async () => {
  const base_url = await served.app.listen({ port: 0, host: '127.0.0.1' })
  // Two instants may differ in length: one of a whole millisecond has three digits fewer.
  stopped = wallClock()
  const timestamp_ms = Math.floor(stopped / 1000)
  const ask = (method: string) => {
    const headers = signRequest({ method, target: '/v1/orders', body: '', timestamp_ms }, served.keys.acct_a)
    return fetch(`${base_url}/v1/orders`, { method, headers: { ...headers } })
  }
  const [head, get] = [await ask('HEAD'), await ask('GET')]
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await get.text()).length).toBe(Number(head.headers.get('content-length')))
})
