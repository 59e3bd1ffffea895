import { describe, expect, test } from 'vitest'
import { feeSchedule } from '../../../trading/ledger/fees.ts'
import { marketTerms } from '../../../trading/market/market-terms.ts'
import { isRejection } from '../../../trading/order/order-errors.ts'
import { newPublicMarket } from '../../../trading/public-market/public-market.ts'
import { type AskedOrder, beginWalk } from '../../../trading/would-fill/begin-walk.ts'
import { leftAtMost } from '../../../trading/would-fill/level-change.ts'
import type { QueueBound } from '../../../trading/would-fill/queue-bound.ts'
import { type TapeBatch, type TapeLevel, type TapeTrade, tapeBatch } from '../../../trading/would-fill/tape.ts'
import { type HypotheticalOrder, Walk } from '../../../trading/would-fill/walk.ts'
import { LISTING } from './support/two-histories.ts'

const START = 1000
const FEES = feeSchedule('fees_1', 1, { taker_rate: '0.02', maker_rate: '0' })
const ORDER: HypotheticalOrder = { side: 'BUY', limit_price: 50, quantity: 10, time_in_force: 'GTC', expires_at: null }

const level = (price: number, quantity: number, order_count = 1) => ({ price, quantity, order_count })
const bid = (price: number, quantity: number, order_count = 1): TapeLevel => ({
  side: 'BUY',
  price,
  quantity,
  order_count,
})
const ask = (price: number, quantity: number, order_count = 1): TapeLevel => ({
  side: 'SELL',
  price,
  quantity,
  order_count,
})
let trades_made = 0
const sold = (price: number, quantity: number): TapeTrade => {
  trades_made += 1
  return { trade_id: `trd_${trades_made}`, price, quantity, aggressor_side: 'SELL' }
}
const bought = (price: number, quantity: number): TapeTrade => ({ ...sold(price, quantity), aggressor_side: 'BUY' })
const batch = (at: number, given: Partial<TapeBatch>): TapeBatch => {
  return { at, last_sequence: at, levels: [], trades: [], corrections: [], status: null, is_stopped: false, ...given }
}
/** Quantities of the fills, and what remains. */
const told = ({ fills, remaining }: QueueBound) => [fills.map(({ quantity }) => quantity), remaining]
const walked = (walk: Walk, ...batches: TapeBatch[]) => {
  for (const one of batches) walk.step(one)
  return { pessimistic: told(walk.pessimistic), optimistic: told(walk.optimistic), end: walk.endBy(9999) }
}
/** Rests behind 6 at its price; the best ask is above it. */
const behindSix = (order: Partial<HypotheticalOrder> = {}) =>
  new Walk({ ...ORDER, ...order }, { bids: [level(50, 6, 2)], asks: [level(55, 9)] }, START)

describe('the queue', () => {
  test('trades at the price consume what stood ahead first', () => {
    const walk = behindSix()
    const got = walked(
      walk,
      batch(2000, { trades: [sold(50, 4)], levels: [bid(50, 2)] }),
      batch(2500, { levels: [bid(50, 5, 2)] }),
      batch(3000, { trades: [sold(50, 2), sold(50, 3)], levels: [bid(50, 0, 0)] }),
    )
    expect(got).toEqual({ pessimistic: [[3], 7], optimistic: [[3], 7], end: { reason: 'until', at: 9999 } })
  })

  test('a cancel is behind in one bound and ahead in the other; no more can be ahead than stands there', () => {
    const got = walked(
      behindSix(),
      batch(2000, { levels: [bid(50, 9, 3)] }),
      batch(3000, { levels: [bid(50, 5, 2)] }),
      batch(4000, { trades: [sold(50, 3)], levels: [bid(50, 2, 1)] }),
      batch(5000, { trades: [sold(50, 2)], levels: [bid(50, 0, 0)] }),
      batch(6000, { levels: [bid(50, 4, 1)] }),
      batch(7000, { trades: [sold(50, 4)], levels: [bid(50, 0, 0)] }),
    )
    // Six before it: at most five are left after the cancels, or two if all four canceled were before it.
    expect([got.pessimistic, got.optimistic]).toEqual([
      [[4], 6],
      [[1, 2, 4], 3],
    ])
  })

  test('a trade at a worse price means that nothing rested ahead any more', () => {
    const got = walked(behindSix(), batch(2000, { trades: [sold(49, 3)], levels: [bid(50, 0, 0)] }))
    expect([got.pessimistic, got.optimistic]).toEqual([
      [[3], 7],
      [[3], 7],
    ])
  })

  test('the remainder of a seller that traded meets the order; an offer without a trade may be post_only', () => {
    const remainder = batch(2000, { trades: [sold(50, 6)], levels: [bid(50, 0, 0), ask(50, 4)] })
    expect(walked(behindSix(), remainder)).toMatchObject({ pessimistic: [[4], 6], optimistic: [[4], 6] })
    const offer = batch(2000, { levels: [ask(49, 4)] })
    const alone = () => new Walk(ORDER, { bids: [], asks: [] }, START)
    expect(walked(alone(), offer)).toMatchObject({ pessimistic: [[], 10], optimistic: [[4], 6] })
  })

  test('a buyer that took what the order would have met may stand before it', () => {
    const alone = new Walk(ORDER, { bids: [], asks: [level(50, 4)] }, START)
    const got = walked(
      alone,
      batch(2000, { trades: [bought(50, 3)], levels: [ask(50, 1)] }),
      batch(3000, { trades: [sold(50, 5)] }),
    )
    expect([got.pessimistic, got.optimistic]).toEqual([
      [[4, 2], 4],
      [[4, 5], 1],
    ])
  })

  test.each([
    ['nothing but trades', [6, 2, 2, 1], 4, 0],
    ['an order joined', [6, 2, 9, 3], 0, 0],
    ['orders left', [6, 2, 1, 1], 0, 5],
    ['an order was replaced by one of the same size', [6, 2, 6, 2], 0, Number.POSITIVE_INFINITY],
    ['an order was cut, or replaced by a smaller one', [6, 2, 4, 2], 0, Number.POSITIVE_INFINITY],
    ['fewer orders with more', [6, 2, 8, 1], 0, Number.POSITIVE_INFINITY],
    ['trades, and orders left', [6, 2, 1, 1], 3, 2],
  ])('%s', (_what, [q0, n0, q1, n1], traded, left) => {
    expect(leftAtMost({ quantity: q0!, order_count: n0! }, { quantity: q1!, order_count: n1! }, traded)).toBe(left)
  })
})

describe('time in force and the end', () => {
  const asks = [level(48, 3), level(50, 4), level(51, 9)]
  const taking = (order: Partial<HypotheticalOrder>) => new Walk({ ...ORDER, ...order }, { bids: [], asks }, START)

  test('GTC takes up to its limit and rests with the rest', () => {
    const walk = taking({})
    expect(walk.taken).toEqual([
      { price: 48, quantity: 3 },
      { price: 50, quantity: 4 },
    ])
    expect(walk.resting).toEqual({ quantity: 3, ahead: { quantity: 0, order_count: 0 } })
    expect(told(walk.pessimistic)).toEqual([[3, 4], 3])
  })

  test('FAK never rests, FOK fills whole or not at all', () => {
    const later = batch(2000, { trades: [sold(50, 9)] })
    expect(walked(taking({ time_in_force: 'FAK' }), later)).toMatchObject({
      pessimistic: [[3, 4], 3],
      optimistic: [[3, 4], 3],
      end: { reason: 'not_resting', at: START },
    })
    expect(walked(taking({ time_in_force: 'FOK' }), later)).toMatchObject({
      pessimistic: [[], 10],
      optimistic: [[], 10],
      end: { reason: 'not_resting' },
    })
    expect(walked(taking({ time_in_force: 'FOK', quantity: 7 }), later)).toMatchObject({
      pessimistic: [[3, 4], 0],
      end: { reason: 'filled', at: START },
    })
  })

  test('an expired order fills no more; its instant itself is too late', () => {
    const walk = behindSix({ time_in_force: 'GTD', expires_at: 3000 })
    const got = walked(walk, batch(2999, { trades: [sold(49, 1)] }), batch(3000, { trades: [sold(49, 5)] }))
    expect(got).toMatchObject({ pessimistic: [[1], 9], end: { reason: 'expired', at: 3000 } })
    expect(behindSix({ time_in_force: 'GTD', expires_at: 3000 }).endBy(3000)).toEqual({ reason: 'expired', at: 3000 })
    expect(behindSix({ time_in_force: 'GTD', expires_at: 3001 }).endBy(3000)).toEqual({ reason: 'until', at: 3000 })
  })

  test('a market that stops trading ends it', () => {
    const got = walked(
      behindSix(),
      batch(2000, { trades: [sold(50, 7)], status: 'paused', is_stopped: true }),
      batch(3000, { trades: [sold(49, 5)] }),
    )
    expect(got).toMatchObject({
      pessimistic: [[1], 9],
      optimistic: [[1], 9],
      end: { reason: 'market_not_open', at: 2000 },
    })
  })

  test('both bounds filled: the walk is over', () => {
    const walk = behindSix({ quantity: 2 })
    expect(walked(walk, batch(2000, { trades: [sold(50, 8)] })).end).toEqual({ reason: 'filled', at: 2000 })
    expect([walk.pessimistic.completed_at, walk.has_ended]).toEqual([2000, true])
  })
})

test('a trade that is undone takes its fill back, and the order does not rest again', () => {
  const [one, two] = [sold(49, 4), sold(49, 6)]
  const walk = behindSix()
  const trades = [batch(2000, { trades: [one] }), batch(3000, { trades: [two] })]
  const undone = batch(4000, { corrections: [{ trade_id: one.trade_id, quantity: 1 }] })
  const got = walked(walk, ...trades, undone, batch(5000, { trades: [sold(49, 9)] }))
  expect(got).toMatchObject({ pessimistic: [[1, 6], 0], optimistic: [[1, 6], 0], end: { reason: 'filled', at: 3000 } })
  expect([walk.pessimistic.busted, walk.pessimistic.completed_at]).toEqual([3, null])
})

test('a trade of the other outcome counts, mirrored, where both meet on one ladder, and nowhere else', () => {
  const outcome = newPublicMarket(LISTING).outcomes[0]!
  const stamp = { at: 5, market_id: 'mkt_1', outcome_id: 'out_no' }
  const trade = { ...stamp, kind: 'trade', price: 40, quantity: 3, aggressor_side: 'BUY' } as const
  const segments = [{ match_kind: 'mint', outcome_id: null, quantity: 3 }] as const
  const level = { ...stamp, kind: 'book', side: 'BUY', price: 40, quantity: 3, order_count: 1 } as const
  const { trades, levels } = tapeBatch(outcome, 5, [
    { ...trade, engine_sequence: 1, trade_id: 'trd_1' },
    { ...trade, engine_sequence: 2, trade_id: 'trd_2', segments },
    { ...trade, engine_sequence: 3, trade_id: 'trd_3', market_id: 'mkt_2', segments },
    { ...level, engine_sequence: 4 },
  ])
  expect(trades.map(({ trade_id, price, aggressor_side }) => [trade_id, price, aggressor_side])).toEqual([
    ['trd_2', 60, 'SELL'],
  ])
  expect(levels).toEqual([])
})

test('a sale is the mirror of a purchase', () => {
  const walk = new Walk({ ...ORDER, side: 'SELL' }, { bids: [level(45, 9)], asks: [level(50, 6)] }, START)
  const got = walked(
    walk,
    batch(1500, { levels: [ask(50, 8, 2)] }),
    batch(2000, { trades: [bought(50, 8)], levels: [ask(50, 0, 0)] }),
    batch(3000, { trades: [bought(51, 3)] }),
  )
  expect([got.pessimistic, got.optimistic]).toEqual([
    [[2, 3], 5],
    [[2, 3], 5],
  ])
})

describe('orders that the past market would have rejected', () => {
  const terms = marketTerms(
    {
      price_min: '0.01',
      price_max: '0.99',
      price_increment: '0.01',
      quantity_increment: '0.01',
      minimum_quantity: '0.01',
      settlement_asset_id: 'asset_usd',
      shorting_permitted: true,
    },
    6,
  )
  const asked: AskedOrder = {
    market_id: 'mkt_1',
    outcome_id: 'out_yes',
    side: 'BUY',
    limit_price: '0.50',
    quantity: '10',
    time_in_force: 'GTC',
    expires_at: null,
    post_only: false,
    settlement_asset_id: 'asset_usd',
  }
  const outcome = (status: 'open' | 'paused') => {
    const market = { ...newPublicMarket(LISTING), status }
    const book = { bids: [], asks: [level(50, 4)], sequence: 1, at: 1 }
    return { ...market.outcomes[0]!, market, book }
  }
  test.each([
    ['MARKET_NOT_TRADABLE', 'paused', {}],
    ['ORDER_TICK_SIZE_INVALID', 'open', { limit_price: '0.505' }],
    ['ORDER_LOT_SIZE_INVALID', 'open', { quantity: '0.001' }],
    ['ORDER_TIF_INCOMPATIBLE', 'open', { time_in_force: 'GTD', expires_at: START }],
    ['ORDER_SETTLEMENT_ASSET_INVALID', 'open', { settlement_asset_id: 'asset_eur' }],
    ['RISK_MAX_FEE_EXCEEDED', 'open', { maximum_fee: '0' }],
    ['RISK_MAX_NOTIONAL_EXCEEDED', 'open', { maximum_notional: '0.01' }],
    [null, 'open', { maximum_fee: '1000', maximum_notional: '1000' }],
    ['ORDER_POST_ONLY_WOULD_TAKE', 'open', { post_only: true }],
    [null, 'open', { post_only: true, limit_price: '0.49' }],
  ] as const)('%s', (code, status, change) => {
    const got = beginWalk({ ...asked, ...change }, outcome(status), { terms, fees: FEES }, START)
    expect(isRejection(got) ? got.code : null).toBe(code)
  })
})
