import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import type { AccountSummary, EquityPoint } from '../../../protocol/resources/account-summary.ts'
import { periodStarts } from '../../../trading/projections/account-summary.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  type AccountName,
  MARKET_ID,
  OUTCOME_ID,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'
import { concluding, submitting } from '../../support/trading/settling.ts'

const database = withDatabase()
let served: ServedAccounts
/** Instants between the acts. */
const moments: string[] = []

const get = async (operation_id: PrivateOperationId, url: string, account: AccountName = 'acct_a') => {
  const got = await served.call({ method: 'GET', url: `/v1${url}`, key: served.keys[account] })
  assertDescribed(operation_id, got)
  return got.body.data
}
const summary = (query = '', account: AccountName = 'acct_a'): Promise<AccountSummary> =>
  get('get_account_summary', `/account/summary${query}`, account)
const usd = async (query = '', account: AccountName = 'acct_a') => (await summary(query, account)).assets[0]!
const place = async (account: AccountName, wanted: Parameters<ServedAccounts['order']>[0]): Promise<void> => {
  const body = await served.order(wanted, account)
  const got = await served.call({ method: 'POST', url: '/v1/orders', body, key: served.keys[account] })
  expect(got.status, got.text).toBe(201)
}
const remember = async (): Promise<void> => {
  moments.push(formatMicros(wallClock()))
  await new Promise((resolve) => setTimeout(resolve, 10))
}
const mark = (value: string) =>
  served.act({ kind: 'set_mark', market_id: MARKET_ID, outcome_id: OUTCOME_ID, mark: value })

/** The periods that began before the first act: at midnight a day may not. */
const begunBefore = (pnl: AccountSummary['assets'][number]['pnl']) => pnl.filter(({ from }) => from <= moments[0]!)

/** acct_a buys 10 at 0.40 from acct_b, which is then short; the mark comes afterwards; half is sold at 0.55. */
beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
  await remember()
  await place('acct_b', { side: 'SELL', limit_price: '0.40', quantity: '10' })
  await place('acct_a', { limit_price: '0.40', quantity: '10' })
  await remember()
  await mark('0.60')
  await remember()
  await place('acct_b', { limit_price: '0.55', quantity: '5' })
  await place('acct_a', { side: 'SELL', limit_price: '0.55', quantity: '5' })
  await remember()
  await mark('0.50')
  const { rows } = await served.pool.query<{ settlement_id: string }>('SELECT settlement_id FROM trading.settlement')
  const ids = rows.map(({ settlement_id }) => settlement_id)
  await served.act(submitting(ids))
  await served.act(concluding(ids))
  await remember()
}, 180_000)
afterAll(() => served.close())

test('periods begin at midnight, on Monday, on the first, and with the account', () => {
  const startsOf = (at: string) =>
    periodStarts(toMicros(at), toMicros('2025-05-05T05:00:00Z')).map(({ from }) => formatMicros(from))
  expect(startsOf('2026-03-04T12:30:00Z')).toEqual([
    ...['2026-03-04T00:00:00Z', '2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z', '2025-05-05T05:00:00Z'],
  ])
  // A Sunday is the last day of its week; a week may begin in the month before.
  expect(startsOf('2026-03-01T00:00:00Z').slice(0, 3)).toEqual([
    ...['2026-03-01T00:00:00Z', '2026-02-23T00:00:00Z', '2026-03-01T00:00:00Z'],
  ])
})

describe('summary', () => {
  test('without a mark what needs it is null, and the outcome is named', async () => {
    const [, unmarked] = moments
    const { assets, markets, as_of } = await summary(`?as_of=${unmarked}`)
    expect(as_of).toBe(unmarked)
    expect(assets).toEqual([
      expect.objectContaining({
        ...{ total: '100000.000000', buying_power: '99995.920000', pending_settlement_debit: '4.080000' },
        ...{ holdings_value: null, projected_equity: null, missing_mark_outcome_ids: [OUTCOME_ID] },
      }),
    ])
    expect(markets).toMatchObject([
      {
        market_id: MARKET_ID,
        event_id: null,
        net_value: null,
        gross_value: null,
        missing_mark_outcome_ids: [OUTCOME_ID],
      },
    ])
    for (const pnl of begunBefore(assets[0]!.pnl))
      expect(pnl).toMatchObject({
        ...{ realized_pnl: '0.000000', fees: '0.080000', unrealized_pnl_change: null, total_pnl: null },
        missing_mark_outcome_ids: [OUTCOME_ID],
      })
  })

  test('with one: equity is money and holdings at the mark, of a long and of a short account', async () => {
    const [, , marked] = moments
    // 100,000 - 4.08 due + 10 x 0.60.
    expect(await usd(`?as_of=${marked}`)).toMatchObject({
      holdings_value: '6.000000',
      projected_equity: '100001.920000',
    })
    // 100,000 + 4 to come - 10 x 0.60; the maker pays no fee.
    expect(await usd(`?as_of=${marked}`, 'acct_b')).toMatchObject({
      ...{ holdings_value: '-6.000000', projected_equity: '99998.000000' },
    })
    const { markets } = await summary(`?as_of=${marked}`, 'acct_b')
    expect(markets).toMatchObject([{ net_value: '-6.000000', gross_value: '6.000000' }])
  })

  test('profit and loss of every period: what was realized, what is open, and the fees', async () => {
    // 5 x (0.55 - 0.40) realized; 5 x (0.50 - 0.40) open; fees 0.08 and 0.02 x 0.45 x 5.
    const { pnl, projected_equity } = await usd()
    expect(pnl.map(({ period }) => period)).toEqual(['day', 'week', 'month', 'all'])
    for (const one of begunBefore(pnl))
      expect(one).toMatchObject({
        ...{ realized_pnl: '0.750000', unrealized_pnl_change: '0.500000', fees: '0.125000', total_pnl: '1.125000' },
        missing_mark_outcome_ids: [],
      })
    expect(projected_equity).toBe('100001.125000')
  })

  test('as of an instant it is what it was, and sums to the balances and positions of then', async () => {
    for (const at of moments) {
      const { assets } = await summary(`?as_of=${at}`)
      const [balance] = await get('list_balances', `/balances?as_of=${at}`)
      const positions = await get('list_positions', `/positions?as_of=${at}`)
      expect(assets[0]).toMatchObject({
        ...{ total: balance.total, buying_power: balance.available, reserved: balance.reserved },
        pending_settlement_credit: balance.pending_settlement_credit,
      })
      const value = positions.length === 0 ? '0.000000' : positions[0].market_value
      expect(assets[0]!.holdings_value).toBe(value)
    }
  })

  test('an account without money has none', async () => {
    expect(await summary('', 'acct_empty')).toMatchObject({
      assets: [],
      markets: [],
      events: [],
      exposures_left_out: 0,
    })
  })
})

describe('equity history', () => {
  const series = async (query: string, account: AccountName = 'acct_a'): Promise<readonly EquityPoint[]> =>
    get('list_equity_history', `/account/equity-history?${query}`, account)
  const range = (from: string, to: string) => `start_time=${from}&end_time=${to}&interval=PT1M`

  test('each point is the equity of the summary of then; later ones are left out', async () => {
    const now = toMicros(moments.at(-1)!)
    const [from, to] = [formatMicros(now - 600_000_000), formatMicros(now + 600_000_000)]
    const points = await series(range(from, to))
    expect(points.length).toBeLessThanOrEqual(11)
    for (const { at, asset_id, equity } of points) {
      expect([at.slice(17), asset_id]).toEqual(['00Z', 'asset_usd'])
      expect(equity).toBe((await usd(`?as_of=${at}`))?.projected_equity)
    }
  })

  test('at instants between all acts: money, deposits, and null where a mark was missing', async () => {
    const instants = moments.map((at) => toMicros(at))
    const { points } = await served.trading.reads.equity('acct_a', null, instants)
    expect(
      points.map(({ cash, holdings_value, equity, net_deposits }) => [cash, holdings_value, equity, net_deposits]),
    ).toEqual([
      ['100000.000000', '0.000000', '100000.000000', '100000.000000'],
      ['99995.920000', null, null, '100000.000000'],
      ['99995.920000', '6.000000', '100001.920000', '100000.000000'],
      ['99998.625000', '3.000000', '100001.625000', '100000.000000'],
      ['99998.625000', '2.500000', '100001.125000', '100000.000000'],
    ])
    expect(points.map(({ missing_mark_outcome_ids }) => missing_mark_outcome_ids.length)).toEqual([0, 1, 0, 0, 0])
    expect((await served.trading.reads.equity('acct_a', 'asset_eur', instants)).points).toEqual([])
  })

  test('an empty range, too many points and a missing interval are refused', async () => {
    const ask = (query: string) => served.call({ method: 'GET', url: `/v1/account/equity-history?${query}` })
    const [a, b] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
    assertRefused('list_equity_history', await ask(range(b, a)), 'VALIDATION_RANGE_INVALID')
    assertRefused('list_equity_history', await ask(range('2020-01-01T00:00:00Z', b)), 'VALIDATION_RANGE_INVALID')
    assertRefused('list_equity_history', await ask(`start_time=${a}&end_time=${b}`), 'VALIDATION_PARAMETER_MISSING')
  })
})

describe('fee schedules', () => {
  const list = (query = '') => get('list_fee_schedules', `/fee-schedules${query}`)

  test('every version since when, the one that a market pays, and the one that a fill names', async () => {
    const rates = { schedule_id: 'fee_1', taker_rate: '0.03', maker_rate: '0.01' }
    await served.act({ kind: 'set_fees', ...rates, market_ids: [] })
    const [first, second] = await list()
    expect(first).toMatchObject({
      schedule_id: 'fee_1',
      schedule_version: 1,
      taker_rate: '0.02',
      maker_rate: '0',
      market_count: 1,
    })
    expect(second).toMatchObject({ schedule_version: 2, taker_rate: '0.03', superseded_at: null, market_count: 0 })
    expect(first.superseded_at).toBe(second.effective_from)
    expect(await list(`?market_id=${MARKET_ID}`)).toEqual([first])
    const [fill] = await get('list_fills', '/fills')
    expect(fill.fee).toMatchObject({
      schedule_id: first.schedule_id,
      schedule_version: first.schedule_version,
      rate: '0.02',
    })
    const page = await served.call({ method: 'GET', url: '/v1/fee-schedules?limit=1' })
    expect(await list(`?limit=1&cursor=${page.body.page.next_cursor}`)).toEqual([second])
    const absent = await served.call({ method: 'GET', url: '/v1/fee-schedules?market_id=mkt_absent' })
    assertRefused('list_fee_schedules', absent, 'MARKET_NOT_FOUND')
    expect(await list('?schedule_id=none')).toEqual([])
  })
})
