import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromScaled } from '../../primitives/scaled.ts'
import type { FillEvent } from '../../trading/engine/events.ts'
import type { OrderIntent } from '../../trading/order/order-intent.ts'
import { sized } from '../support/sized.ts'
import { checkInvariants } from './support/check-invariants.ts'
import { SlowCore } from './support/slow-core.ts'
import type { SlowFill } from './support/slow-records.ts'
import { slowPay, slowReverse } from './support/slow-settlement.ts'
import { ORIGIN, TradingWorld } from './support/world.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const
const account = fc.constantFrom(...ACCOUNTS)
const flag = fc.boolean()
const price = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 48, max: 52 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 99 }) },
)
const quantity = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
)
const nth = fc.nat(20)

const order = fc.record({
  account,
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  price,
  quantity,
  outcome_id: fc.constantFrom('out_yes', 'out_yes', 'out_yes', 'out_no'),
  time_in_force: fc.constantFrom('GTC', 'GTC', 'GTC', 'GTC', 'GTC', 'GTD', 'FOK', 'FAK') as fc.Arbitrary<
    OrderIntent['time_in_force']
  >,
  lifetime_s: fc.integer({ min: 1, max: 30 }),
  post_only: fc.constantFrom(true, false, false, false),
  reduce_only: fc.constantFrom(true, false, false),
  cancel_on_pause: flag,
  self_trade_prevention: fc.constantFrom('cancel_taker' as const, 'cancel_maker' as const, 'cancel_both' as const),
})
type Drawn = typeof order extends fc.Arbitrary<infer T> ? T : never

/** Rates that are far apart: a working order keeps the one of its acceptance. */
const RATES = fc.constantFrom('0.9', '0.3', '0.02', '0')
const CROSSINGS = fc.constantFrom('cap' as const, 'reject' as const)
const LIMITS = fc.constantFrom(null, '60')
/** Most working orders of an account. */
const OPEN_ORDERS = fc.constantFrom(null, null, 6, 3)

const step = fc.oneof(
  { weight: 14, arbitrary: fc.record({ kind: fc.constant('place' as const), order }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), account, nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('amend' as const), nth, order }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('confirm' as const, 'fail' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reverse' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'open' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel_all' as const), account }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fees' as const), taker_rate: RATES }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('policy' as const),
      crossing: CROSSINGS,
      limit: LIMITS,
      open_orders: OPEN_ORDERS,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), account }) },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const rules = fc.record({
  taker_rate: fc.constantFrom('0.02', '0.0175', '0'),
  maker_rate: fc.constantFrom('0', '0.0033'),
  shorting: fc.constantFrom(true, true, false),
  crossing: CROSSINGS,
  limit: LIMITS,
  deposit: fc.constantFrom('2', '40', '1000', '1000'),
  /** Payout of out_yes, in hundredths. */
  payout: fc.constantFrom(100, 0, 50, 37),
})

test('random histories: the core does what a slow and plain one does, and its promises hold after every command', () => {
  fc.assert(
    fc.property(rules, fc.array(step, { minLength: 40, maxLength: 120, size: 'max' }), (drawn, steps) => {
      const pair = new Pair(drawn)
      for (const each of steps) {
        pair.take(each)
        pair.compare()
      }
      pair.resolve(drawn.payout)
      pair.compare()
    }),
    { seed: Number(process.env.TIDEMARK_SEED ?? 7), numRuns: Number(process.env.TIDEMARK_RUNS ?? sized(30, 60)) },
  )
}, 120_000)

const few = fc.integer({ min: 1, max: 60 })
const ways = fc.constantFrom('GTC', 'FOK', 'FAK') as fc.Arbitrary<OrderIntent['time_in_force']>

/** An old SELL under high fees that the holdings cover, newer ones under none, no money left, and somebody who buys or bids. */
const trap = fc
  .record({ terms: order, quantities: fc.tuple(few, few, few), bought: few, way: ways, is_taker: flag, stp: flag })
  .map(({ terms, quantities: [old, young, other], bought, way, is_taker, stp }): Step[] => {
    const plain = {
      ...terms,
      outcome_id: 'out_yes',
      reduce_only: false,
      post_only: false,
      time_in_force: 'GTC',
    } as const
    const sell = (cents: number, many: number, extra: Partial<Drawn> = {}): Step => ({
      kind: 'place',
      order: { ...plain, account: 'acct_a', side: 'SELL', price: cents, quantity: many, ...extra },
    })
    const buy = (extra: Partial<Drawn> = {}): Step => ({
      kind: 'place',
      order: { ...plain, account: 'acct_c', side: 'BUY', price: 52, quantity: bought, ...extra },
    })
    const fees = (taker_rate: '0.9' | '0'): Step => ({ kind: 'fees', taker_rate })
    const own: Step[] = stp ? [buy({ account: 'acct_a', price: 53, quantity: other })] : []
    const drained: Step = { kind: 'withdraw', account: 'acct_a' }
    const resting = [fees('0.9'), sell(55, old, { reduce_only: terms.reduce_only }), fees('0')]
    if (is_taker) return [...resting, buy(), ...own, drained, sell(51, young, { time_in_force: way })]
    return [...resting, sell(51, young), sell(52, other), drained, buy({ price: 56, time_in_force: way })]
  })

test('fees, policies and states change under resting orders of an account with no money left: what it cannot pay for ends', () => {
  let unbookable = 0
  fc.assert(
    fc.property(
      rules,
      fc.array(fc.tuple(trap, fc.array(step, { maxLength: 4 })), { minLength: 3, maxLength: 12 }),
      (drawn, acts) => {
        const pair = new Pair({ ...drawn, shorting: true, deposit: '1000' })
        for (const [set, others] of acts) {
          for (const each of [...others, ...set]) pair.take(each)
          pair.compare()
          pair.hold('acct_a', 'acct_b')
        }
        pair.compare()
        unbookable += pair.slow.unbookable
      },
    ),
    { seed: Number(process.env.TIDEMARK_SEED ?? 7), numRuns: Number(process.env.TIDEMARK_RUNS ?? sized(20, 40)) },
  )
  expect(unbookable).toBeGreaterThan(5)
}, 120_000)

/** Both cores, side by side. */
class Pair {
  readonly fast: TradingWorld
  readonly slow: SlowCore

  constructor({
    taker_rate,
    maker_rate,
    shorting,
    crossing,
    limit,
    deposit,
  }: typeof rules extends fc.Arbitrary<infer T> ? T : never) {
    this.fast = new TradingWorld({
      taker_rate,
      maker_rate,
      shorting_permitted: shorting,
      accounts: ACCOUNTS,
      deposit,
      policy: { reduce_only_crossing: crossing, position_limit: limit },
    })
    const rate = (text: string) => BigInt(Math.round(Number(text) * 10_000))
    this.slow = new SlowCore({
      taker_rate: rate(taker_rate),
      maker_rate: rate(maker_rate),
      shorting,
      crossing,
      limit: limit === null ? null : BigInt(limit) * 100n,
    })
    for (const each of ACCOUNTS) this.slow.deposits.set(each, BigInt(Math.round(Number(deposit) * 1_000_000)))
  }

  take(each: Step): void {
    const { fast, slow } = this
    if (each.kind === 'place') {
      const intent = this.intent(each.order)
      const rejection = fast.run({ kind: 'place_order', intent, origin: ORIGIN })
      expect(rejection?.code ?? null).toBe(slow.place(intent, fast.now))
    } else if (each.kind === 'amend') {
      const old = slow.orders.at(-1 - each.nth)
      if (old === undefined) return
      const { account_id, outcome_id, side } = old.intent
      const intent = { ...this.intent(each.order), account_id, outcome_id, side }
      const { order_id } = old.intent
      const expected_order_version = fast.order(order_id).version
      const rejection = fast.run({ kind: 'amend_order', order_id, expected_order_version, intent, origin: ORIGIN })
      expect(rejection?.code ?? null).toBe(slow.amend(order_id, intent, fast.now))
    } else if (each.kind === 'cancel') {
      const order_id = slow.orders.at(-1 - each.nth)?.intent.order_id ?? 'ord_none'
      const rejection = fast.run({
        kind: 'cancel_order',
        account_id: each.account,
        order_id,
        expected_order_version: null,
      })
      expect(rejection?.code ?? null).toBe(slow.cancel(each.account, order_id, fast.now))
    } else if (each.kind === 'cancel_all') {
      fast.run({
        kind: 'cancel_all',
        account_id: each.account,
        market_ids: null,
        cancel_on_pause_only: false,
        reason: 'CANCEL_ALL',
      })
      slow.cancelAll(each.account, fast.now)
    } else if (each.kind === 'fees') this.setFees(each.taker_rate)
    else if (each.kind === 'policy') this.setPolicy(each)
    else if (each.kind === 'withdraw') this.withdraw(each.account)
    else if (each.kind === 'reverse') this.reverse(each.nth)
    else if (each.kind === 'confirm' || each.kind === 'fail') this.conclude(each.nth, each.kind)
    else this.move(each.kind === 'pause' ? 'paused' : 'open')
  }

  intent(drawn: Drawn): OrderIntent {
    const {
      account: account_id,
      side,
      lifetime_s,
      outcome_id,
      time_in_force,
      price: cents,
      quantity: hundredths,
      ...flags
    } = drawn
    const expires_at = time_in_force === 'GTD' ? this.fast.now + (lifetime_s + 1) * 1_000_000 : null
    const rests = time_in_force === 'GTC' || time_in_force === 'GTD'
    return this.fast.intent(account_id, side, (hundredths / 100).toFixed(2), (cents / 100).toFixed(2), {
      ...flags,
      outcome_id,
      time_in_force,
      expires_at,
      post_only: flags.post_only && rests,
    })
  }

  /** An account gets money and buys contracts, as far as both may. */
  hold(buyer: string, seller: string): void {
    this.fast.deposit(buyer, '2')
    this.slow.deposits.set(buyer, this.slow.deposits.get(buyer)! + 2_000_000n)
    this.slow.expire(this.fast.now)
    for (const [account_id, side] of [
      [seller, 'SELL'],
      [buyer, 'BUY'],
    ] as const) {
      const intent = this.fast.intent(account_id, side, '0.40', '0.50')
      const rejection = this.fast.run({ kind: 'place_order', intent, origin: ORIGIN })
      expect(rejection?.code ?? null).toBe(this.slow.place(intent, this.fast.now))
    }
  }

  setFees(taker_rate: string): void {
    this.fast.setFees(taker_rate, '0')
    this.slow.rules.taker_rate = BigInt(Math.round(Number(taker_rate) * 10_000))
    this.slow.rules.maker_rate = 0n
    this.slow.expire(this.fast.now)
  }

  setPolicy({ crossing, limit, open_orders }: Extract<Step, { kind: 'policy' }>): void {
    const policy = { reduce_only_crossing: crossing, position_limit: limit, max_open_orders: open_orders }
    for (const account_id of ACCOUNTS) {
      this.fast.setPolicy(account_id, policy)
      this.slow.expire(this.fast.now)
    }
    Object.assign(this.slow.rules, { crossing, limit: limit === null ? null : BigInt(limit) * 100n, open_orders })
  }

  /** Withdraws what is available. */
  withdraw(account_id: string): void {
    const amount = this.slow.available(account_id)
    if (amount === 0n) return
    this.fast.withdraw(account_id, fromScaled(amount, 6))
    this.slow.expire(this.fast.now)
    this.slow.deposits.set(account_id, this.slow.deposits.get(account_id)! - amount)
  }

  conclude(place: number, kind: 'confirm' | 'fail'): void {
    const fill = this.slow.fills.at(-1 - place)
    if (fill === undefined || fill.state === 'confirmed' || fill.state === 'reversed') return
    const result = kind === 'confirm' ? 'confirmed' : 'failed'
    this.fast.conclude(this.#fillOf(fill), result)
    fill.state = result
    this.slow.expire(this.fast.now)
  }

  reverse(place: number): void {
    const fill = this.slow.fills.at(-1 - place)
    if (fill === undefined || fill.state !== 'confirmed') return
    this.fast.reverse(this.#fillOf(fill))
    slowReverse(this.slow, fill, this.fast.now)
  }

  /** Whatever waits for a rail is not paid. */
  resolve(yes: number): void {
    const text = (hundredths: number) => (hundredths / 100).toFixed(2)
    const proposed_at = this.fast.now + 1_000_000
    this.fast.resolve(text(yes), text(100 - yes))
    this.slow.close(proposed_at)
    const payouts = { out_yes: BigInt(yes) * 100n, out_no: BigInt(100 - yes) * 100n }
    slowPay(this.slow, ACCOUNTS, { revision: 1, payouts })
  }

  #fillOf(fill: SlowFill): FillEvent {
    return this.fast.events('fill')[this.slow.fills.indexOf(fill)]!
  }

  move(to: 'paused' | 'open'): void {
    if (to === this.slow.status) return
    this.fast.move(to)
    this.slow.move(to, this.fast.now)
  }

  compare(): void {
    const { fast, slow } = this
    checkInvariants(fast)
    // Compared as texts: one comparison each of thousands of orders took most of the test's time.
    const fills = fast.events('fill').map((fill) => [fill.order_id, fill.price, fill.quantity, fill.fee].join())
    const expected_fills = slow.fills.map(({ order: { intent }, price: at, quantity: of, fee }) =>
      [intent.order_id, at, of, fee].join(),
    )
    expect(fills.join('\n')).toBe(expected_fills.join('\n'))
    const orders = slow.orders.map(({ intent: { order_id } }) => {
      const { status, remaining_quantity, terminal_reason } = fast.order(order_id)
      return [order_id, status, remaining_quantity, terminal_reason].join()
    })
    const expected_orders = slow.orders.map(({ intent: { order_id }, status, remaining, reason }) =>
      [order_id, status, remaining, reason].join(),
    )
    expect(orders.join('\n')).toBe(expected_orders.join('\n'))
    for (const each of ACCOUNTS) {
      const { total, reserved, pending_settlement_debit, pending_settlement_credit } = fast.balance(each)
      const expected = slow.balance(each)
      expect([total, reserved, pending_settlement_debit, pending_settlement_credit].map(BigInt)).toEqual([
        expected.total,
        expected.reserved,
        expected.debit,
        expected.credit,
      ])
    }
  }
}
