import { describe, expect, test } from 'vitest'
import { isTerminal, mayMove, ORDER_TRANSITIONS } from '../../trading/order/order-states.ts'
import { ORDER_STATUSES } from '../../vocabulary/order.ts'
import { ORIGIN, TradingWorld } from './support/world.ts'

const statuses = (world: TradingWorld, order_id: string) =>
  world
    .events('order')
    .filter((event) => event.order_id === order_id)
    .map(({ status, terminal_reason }) => (terminal_reason === null ? status : `${status} ${terminal_reason}`))

describe('time in force', () => {
  test('a FOK fills whole or not at all', () => {
    const world = new TradingWorld()
    world.place('acct_b', 'SELL', '10', '0.50')
    const none = world.place('acct_a', 'BUY', '11', '0.50', { time_in_force: 'FOK' })
    expect(none.rejection).toBeNull()
    expect(statuses(world, none.order_id)).toEqual(['validated', 'canceled FOK_NOT_FILLED'])
    expect(world.fills('acct_a')).toEqual([])
    expect(world.balance('acct_a').reserved).toBe(0)
    const all = world.place('acct_a', 'BUY', '10', '0.50', { time_in_force: 'FOK' })
    expect(statuses(world, all.order_id)).toEqual(['validated', 'filled'])
  })

  test('an own resting order is no liquidity for a FOK', () => {
    const world = new TradingWorld()
    world.place('acct_a', 'SELL', '5', '0.50')
    world.place('acct_b', 'SELL', '5', '0.50')
    const stopped = world.place('acct_a', 'BUY', '5', '0.50', { time_in_force: 'FOK' })
    expect(statuses(world, stopped.order_id)).toEqual(['validated', 'canceled FOK_NOT_FILLED'])
    const extra = { time_in_force: 'FOK', self_trade_prevention: 'cancel_maker' } as const
    expect(statuses(world, world.place('acct_a', 'BUY', '5', '0.50', extra).order_id)).toEqual(['validated', 'filled'])
  })

  test('a FOK does not count on reduce_only orders that would end before it reached them', () => {
    const world = new TradingWorld()
    world.place('acct_a', 'SELL', '10', '0.50')
    world.place('acct_b', 'BUY', '10', '0.50')
    world.place('acct_b', 'SELL', '6', '0.52')
    const reducing = world.place('acct_b', 'SELL', '10', '0.53', { reduce_only: true })
    const fills = world.events('fill').length
    const none = world.place('acct_a', 'BUY', '16', '0.53', { time_in_force: 'FOK' })
    expect(statuses(world, none.order_id)).toEqual(['validated', 'canceled FOK_NOT_FILLED'])
    expect(world.events('fill').length).toBe(fills)
    expect(statuses(world, reducing.order_id).at(-1)).toBe('open')
    const all = world.place('acct_a', 'BUY', '6', '0.53', { time_in_force: 'FOK' })
    expect(statuses(world, all.order_id)).toEqual(['validated', 'filled'])
    expect(statuses(world, reducing.order_id).at(-1)).toBe('canceled REDUCE_ONLY')
  })

  test('a FAK takes what there is and ends', () => {
    const world = new TradingWorld()
    const none = world.place('acct_a', 'BUY', '5', '0.50', { time_in_force: 'FAK' })
    expect(statuses(world, none.order_id)).toEqual(['validated', 'canceled FAK_NO_FILL'])
    world.place('acct_b', 'SELL', '2', '0.50')
    const part = world.place('acct_a', 'BUY', '5', '0.50', { time_in_force: 'FAK' })
    expect(statuses(world, part.order_id)).toEqual(['validated', 'partially_filled', 'canceled FAK_REMAINDER'])
    expect(world.order(part.order_id)).toMatchObject({
      filled_quantity: 200,
      canceled_quantity: 300,
      reserved_amount: 0,
    })
  })

  test('a GTD expires at its instant on the clock of the engine, before anything else happens then', () => {
    const world = new TradingWorld()
    const expires_at = world.now + 5_000_000
    const { order_id } = world.place('acct_b', 'SELL', '5', '0.50', { time_in_force: 'GTD', expires_at })
    while (world.now < expires_at - 1_000_000) world.deposit('acct_a', '1')
    expect(world.order(order_id).status).toBe('open')
    const taker = world.place('acct_a', 'BUY', '5', '0.50')
    expect(world.now).toBe(expires_at)
    expect(statuses(world, order_id)).toEqual(['validated', 'open', 'expired EXPIRED'])
    expect(world.order(taker.order_id)).toMatchObject({ status: 'open', filled_quantity: 0 })
  })

  test.each([
    [{ time_in_force: 'GTD' }, 'expires_at is missing'],
    [{ time_in_force: 'GTC', expires_at: 2_000_000_000_000_000 }, 'allowed: with GTD alone'],
    [{ time_in_force: 'GTD', expires_at: 1 }, 'expires_at has passed'],
    [{ time_in_force: 'FOK', post_only: true }, 'post_only is true with FOK'],
    [{ time_in_force: 'FAK', post_only: true }, 'post_only is true with FAK'],
  ] as const)('%j is incompatible', (extra, message) => {
    const { rejection } = new TradingWorld().place('acct_a', 'BUY', '5', '0.50', extra)
    expect(rejection).toMatchObject({ code: 'ORDER_TIF_INCOMPATIBLE', message: expect.stringContaining(message) })
  })
})

/** Caps that no order meets. */
const CAPS = { maximum_fee: '900000000', maximum_notional: '9000000000' }

describe('steps and bounds', () => {
  test.each([
    ['5', '0.505', 'ORDER_TICK_SIZE_INVALID'],
    ['5', '0.00', 'ORDER_PRICE_OUT_OF_RANGE'],
    ['5', '1', 'ORDER_PRICE_OUT_OF_RANGE'],
    ['5.001', '0.50', 'ORDER_LOT_SIZE_INVALID'],
    ['0', '0.50', 'ORDER_LOT_SIZE_INVALID'],
    ['90071992547409.93', '0.50', 'ORDER_LOT_SIZE_INVALID'],
    ['90071992547', '0.50', 'ORDER_LOT_SIZE_INVALID'],
  ])('quantity %s at %s: %s', (quantity, price, code) => {
    const world = new TradingWorld()
    const { order_id, rejection } = world.place('acct_a', 'BUY', quantity, price)
    expect(rejection?.code).toBe(code)
    expect(world.order(order_id)).toMatchObject({ status: 'rejected', version: 2, rejection: { code } })
    expect(world.state.orders.size).toBe(0)
  })

  test('the largest quantity of an order is what every refusal of a larger one states', () => {
    const world = new TradingWorld()
    const largest = '9007199254.74'
    const place = (quantity: string) => world.place('acct_a', 'BUY', quantity, '0.50', CAPS).rejection
    expect(place(largest)?.code).toBe('BALANCE_INSUFFICIENT_COLLATERAL')
    for (const quantity of ['9007199254.75', '90071992547409.91', '90071992547409.92', '99999999999999999999'])
      expect(place(quantity)).toEqual({
        code: 'ORDER_LOT_SIZE_INVALID',
        message: `quantity is ${quantity}; allowed: a multiple of 0.01 from 0.01 to ${largest}`,
      })
  })

  test('more digits than the market has are fine where they are zeros', () => {
    expect(new TradingWorld().place('acct_a', 'BUY', '5.0000', '0.500').rejection).toBeNull()
  })
})

describe('signed caps, bands and limits', () => {
  test('maximum_fee is compared with the largest fee, maximum_notional with limit_price x quantity', () => {
    const world = new TradingWorld()
    const place = (maximum_fee: string, maximum_notional: string) =>
      world.place('acct_a', 'BUY', '100', '0.62', { maximum_fee, maximum_notional }).rejection?.code
    expect(place('0.999999', '62')).toBe('RISK_MAX_FEE_EXCEEDED')
    expect(place('1', '61.999999')).toBe('RISK_MAX_NOTIONAL_EXCEEDED')
    expect(place('1', '62')).toBeUndefined()
  })

  test('a price band is around the last mark, on the worse side, and without a mark there is none', () => {
    const world = new TradingWorld({ policy: { price_band: '0.10' } })
    const place = (side: 'BUY' | 'SELL', price: string) =>
      world.place('acct_a', side, '1', price, { post_only: true }).rejection?.code
    expect(place('BUY', '0.90')).toBeUndefined()
    world.run({
      kind: 'cancel_all',
      account_id: 'acct_a',
      market_ids: null,
      cancel_on_pause_only: false,
      reason: 'CANCEL_ALL',
    })
    world.run({
      kind: 'set_mark',
      market_id: 'mkt_1',
      outcome_id: 'out_yes',
      mark: '0.505',
      actor: 'op',
      reason: 'mark',
    })
    expect(place('BUY', '0.60')).toBeUndefined()
    expect(place('BUY', '0.61')).toBe('RISK_PRICE_PROTECTION')
    expect(place('SELL', '0.40')).toBe('RISK_PRICE_PROTECTION')
    expect(place('SELL', '0.99')).toBeUndefined()
  })

  test('a position limit counts what is held and the open orders of the side', () => {
    const world = new TradingWorld({ policy: { position_limit: '10' } })
    expect(world.place('acct_a', 'BUY', '6', '0.40').rejection).toBeNull()
    expect(world.place('acct_a', 'BUY', '4.01', '0.40').rejection?.code).toBe('RISK_POSITION_LIMIT_EXCEEDED')
    expect(world.place('acct_a', 'BUY', '4', '0.40').rejection).toBeNull()
    expect(world.place('acct_a', 'SELL', '10', '0.60').rejection).toBeNull()
    expect(world.place('acct_a', 'SELL', '0.01', '0.60').rejection?.code).toBe('RISK_POSITION_LIMIT_EXCEEDED')
  })

  test('collateral is tried to the last unit', () => {
    const world = new TradingWorld({ deposit: '63' })
    expect(world.place('acct_a', 'BUY', '100.01', '0.62').rejection?.code).toBe('BALANCE_INSUFFICIENT_COLLATERAL')
    expect(world.balance('acct_a').reserved).toBe(0)
    expect(world.place('acct_a', 'BUY', '100', '0.62').rejection).toBeNull()
  })

  test('a blocked account places nothing, and its orders are canceled', () => {
    const world = new TradingWorld()
    const { order_id } = world.place('acct_a', 'BUY', '1', '0.40')
    world.run({ kind: 'block_account', account_id: 'acct_a', blocked: true, actor: 'op', reason: 'review' })
    expect(world.order(order_id).status).toBe('canceled')
    expect(world.place('acct_a', 'BUY', '1', '0.40').rejection?.code).toBe('RISK_ACCOUNT_BLOCKED')
  })
})

describe('flags', () => {
  test('a post_only order that would take is rejected whole, an own order across included', () => {
    const world = new TradingWorld()
    world.place('acct_a', 'SELL', '1', '0.50')
    expect(world.place('acct_a', 'BUY', '5', '0.50', { post_only: true }).rejection?.code).toBe(
      'ORDER_POST_ONLY_WOULD_TAKE',
    )
    expect(world.place('acct_a', 'BUY', '5', '0.49', { post_only: true }).rejection).toBeNull()
  })

  test.each([
    ['cancel_taker', 'canceled SELF_TRADE_PREVENTION', 'open'],
    ['cancel_maker', 'filled', 'canceled SELF_TRADE_PREVENTION'],
    ['cancel_both', 'canceled SELF_TRADE_PREVENTION', 'canceled SELF_TRADE_PREVENTION'],
  ] as const)(
    '%s: taker %s, maker %s; fills before it stay, and the prevented match is on record',
    (mode, taker, maker) => {
      const world = new TradingWorld({ accounts: ['acct_a', 'acct_b'] })
      world.place('acct_b', 'SELL', '2', '0.49')
      const own = world.place('acct_a', 'SELL', '2', '0.50')
      world.place('acct_b', 'SELL', '2', '0.51')
      const { order_id } = world.place('acct_a', 'BUY', '4', '0.51', { self_trade_prevention: mode })
      expect(statuses(world, order_id).at(-1)).toBe(taker)
      expect(statuses(world, own.order_id).at(-1)).toBe(maker)
      expect(world.fills('acct_a')[0]).toMatchObject({ price: 49, quantity: 200 })
      expect(world.events('prevented_match')).toMatchObject([
        { mode, taker_order_id: order_id, maker_order_id: own.order_id, price: 50, quantity: 200 },
      ])
    },
  )

  test('reduce_only is cut to the position, or refused, as the policy says', () => {
    const held = (crossing: 'cap' | 'reject') => {
      const world = new TradingWorld({ policy: { reduce_only_crossing: crossing } })
      world.place('acct_b', 'SELL', '10', '0.50')
      world.place('acct_a', 'BUY', '10', '0.50')
      world.place('acct_b', 'BUY', '20', '0.50')
      return world
    }
    const cap = held('cap')
    const { order_id } = cap.place('acct_a', 'SELL', '15', '0.50', { reduce_only: true })
    expect(statuses(cap, order_id)).toEqual(['validated', 'partially_filled', 'canceled REDUCE_ONLY'])
    expect(cap.position('acct_a').net_quantity).toBe(0)
    const reject = held('reject')
    const sell = (quantity: string) =>
      reject.place('acct_a', 'SELL', quantity, '0.50', { reduce_only: true }).rejection?.code
    expect(sell('15')).toBe('ORDER_REDUCE_ONLY_TOO_LARGE')
    expect(sell('10')).toBeUndefined()
    expect(sell('1')).toBe('ORDER_REDUCE_ONLY_NO_POSITION')
  })

  test.each(['cap', 'reject'] as const)(
    'a reduce_only FOK is never cut (%s): it fills whole, or is refused',
    (crossing) => {
      const world = new TradingWorld({ policy: { reduce_only_crossing: crossing } })
      world.place('acct_a', 'SELL', '10', '0.50')
      world.place('acct_b', 'BUY', '10', '0.50')
      world.place('acct_b', 'SELL', '30', '0.50')
      const buy = (quantity: string) =>
        world.place('acct_a', 'BUY', quantity, '0.50', { reduce_only: true, time_in_force: 'FOK' })
      const refused = buy('20')
      expect(refused.rejection).toMatchObject({
        code: 'ORDER_REDUCE_ONLY_TOO_LARGE',
        message: 'reduce_only order of 20; allowed: at most 10.00',
      })
      expect(world.order(refused.order_id)).toMatchObject({ status: 'rejected', filled_quantity: 0 })
      expect(buy('10.01').rejection?.code).toBe('ORDER_REDUCE_ONLY_TOO_LARGE')
      const whole = buy('10')
      expect(statuses(world, whole.order_id)).toEqual(['validated', 'filled'])
      expect(world.position('acct_a').net_quantity).toBe(0)
    },
  )

  test('resting reduce_only orders end newest first once the position no longer covers them', () => {
    const world = new TradingWorld()
    world.place('acct_b', 'SELL', '10', '0.50')
    world.place('acct_a', 'BUY', '10', '0.50')
    const [older, newer] = ['4', '6'].map(
      (q) => world.place('acct_a', 'SELL', q, '0.70', { reduce_only: true }).order_id,
    )
    world.place('acct_b', 'BUY', '5', '0.50')
    world.place('acct_a', 'SELL', '5', '0.50')
    expect(statuses(world, newer!).at(-1)).toBe('canceled REDUCE_ONLY')
    expect(statuses(world, older!).at(-1)).toBe('open')
  })

  test('a pause cancels what asked for it and keeps the rest in its place', () => {
    const world = new TradingWorld()
    const [gone, first] = [true, false].map(
      (cancel_on_pause) => world.place('acct_a', 'BUY', '1', '0.50', { cancel_on_pause }).order_id,
    )
    world.move('paused')
    expect(world.order(gone!).status).toBe('open')
    world.deposit('acct_b', '1')
    expect(statuses(world, gone!).slice(-2)).toEqual(['cancel_pending', 'canceled CANCEL_ON_PAUSE'])
    expect(world.order(first!).status).toBe('suspended')
    expect(world.place('acct_a', 'BUY', '1', '0.50').rejection?.code).toBe('MARKET_NOT_TRADABLE')
    world.move('open')
    world.place('acct_a', 'BUY', '1', '0.50')
    world.place('acct_b', 'SELL', '1', '0.50')
    expect(world.order(first!).status).toBe('filled')
  })

  test('closing cancels everything that rests and releases its money', () => {
    const world = new TradingWorld()
    const { order_id } = world.place('acct_a', 'BUY', '1', '0.50')
    world.move('closed')
    expect(statuses(world, order_id).at(-1)).toBe('canceled MARKET_CLOSED')
    expect(world.balance('acct_a').reserved).toBe(0)
  })
})

describe('cancel and amend', () => {
  test('a cancel at an old version, of another account, or of an ended order is refused', () => {
    const world = new TradingWorld()
    const { order_id } = world.place('acct_a', 'BUY', '5', '0.50')
    world.place('acct_b', 'SELL', '1', '0.50')
    const cancel = (account_id: string, expected_order_version: number | null) =>
      world.run({ kind: 'cancel_order', account_id, order_id, expected_order_version })?.code
    expect(cancel('acct_a', 3)).toBe('ORDER_VERSION_CONFLICT')
    expect(cancel('acct_b', 4)).toBe('ORDER_NOT_CANCELABLE')
    expect(cancel('acct_a', 4)).toBeUndefined()
    expect(world.order(order_id)).toMatchObject({ version: 6, filled_quantity: 100, canceled_quantity: 400 })
    expect(cancel('acct_a', null)).toBe('ORDER_NOT_CANCELABLE')
  })

  test('an amend uses what the old order reserved, and its replacement queues anew', () => {
    const world = new TradingWorld({ deposit: '5.1', accounts: ['acct_a', 'acct_b', 'acct_c'] })
    const { order_id } = world.place('acct_a', 'BUY', '10', '0.49')
    world.place('acct_c', 'BUY', '1', '0.50')
    const amend = (quantity: string, price: string, extra = {}) => {
      const intent = world.intent('acct_a', 'BUY', quantity, price, extra)
      const { version: expected_order_version } = world.order(order_id)
      return {
        intent,
        code: world.run({ kind: 'amend_order', order_id, expected_order_version, intent, origin: ORIGIN })?.code,
      }
    }
    expect(amend('10', '0.52').code).toBe('BALANCE_INSUFFICIENT_COLLATERAL')
    expect(amend('10', '0.50', { time_in_force: 'FOK' }).code).toBe('ORDER_FOK_NOT_FILLABLE')
    expect(amend('10', '0.50', { outcome_id: 'out_no' }).code).toBe('ORDER_AMEND_NOT_ALLOWED')
    expect(world.order(order_id)).toMatchObject({ status: 'open', remaining_quantity: 1000 })
    const { intent, code } = amend('10', '0.50')
    expect(code).toBeUndefined()
    expect(statuses(world, order_id).at(-1)).toBe('canceled REPLACED')
    world.place('acct_b', 'SELL', '1', '0.50')
    expect(world.order(intent.order_id).filled_quantity).toBe(0)
  })
})

describe('the table of transitions', () => {
  test('is total, and what has ended stays so', () => {
    expect(Object.keys(ORDER_TRANSITIONS).sort()).toEqual([...ORDER_STATUSES].sort())
    expect(ORDER_STATUSES.filter(isTerminal)).toEqual(['rejected', 'filled', 'canceled', 'expired', 'failed'])
  })

  test('a reason belongs to its move', () => {
    expect(mayMove('open', 'canceled', 'MARKET_CLOSED')).toBe(true)
    expect(mayMove('open', 'canceled', 'USER_CANCELED')).toBe(false)
    expect(mayMove('open', 'canceled', null)).toBe(false)
    expect(mayMove('validated', 'filled', null)).toBe(true)
    expect(mayMove('validated', 'filled', 'EXPIRED')).toBe(false)
  })
})
