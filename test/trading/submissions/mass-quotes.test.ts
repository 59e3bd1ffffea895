import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { MassQuoteResult } from '../../../protocol/resources/mass-quote.ts'
import type { MassQuote } from '../../../trading/engine/submission.ts'
import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { dumpState } from '../../support/trading/dump-state.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { checkEngine } from '../support/check-invariants.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

type Wanted = Partial<OrderIntent>

function world({ complementary = false, deposit = '1000' } = {}) {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  for (const answer of engine.submit(...maker.setUp(['acct_a', 'acct_b'], deposit, { complementary })))
    expect(answer.error).toBeNull()
  const quote = (orders: readonly Wanted[], set = 'main') => {
    const answer = engine.ask<MassQuoteResult>(maker.massQuote('acct_a', set, orders))
    if (answer.error === null) expect(Value.Errors(MassQuoteResult, answer.data)).toEqual([])
    return answer
  }
  return { engine, maker, quote }
}

const bid = (limit_price: string, rest: Wanted = {}): Wanted => ({ side: 'BUY', limit_price, quantity: '10', ...rest })
const ask = (limit_price: string, rest: Wanted = {}): Wanted => ({ side: 'SELL', limit_price, quantity: '10', ...rest })
const codes = ({ orders }: MassQuoteResult) => orders.map(({ error }) => error?.code ?? null)
const working = (engine: MemoryEngine) =>
  [...engine.state.orders.values()].map(({ intent }) => `${intent.side} ${intent.outcome_id} ${intent.limit_price}`)

describe('a ladder', () => {
  test('is replaced whole: the former orders end by the user, oldest first, before the new ones are placed', () => {
    const { engine, maker, quote } = world()
    const first = quote([bid('0.40'), ask('0.60')]).data
    expect([first.canceled, codes(first)]).toEqual([[], [null, null]])
    const other = quote([bid('0.30')], 'other').data
    engine.ask(maker.place('acct_a', bid('0.31')))
    const asked = maker.massQuote('acct_a', 'main', [bid('0.41'), ask('0.59'), ask('0.61')])
    const from = engine.state.engine_sequence
    const { data } = engine.ask<MassQuoteResult>(asked)
    expect(data.canceled).toMatchObject(
      first.orders.map(({ order_id }) => ({
        ...{ order_id, status: 'canceled', terminal_reason: 'USER_CANCELED' },
        ...{ canceled_quantity: '10.00', filled_quantity: '0.00' },
      })),
    )
    expect(data.orders.map(({ order }) => [order!.status, order!.quote_set_id])).toEqual(
      Array(3).fill(['open', 'main']),
    )
    const told = engine
      .rows('engine_event')
      .filter(({ engine_sequence, kind }) => engine_sequence > from && kind === 'order')
      .map(({ body }) => (body as { status: string }).status)
    const ended = ['cancel_pending', 'canceled']
    expect(told).toEqual([...ended, ...ended, ...Array(3).fill(['validated', 'open']).flat()])
    const canceled = engine.rows('orders').filter(({ status }) => status === 'canceled')
    expect(canceled.map((row) => row.cancel_command_id)).toEqual(Array(2).fill(asked.identity.command_id))
    expect(working(engine)).toContain('BUY out_yes 0.31')
    expect(engine.state.orders.has(other.orders[0]!.order_id!)).toBe(true)
    checkEngine(engine)
  })

  test('ends without orders; of another account, or under another label, nothing ends', () => {
    const { engine, maker, quote } = world()
    quote([bid('0.40')])
    engine.ask(maker.massQuote('acct_b', 'main', [bid('0.41')]))
    expect(quote([], 'none').data.canceled).toEqual([])
    expect(working(engine)).toHaveLength(2)
    expect(quote([]).data.canceled).toHaveLength(1)
    expect(working(engine)).toEqual(['BUY out_yes 0.41'])
    expect(engine.state.accounts.get('acct_a')!.quote_sets.size).toBe(0)
    checkEngine(engine)
  })

  test('that uses all money is replaced by one that uses all money', () => {
    const { engine, quote } = world({ deposit: '100' })
    expect(codes(quote([bid('0.40', { quantity: '240' })]).data)).toEqual([null])
    expect(codes(quote([bid('0.41', { quantity: '238' })]).data)).toEqual([null])
    expect(codes(quote([bid('0.41', { quantity: '244' }), bid('0.10')]).data)).toEqual([
      'BALANCE_INSUFFICIENT_COLLATERAL',
      null,
    ])
    expect(working(engine)).toEqual(['BUY out_yes 0.10'])
    checkEngine(engine)
  })

  test('whose orders were filled says so; what is left of them ends', () => {
    const { engine, maker, quote } = world()
    const { orders } = quote([bid('0.40'), bid('0.39')]).data
    engine.ask(maker.place('acct_b', { side: 'SELL', limit_price: '0.40', quantity: '4' }))
    const { canceled } = quote([]).data
    expect(canceled).toMatchObject([
      { order_id: orders[0]!.order_id, filled_quantity: '4.00', canceled_quantity: '6.00' },
      { order_id: orders[1]!.order_id, filled_quantity: '0.00', canceled_quantity: '10.00' },
    ])
    checkEngine(engine)
  })

  test('keeps an order that an amend put in the place of one of it, and is known after a restart', () => {
    const { engine, maker, quote } = world()
    const [item] = quote([bid('0.40')]).data.orders
    const amend = maker.amend('acct_a', item!.order_id!, item!.order!.version, bid('0.41'))
    expect(engine.ask(amend).error).toBeNull()
    checkEngine(engine)
    engine.state = engine.rebuilt()
    const { canceled } = quote([bid('0.42')]).data
    expect(canceled.map(({ order_id }) => order_id)).toEqual([amend.order.intent.order_id])
    expect(working(engine)).toEqual(['BUY out_yes 0.42'])
  })

  test('repeated with the same Idempotency-Key is one ladder', () => {
    const { engine, maker, quote } = world()
    quote([bid('0.40')])
    const asked = maker.massQuote('acct_a', 'main', [bid('0.41')])
    const first = engine.ask(asked)
    const before = dumpState(engine.state)
    const again = engine.ask({ ...asked, identity: { ...asked.identity, nonce: 'another' } })
    expect(again).toEqual({ ...first, replayed: true })
    expect(dumpState(engine.state)).toEqual(before)
  })
})

describe('a new order is refused on its own', () => {
  test('where post_only would take, and the others are placed', () => {
    const { engine, maker, quote } = world()
    engine.ask(maker.place('acct_b', ask('0.50')))
    const { data } = quote([bid('0.50', { post_only: true }), bid('0.49', { post_only: true })])
    expect(codes(data)).toEqual(['ORDER_POST_ONLY_WOULD_TAKE', null])
    expect(data.orders[0]).toMatchObject({ status: 'rejected', order: { status: 'rejected', quote_set_id: 'main' } })
    checkEngine(engine)
  })

  test.each([
    ['paused', 'MARKET_NOT_TRADABLE'],
    ['blocked', 'RISK_ACCOUNT_BLOCKED'],
  ] as const)('while all are %s; the former ladder ends', (what, code) => {
    const { engine, maker, quote } = world()
    const { orders } = quote([bid('0.40')]).data
    if (what === 'paused') engine.ask(maker.operate({ kind: 'move_market', market_id: 'mkt_1', to: 'paused' }))
    const { data } = what === 'paused' ? quote([bid('0.41')]) : blocked()
    expect(codes(data)).toEqual([code])
    expect(engine.rows('orders').find(({ order_id }) => order_id === orders[0]!.order_id)!.status).toBe('canceled')
    checkEngine(engine)
    function blocked() {
      engine.ask(maker.operate({ kind: 'block_account', account_id: 'acct_a', blocked: true }))
      return quote([bid('0.41')])
    }
  })
})

describe('a fault of the request refuses all of it, and nothing changes', () => {
  const verdict = { code: 'SIGNATURE_ORDER_MISMATCH', message: 'differs' } as const
  const changed = (asked: MassQuote, place: number, change: object): MassQuote => ({
    ...asked,
    orders: asked.orders.map((order, n) => (n === place ? { ...order, ...change } : order)),
  })
  const intent = (asked: MassQuote, place: number, change: Wanted) =>
    changed(asked, place, { intent: { ...asked.orders[place]!.intent, ...change } })

  test.each<[string, number, (asked: MassQuote) => MassQuote]>([
    ['MARKET_NOT_FOUND', 422, (asked) => ({ ...asked, market_id: 'mkt_none' })],
    [
      'MARKET_NOT_TRADABLE',
      422,
      (asked) => ({ ...changed(asked, 0, { is_published_market: true }), market_id: 'mkt_elsewhere' }),
    ],
    ['MARKET_OUTCOME_NOT_FOUND', 422, (asked) => intent(asked, 1, { outcome_id: 'out_none' })],
    ['ORDER_TICK_SIZE_INVALID', 422, (asked) => intent(asked, 1, { limit_price: '0.605' })],
    ['ORDER_PRICE_OUT_OF_RANGE', 422, (asked) => intent(asked, 1, { limit_price: '1.00' })],
    ['ORDER_LOT_SIZE_INVALID', 422, (asked) => intent(asked, 1, { quantity: '0.001' })],
    ['ORDER_SETTLEMENT_ASSET_INVALID', 422, (asked) => intent(asked, 1, { settlement_asset_id: 'asset_none' })],
    ['ORDER_TIF_INCOMPATIBLE', 422, (asked) => intent(asked, 1, { time_in_force: 'FOK', post_only: true })],
    ['SIGNATURE_ORDER_MISMATCH', 400, (asked) => changed(asked, 1, { verdict })],
    ['SIGNATURE_SIGNER_UNAUTHORIZED', 400, (asked) => intent(asked, 1, { account_id: 'acct_b' })],
    ['REPLAY_ORDER_NONCE_REUSED', 409, (asked) => changed(asked, 1, { signature: asked.orders[0]!.signature })],
    [
      'ORDER_DUPLICATE_CLIENT_ID',
      409,
      (asked) => intent(asked, 1, { client_order_id: asked.orders[0]!.intent.client_order_id }),
    ],
    ['ORDER_MASS_QUOTE_CROSSED', 422, (asked) => intent(asked, 1, { limit_price: '0.41' })],
  ])('%s', (code, status, change) => {
    const { engine, maker, quote } = world()
    quote([bid('0.40'), ask('0.60')])
    const before = [dumpState(engine.state), engine.rows('orders'), engine.rows('order_nonce')]
    const answer = engine.ask(change(maker.massQuote('acct_a', 'main', [bid('0.41'), ask('0.59')])))
    expect(answer).toMatchObject({ status, error: { code }, data: null })
    if (!code.startsWith('MARKET_NOT')) expect(answer.error!.message).toContain('orders[1]')
    expect([dumpState(engine.state), engine.rows('orders'), engine.rows('order_nonce')]).toEqual(before)
  })

  test('a client id in use, or a nonce used before', () => {
    const { engine, maker, quote } = world()
    quote([bid('0.40', { client_order_id: 'mine' })])
    const asked = maker.massQuote('acct_a', 'main', [bid('0.41'), bid('0.42', { client_order_id: 'mine' })])
    expect(engine.ask(asked)).toMatchObject({ status: 409, error: { code: 'ORDER_DUPLICATE_CLIENT_ID' } })
    const used = maker.massQuote('acct_a', 'main', [bid('0.41')])
    engine.ask(used)
    const again = maker.massQuote('acct_a', 'main', [bid('0.42')])
    const [order] = again.orders
    const answer = engine.ask({ ...again, orders: [{ ...order!, signature: used.orders[0]!.signature }] })
    expect(answer).toMatchObject({ status: 409, error: { code: 'REPLAY_ORDER_NONCE_REUSED' } })
    expect(working(engine)).toEqual(['BUY out_yes 0.41'])
  })
})

describe('orders of one ladder that would trade with each other', () => {
  const no = { outcome_id: 'out_no' }
  test.each<[string, boolean, readonly Wanted[], boolean]>([
    ['a bid at the price of an ask', false, [ask('0.50'), bid('0.50')], true],
    ['a bid below an ask', false, [ask('0.50'), bid('0.49')], false],
    ['bids for both outcomes that sum to more than 1, in two books', false, [bid('0.60'), bid('0.45', no)], false],
    ['bids for both outcomes that sum to 1, on one ladder', true, [bid('0.60'), bid('0.40', no)], true],
    ['bids for both outcomes that sum to less than 1, on one ladder', true, [bid('0.59'), bid('0.40', no)], false],
    ['asks of both outcomes that sum to 1, on one ladder', true, [ask('0.60'), ask('0.40', no)], true],
    ['asks of both outcomes that sum to more than 1, on one ladder', true, [ask('0.61'), ask('0.40', no)], false],
    ['a bid for YES and an ask of NO, whatever they cost', true, [bid('0.60'), ask('0.30', no)], false],
    ['a better bid behind others', true, [ask('0.50'), bid('0.30'), bid('0.20'), bid('0.51')], true],
    ['the best ask among others', true, [bid('0.50'), ask('0.70'), ask('0.50'), ask('0.60')], true],
  ])('%s: complementary %s', (_what, complementary, orders, is_crossed) => {
    const { engine, quote } = world({ complementary })
    quote([bid('0.05')])
    const { error } = quote(orders)
    expect(error?.code ?? null).toBe(is_crossed ? 'ORDER_MASS_QUOTE_CROSSED' : null)
    expect(working(engine)).toHaveLength(is_crossed ? 1 : orders.length)
    checkEngine(engine)
  })
})
