import { beforeEach, describe, expect, test } from 'vitest'
import { ENGINE } from '../../../protocol/limits.ts'
import type { MarketMakerProtection } from '../../../protocol/resources/market-maker-protection.ts'
import type { MassQuoteResult } from '../../../protocol/resources/mass-quote.ts'
import type { OrderPreview } from '../../../protocol/resources/order-preview.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

type Wanted = Partial<OrderIntent>
const SECOND = 1_000_000
const FROZEN = 'RISK_MARKET_MAKER_PROTECTION'

let engine: MemoryEngine
let maker: SubmissionMaker

function begin(complementary = false): void {
  engine = new MemoryEngine()
  maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b', 'acct_c'], '100000', { complementary }))
}
beforeEach(() => begin())

const place = (account_id: string, order: Wanted) => engine.ask(maker.place(account_id, { quantity: '10', ...order }))
const sell = (account_id: string, limit_price: string, quantity = '10') =>
  place(account_id, { side: 'SELL', limit_price, quantity })
const buy = (quantity: string, order: Wanted = {}) => place('acct_c', { limit_price: '0.90', quantity, ...order })
const protect = (limits: Parameters<SubmissionMaker['setProtection']>[1] = {}) =>
  engine.ask<MarketMakerProtection>(maker.setProtection('acct_a', limits))
const change = (kind: 'reset_protection' | 'remove_protection') =>
  engine.ask<MarketMakerProtection>(maker.changeProtection('acct_a', kind))
const statuses = (account_id: string) =>
  engine
    .rows('orders')
    .filter((row) => row.account_id === account_id)
    .map(({ status, terminal_reason }) => terminal_reason ?? status)
const fillsOf = (account_id: string) =>
  engine
    .rows('fill')
    .filter((row) => row.account_id === account_id)
    .map(({ quantity }) => quantity / 100)
const told = () =>
  engine
    .rows('engine_event')
    .filter(({ kind }) => kind === 'protection')
    .map(({ body }) => (body as { action: string }).action)

describe('an order that sweeps several quotes', () => {
  test('stops at the n-th fill of the protected account and goes on to the orders of others', () => {
    protect({ fill_count_max: 2 })
    for (const price of ['0.50', '0.51', '0.52', '0.53']) sell('acct_a', price)
    sell('acct_b', '0.54', '100')
    const { data } = buy('35')
    expect([data.status, data.average_fill_price]).toEqual(['filled', '0.5200000000'])
    expect(fillsOf('acct_a')).toEqual([10, 10])
    expect(fillsOf('acct_b')).toEqual([15])
    expect(statuses('acct_a')).toEqual(['filled', 'filled', 'MARKET_MAKER_PROTECTION', 'MARKET_MAKER_PROTECTION'])
    expect(told()).toEqual(['set', 'triggered'])
    checkEngine(engine)
  })

  test('gets no more of the last quote than the quantity allows', () => {
    protect({ fill_count_max: 100, quantity_max: '15' })
    sell('acct_a', '0.50')
    sell('acct_a', '0.51')
    sell('acct_b', '0.52', '100')
    expect(buy('30').data.status).toBe('filled')
    expect([fillsOf('acct_a'), fillsOf('acct_b')]).toEqual([[10, 5], [15]])
    expect(statuses('acct_a')).toEqual(['filled', 'MARKET_MAKER_PROTECTION'])
    checkEngine(engine)
  })

  test('cancels on both sides and of both outcomes, but in no other market and of nobody else', () => {
    protect({ fill_count_max: 1 })
    sell('acct_a', '0.50')
    place('acct_a', { side: 'BUY', limit_price: '0.40' })
    place('acct_a', { outcome_id: 'out_no', side: 'BUY', limit_price: '0.30' })
    sell('acct_b', '0.60')
    buy('10')
    expect(statuses('acct_a')).toEqual(['filled', 'MARKET_MAKER_PROTECTION', 'MARKET_MAKER_PROTECTION'])
    expect(statuses('acct_b')).toEqual(['open'])
    checkEngine(engine)
  })

  test.each([
    ['FOK that others fill', 'FOK', '20', 'filled'],
    ['FOK that only the protected quotes beyond the limit could fill', 'FOK', '31', 'FOK_NOT_FILLED'],
    ['FAK', 'FAK', '31', 'FAK_REMAINDER'],
  ] as const)('a %s is tried as it is executed', (_what, time_in_force, quantity, end) => {
    protect({ fill_count_max: 2 })
    for (const price of ['0.50', '0.51', '0.52', '0.53']) sell('acct_a', price)
    sell('acct_b', '0.54')
    const wanted = { limit_price: '0.90', quantity, time_in_force }
    const preview = { kind: 'preview', account_id: 'acct_c', order: maker.order('acct_c', wanted) } as const
    const { data: previewed } = engine.ask<OrderPreview>(preview)
    const { data } = place('acct_c', wanted)
    expect([data.terminal_reason ?? data.status, data.filled_quantity]).toEqual([end, previewed.executable_quantity])
    checkEngine(engine)
  })

  test('on one ladder, orders of either outcome count and end', () => {
    begin(true)
    protect({ fill_count_max: 2 })
    sell('acct_a', '0.50')
    place('acct_a', { outcome_id: 'out_no', side: 'BUY', limit_price: '0.49' })
    place('acct_a', { outcome_id: 'out_no', side: 'BUY', limit_price: '0.48' })
    place('acct_a', { side: 'BUY', limit_price: '0.10' })
    sell('acct_b', '0.60', '100')
    expect(buy('30').data.status).toBe('filled')
    expect([fillsOf('acct_a'), fillsOf('acct_b')]).toEqual([[10, 10], [10]])
    expect(statuses('acct_a').slice(2)).toEqual(['MARKET_MAKER_PROTECTION', 'MARKET_MAKER_PROTECTION'])
    checkEngine(engine)
  })
})

describe('the window', () => {
  test('counts fills for as long as it is, by the engine’s clock', () => {
    protect({ fill_count_max: 2, window_ms: 5_000 })
    sell('acct_a', '0.50', '100')
    buy('1')
    engine.now += 4 * SECOND // The next batch comes 5 seconds after the fill: it no longer counts.
    buy('1')
    expect(statuses('acct_a')).toEqual(['partially_filled'])
    engine.now += 3 * SECOND // The next batch comes 4 seconds after the second fill.
    buy('1')
    expect(statuses('acct_a')).toEqual(['MARKET_MAKER_PROTECTION'])
    checkEngine(engine)
  })

  test('counts only fills of resting orders', () => {
    protect({ fill_count_max: 1 })
    sell('acct_b', '0.50')
    place('acct_a', { side: 'BUY', limit_price: '0.50' })
    sell('acct_a', '0.70')
    expect(statuses('acct_a')).toEqual(['filled', 'open'])
    expect(engine.rows('market_maker_protection')[0]!.window_fills).toEqual([])
  })

  test('begins anew with a change, a reset and a trigger', () => {
    protect({ fill_count_max: 2 })
    sell('acct_a', '0.50', '100')
    buy('1')
    protect({ fill_count_max: 2 })
    buy('1')
    change('reset_protection')
    buy('1')
    expect(statuses('acct_a')).toEqual(['partially_filled'])
    buy('1')
    change('reset_protection')
    sell('acct_a', '0.51', '100')
    buy('1')
    expect(statuses('acct_a')).toEqual(['MARKET_MAKER_PROTECTION', 'partially_filled'])
    checkEngine(engine)
  })

  test('is that of before a restart, and so is the freeze', () => {
    protect({ fill_count_max: 3, quantity_max: '20', window_ms: 60_000 })
    sell('acct_a', '0.50', '100')
    buy('8')
    engine.state = engine.rebuilt()
    buy('8')
    engine.state = engine.rebuilt()
    buy('8')
    expect(fillsOf('acct_a')).toEqual([8, 8, 4])
    expect(statuses('acct_a')).toEqual(['MARKET_MAKER_PROTECTION'])
    engine.state = engine.rebuilt()
    expect(sell('acct_a', '0.60').error!.code).toBe(FROZEN)
    checkEngine(engine)
  })
})

describe('a freeze', () => {
  const trigger = () => {
    protect({ fill_count_max: 1, frozen_ms: 10_000 })
    sell('acct_a', '0.50')
    buy('1')
  }

  test('refuses every new order of the account in the market, until it has passed', () => {
    sell('acct_b', '0.80')
    trigger()
    const until = engine.now + 10 * SECOND
    expect(sell('acct_a', '0.60')).toMatchObject({ status: 422, error: { code: FROZEN } })
    expect(place('acct_a', { limit_price: '0.90', time_in_force: 'FAK' }).error!.code).toBe(FROZEN)
    expect(sell('acct_b', '0.60').error).toBeNull()
    engine.now = until - SECOND - 1
    expect(sell('acct_a', '0.60').error!.code).toBe(FROZEN)
    engine.now = until - SECOND
    expect(sell('acct_a', '0.60').error).toBeNull()
    checkEngine(engine)
  })

  test('refuses the orders of a mass quote, whose former ladder has ended', () => {
    engine.ask(maker.massQuote('acct_a', 'main', [{ side: 'SELL', limit_price: '0.70' }]))
    trigger()
    const { data } = engine.ask<MassQuoteResult>(maker.massQuote('acct_a', 'main', [{ limit_price: '0.10' }]))
    expect([data.canceled, data.orders.map(({ error }) => error!.code)]).toEqual([[], [FROZEN]])
  })

  test('ends with a reset, and with the removal of the protection', () => {
    trigger()
    const { data } = change('reset_protection')
    expect([data.frozen_until, data.trigger_count]).toEqual([null, 1])
    expect(sell('acct_a', '0.50').error).toBeNull()
    buy('1')
    expect(sell('acct_a', '0.50').error!.code).toBe(FROZEN)
    expect(change('remove_protection').status).toBe(200)
    expect(sell('acct_a', '0.50', '100').error).toBeNull()
    for (let n = 0; n < 5; n += 1) buy('1')
    expect(statuses('acct_a').at(-1)).toBe('partially_filled')
    expect(told()).toEqual(['set', 'triggered', 'reset', 'triggered', 'removed'])
    checkEngine(engine)
  })

  test('goes on where the limits are changed', () => {
    trigger()
    const { data } = protect({ fill_count_max: 9 })
    expect([data.fill_count_max, data.trigger_count]).toEqual([9, 1])
    expect(data.frozen_until).not.toBeNull()
    expect(sell('acct_a', '0.60').error!.code).toBe(FROZEN)
  })
})

test('of more orders than a slice, none executes any more, and the rest ends in the next batches, after a restart too', () => {
  protect({ fill_count_max: 1 })
  const many = ENGINE.slice_max + 30
  for (let n = 0; n < many; n += 50) {
    const limit_price = n < ENGINE.slice_max ? '0.50' : '0.70'
    const orders = Array.from({ length: Math.min(50, many - n) }, () => ({ side: 'SELL', limit_price }) as const)
    engine.ask(maker.placeBatch('acct_a', orders))
  }
  sell('acct_b', '0.60', '1000')
  buy('20')
  expect([fillsOf('acct_a'), fillsOf('acct_b')]).toEqual([[1], [19]])
  expect(engine.state.planned_ends.orders.length).toBeGreaterThan(0)
  engine.state = engine.rebuilt()
  engine.submit({ kind: 'stamp', at: 0 })
  expect(new Set(statuses('acct_a').slice(1))).toEqual(new Set(['MARKET_MAKER_PROTECTION']))
  checkEngine(engine)
})

describe('refused', () => {
  test.each([
    [{ quantity_max: '0' }, 'VALIDATION_BODY_INVALID', 400],
    [{ quantity_max: '0.005' }, 'VALIDATION_BODY_INVALID', 400],
    [{ market_id: 'mkt_none' }, 'MARKET_NOT_FOUND', 404],
  ])('%j: %s', (limits, code, status) => {
    expect(protect(limits)).toMatchObject({ status, error: { code } })
    expect(engine.rows('market_maker_protection')).toEqual([])
  })

  test.each(['reset_protection', 'remove_protection'] as const)('%s without a protection', (kind) => {
    expect(change(kind)).toMatchObject({ status: 404, error: { code: 'PROTECTION_NOT_FOUND' } })
    protect()
    expect(change('remove_protection').status).toBe(200)
    expect(change(kind).error!.code).toBe('PROTECTION_NOT_FOUND')
  })
})

test('set and removed in one batch, and set again, is one row', () => {
  engine.submit(
    maker.setProtection('acct_a'),
    maker.changeProtection('acct_a', 'remove_protection'),
    maker.setProtection('acct_a', { fill_count_max: 7 }),
  )
  expect(engine.rows('market_maker_protection')).toMatchObject([{ fill_count_max: 7, is_active: true }])
  checkEngine(engine)
})
