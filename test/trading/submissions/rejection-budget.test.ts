import { expect, test } from 'vitest'
import { REJECTED_ORDERS } from '../../../protocol/limits.ts'
import type { BatchItem } from '../../../protocol/resources/order.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { dumpState } from '../../support/trading/dump-state.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

const NOWHERE: Partial<OrderIntent> = { market_id: 'mkt_none' }
const SECOND = 1_000_000

function world() {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b']))
  const times = (count: number, order = NOWHERE) => Array.from({ length: count }, () => order)
  const batch = (account_id: string, orders: readonly Partial<OrderIntent>[]) => {
    const { status, error, data } = engine.ask<BatchItem[]>(maker.placeBatch(account_id, orders))
    return { status, error, codes: (data ?? []).map((item) => item.error?.code ?? null) }
  }
  const recorded = (account_id: string) => engine.rows('orders').filter((row) => row.account_id === account_id).length
  return { engine, maker, times, batch, recorded }
}

test('an account has a budget for rejected orders; beyond it they are refused and leave no row', () => {
  const { engine, maker, times, batch, recorded } = world()
  const { burst, rate } = REJECTED_ORDERS
  expect(batch('acct_a', times(burst)).codes).toEqual(Array(burst).fill('MARKET_NOT_FOUND'))
  engine.now -= SECOND
  const before = engine.rows('engine_event').length
  const refused = engine.ask(maker.place('acct_a', NOWHERE))
  expect(refused).toMatchObject({
    status: 429,
    data: null,
    location: null,
    error: { code: 'RATE_LIMIT_EXCEEDED', facts: { retry_after_ms: '500' } },
  })
  expect(refused.error!.message).toContain('MARKET_NOT_FOUND, market mkt_none is not listed here')
  expect(recorded('acct_a')).toBe(burst)
  expect(engine.rows('engine_event')).toHaveLength(before)
  expect(engine.rows('order_nonce')).toHaveLength(burst)
  expect(engine.rows('idempotent_answer')).toHaveLength(1)
  // Other accounts have budgets of their own, and what is accepted needs none.
  expect(engine.ask(maker.place('acct_b', NOWHERE)).status).toBe(422)
  engine.now -= SECOND
  expect(engine.ask(maker.place('acct_a')).status).toBe(201)
  engine.now += 10 * SECOND
  const later = batch('acct_a', times(50)).codes
  expect(later.filter((code) => code === 'MARKET_NOT_FOUND')).toHaveLength(12 * rate)
  expect(later.slice(12 * rate)).toEqual(Array(50 - 12 * rate).fill('RATE_LIMIT_EXCEEDED'))
})

test('a refused order is decided again under its Idempotency-Key and nonce, also if it would be accepted then', () => {
  const { engine, maker, times, batch } = world()
  batch('acct_a', times(REJECTED_ORDERS.burst))
  const placing = maker.place('acct_a', { limit_price: '0.60', quantity: '500000' })
  engine.now -= SECOND
  expect(engine.ask(placing)).toMatchObject({ status: 429, replayed: false })
  engine.ask(
    maker.operate({ kind: 'deposit', transfer_id: 't', account_id: 'acct_a', asset_id: 'asset_usd', amount: '900000' }),
  )
  const again = { ...placing, identity: { ...placing.identity, nonce: 'nonce_again' } }
  expect(engine.ask(again)).toMatchObject({ status: 201, replayed: false, data: { status: 'open' } })
})

test('a batch of which nothing is recorded is refused as a whole; items that are accepted, or refused otherwise, are answered', () => {
  const { engine, maker, times, batch } = world()
  batch('acct_a', times(REJECTED_ORDERS.burst))
  engine.now -= SECOND
  const asked = maker.placeBatch('acct_a', times(3))
  expect(engine.ask(asked)).toMatchObject({ status: 429, error: { code: 'RATE_LIMIT_EXCEEDED' }, data: null })
  engine.now -= SECOND
  expect(batch('acct_a', [NOWHERE, {}, NOWHERE])).toMatchObject({
    status: 200,
    codes: ['RATE_LIMIT_EXCEEDED', null, 'RATE_LIMIT_EXCEEDED'],
  })
  engine.now += SECOND
  const again = { ...asked, identity: { ...asked.identity, nonce: 'nonce_again' } }
  const { data } = engine.ask<BatchItem[]>(again)
  expect(data.map(({ error }) => error?.code)).toContain('MARKET_NOT_FOUND')
})

test('a blocked account has a tenth of the budget', () => {
  const { engine, maker, times, batch, recorded } = world()
  engine.ask(maker.operate({ kind: 'block_account', account_id: 'acct_a', blocked: true }))
  const codes = batch('acct_a', times(60, {})).codes
  expect(codes.filter((code) => code === 'RISK_ACCOUNT_BLOCKED')).toHaveLength(50)
  expect(recorded('acct_a')).toBe(50)
  engine.now += 9 * SECOND
  expect(batch('acct_a', times(5, {})).codes.filter((code) => code === 'RISK_ACCOUNT_BLOCKED')).toHaveLength(2)
})

test('a refusal leaves the state as it was, and previews need no budget', () => {
  const { engine, maker, times, batch } = world()
  batch('acct_a', times(REJECTED_ORDERS.burst))
  const before = dumpState(engine.state)
  engine.now -= SECOND
  engine.ask(maker.place('acct_a', { quantity: '100000000' }))
  expect(dumpState(engine.state)).toEqual(before)
  const preview = {
    kind: 'preview',
    account_id: 'acct_a',
    order: maker.order('acct_a', { quantity: '0.001' }),
  } as const
  expect(engine.ask(preview)).toMatchObject({ status: 200, data: { status: 'rejected' } })
  expect(dumpState(engine.rebuilt())).toEqual(before)
})
