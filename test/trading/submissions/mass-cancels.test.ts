import { describe, expect, test } from 'vitest'
import { ENGINE } from '../../../protocol/limits.ts'
import type { OperatorCommand } from '../../../trading/engine/submission.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

/** Most orders that one batch ends. */
const SLICE = ENGINE.slice_max

function world() {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b', 'acct_c'], '10000'))
  const act = (command: OperatorCommand) => engine.ask(maker.operate(command))
  const rest = (count: number, order = {}) =>
    engine.submit(...Array.from({ length: count }, () => maker.place('acct_a', { quantity: '0.01', ...order })))
  const tick = () => engine.ask({ kind: 'stamp', at: engine.now })
  const dataOf = ({ data }: { data: unknown }) => (typeof data === 'string' ? JSON.parse(data) : data)
  return { engine, maker, act, rest, tick, dataOf }
}

describe('a cancel-all of many orders', () => {
  test('is carried out in slices, lists at most 1,000, and none of its orders trades meanwhile', () => {
    const { engine, maker, rest, tick, dataOf } = world()
    rest(1_250)
    const cancel = { ...maker.cancelAll('acct_a'), client_cancel_id: 'stop-1', reason: 'end of day' }
    const { command_id } = cancel.identity
    const result = dataOf(engine.ask(cancel))
    expect(result).toMatchObject({ targeted_count: 1_250, pending_count: 1_250 - SLICE })
    expect(result.orders).toHaveLength(1_000)
    expect(result.orders.filter(({ status }: { status: string }) => status === 'canceled')).toHaveLength(SLICE)
    const last = result.orders[SLICE - 1].engine_sequence
    expect(result.resume_cursor).toEqual({ engine_sequence: last, epoch: engine.state.history, after_seq: last })
    const taking = (time_in_force: 'FOK' | 'FAK') =>
      maker.place('acct_b', { side: 'SELL', quantity: '0.02', limit_price: '0.50', time_in_force })
    expect(dataOf(engine.ask(taking('FOK')))).toMatchObject({ terminal_reason: 'FOK_NOT_FILLED' })
    engine.state = engine.rebuilt()
    expect(dataOf(engine.ask(taking('FAK')))).toMatchObject({ terminal_reason: 'FAK_NO_FILL' })
    // What was placed after the cutoff stays, and may be post_only against what is being canceled.
    const later = maker.place('acct_a', { side: 'SELL', limit_price: '0.50', post_only: true })
    expect(engine.ask(later).status).toBe(201)
    while (engine.state.planned_ends.orders.length > 0) tick()
    expect([...engine.state.orders.keys()]).toEqual([later.order.intent.order_id])
    const ended = engine.rows('orders').filter(({ status }) => status === 'canceled')
    const mine = ended.filter(({ account_id }) => account_id === 'acct_a')
    expect(mine).toHaveLength(1_250)
    for (const order of mine) {
      const kept = { cancel_command_id: command_id, client_cancel_id: 'stop-1', cancel_reason: 'end of day' }
      expect(order).toMatchObject({ terminal_reason: 'CANCEL_ALL', filled_quantity: 0, ...kept })
    }
    expect(engine.rows('mass_cancel')).toMatchObject([{ is_done: true }])
    checkEngine(engine)
  })

  test('of few is done at once, also while another one goes on', () => {
    const { engine, maker, rest, dataOf } = world()
    rest(2 * SLICE)
    const few = SLICE / 10
    engine.submit(...Array.from({ length: few }, () => maker.place('acct_b', { quantity: '0.01' })))
    const [first, second] = engine.submit(maker.cancelAll('acct_a'), maker.cancelAll('acct_b'))
    expect(dataOf(first!).pending_count).toBe(SLICE)
    expect(dataOf(second!)).toMatchObject({ targeted_count: few, pending_count: 0 })
  })
})

test('a cancel keeps its client_cancel_id and reason with the order; the id need not be unique', () => {
  const { engine, maker, dataOf } = world()
  for (const n of [1, 2]) {
    const placing = maker.place('acct_a')
    engine.ask(placing)
    const cancel = maker.cancel('acct_a', placing.order.intent.order_id)
    const shown = dataOf(engine.ask({ ...cancel, client_cancel_id: 'same', reason: `reason ${n}` }))
    const { command_id } = cancel.identity
    expect(shown).toMatchObject({
      cancel_command_id: command_id,
      client_cancel_id: 'same',
      cancel_reason: `reason ${n}`,
    })
  }
})

test('the end of a market cancels its orders in slices, and pays no position before its orders have ended', () => {
  const { engine, maker, act, rest, tick } = world()
  engine.submit(maker.place('acct_b', { side: 'SELL' }), maker.place('acct_a'))
  rest(2 * SLICE + 50, { side: 'SELL', limit_price: '0.90' })
  act({ kind: 'move_market', market_id: 'mkt_1', to: 'closed' })
  expect(engine.state.orders.size).toBe(SLICE + 50)
  engine.state = engine.rebuilt()
  tick()
  expect(engine.state.orders.size).toBe(50)
  expect(engine.rows('orders').filter(({ terminal_reason }) => terminal_reason === 'MARKET_CLOSED')).toHaveLength(
    2 * SLICE,
  )
  tick()
  expect(engine.state.orders.size).toBe(0)
  checkEngine(engine)
})

test('many orders that expire at once end in slices, and none of them trades after its expiry', () => {
  const { engine, maker, rest, tick, dataOf } = world()
  rest(2 * SLICE + 50, { time_in_force: 'GTD', expires_at: engine.now + 5_000_000 })
  while (engine.state.orders.size === 2 * SLICE + 50) tick()
  const answer = engine.ask(maker.place('acct_b', { side: 'SELL', limit_price: '0.50', time_in_force: 'FAK' }))
  expect(dataOf(answer)).toMatchObject({ terminal_reason: 'FAK_NO_FILL' })
  tick()
  expect(engine.state.orders.size).toBe(0)
  expect(engine.rows('orders').filter(({ status }) => status === 'expired')).toHaveLength(2 * SLICE + 50)
  checkEngine(engine)
})

test('open orders are limited for an account and in a market; what cannot rest is not', () => {
  const { engine, maker, act } = world()
  const code = (order: object) => engine.ask(maker.place('acct_a', order)).error?.code ?? null
  const limit = (limits: object) => {
    const { policy } = engine.state.accounts.get('acct_a')!
    act({
      kind: 'set_policy',
      account_id: 'acct_a',
      policy: { ...policy, ...limits, policy_version: policy.policy_version + 1 },
    })
  }
  limit({ max_open_orders: 3, max_open_orders_per_market: 2 })
  const first = maker.place('acct_a', { quantity: '0.01' })
  expect(engine.ask(first).status).toBe(201)
  expect([code({ outcome_id: 'out_no' }), code({})]).toEqual([null, 'RISK_OPEN_ORDER_LIMIT'])
  expect(code({ time_in_force: 'FAK' })).toBe(null)
  const { order_id } = first.order.intent
  expect(engine.ask(maker.amend('acct_a', order_id, 3, { limit_price: '0.49' })).status).toBe(200)
  limit({ max_open_orders: 2, max_open_orders_per_market: null })
  expect(code({})).toBe('RISK_OPEN_ORDER_LIMIT')
  engine.state = engine.rebuilt()
  expect(code({})).toBe('RISK_OPEN_ORDER_LIMIT')
  engine.ask(maker.cancelAll('acct_a'))
  expect(code({})).toBe(null)
})

test('an order for a published market of another venue is not tradable; one for an unknown market is not found', () => {
  const { engine, maker } = world()
  const placing = maker.place('acct_a', { market_id: 'mkt_elsewhere' })
  const published = { ...placing, order: { ...placing.order, is_published_market: true } }
  expect(engine.ask(published).error?.code).toBe('MARKET_NOT_TRADABLE')
  expect(engine.ask(maker.place('acct_a', { market_id: 'mkt_none' })).error?.code).toBe('MARKET_NOT_FOUND')
})

test('an order shows when its request was received, and when its batch acknowledged it', () => {
  const { engine, maker, dataOf } = world()
  const placing = maker.place('acct_a')
  const received_at = engine.now - 250_000
  const shown = dataOf(engine.ask({ ...placing, identity: { ...placing.identity, received_at } }))
  expect(Date.parse(shown.acknowledged_at) - Date.parse(shown.received_at)).toBeGreaterThanOrEqual(250)
  engine.state = engine.rebuilt()
  const { order_id } = placing.order.intent
  expect(dataOf(engine.ask(maker.cancel('acct_a', order_id))).received_at).toBe(shown.received_at)
})
