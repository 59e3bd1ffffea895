import { describe, expect, test } from 'vitest'
import type { OrderIntent } from '../../trading/order/order-intent.ts'
import { pick, seededRandom } from '../support/random.ts'
import { plainOrder } from './support/played-model.ts'
import { SlowLadder } from './support/slow-ladder.ts'
import { ladderViolations } from './support/slow-ladder-invariants.ts'
import { ladderPool } from './support/slow-ladder-money.ts'
import { LADDER_HOUSE, type LadderFill } from './support/slow-ladder-records.ts'
import { max, min } from './support/slow-records.ts'
import { slowConclude, slowReverse, slowSubmit } from './support/slow-settlement.ts'

const ACCOUNTS = ['acct_a', 'acct_b', 'acct_c'] as const
const SEEDS = Number(process.env.TIDEMARK_RUNS ?? 40)
const FIRST = Number(process.env.TIDEMARK_SEED ?? 1)
const STEPS = 80

/** Random histories of the model alone: placements of every kind, every way of a rail, withdrawals of all that is available. */
class Alone {
  readonly core: SlowLadder
  readonly #random: () => number
  #now = 0
  #brought = 0n
  #orders = 0

  constructor(seed: number) {
    this.#random = seededRandom(seed)
    const random = this.#random
    this.core = new SlowLadder({
      taker_rate: pick([200n, 175n, 9_000n, 0n], random),
      maker_rate: pick([0n, 33n], random),
      shorting: random() < 0.7,
      crossing: pick(['cap', 'reject'] as const, random),
      limit: pick([null, 6_000n], random),
    })
    for (const account_id of ACCOUNTS) this.#bring(account_id, pick([2_000_000n, 40_000_000n, 1_000_000_000n], random))
  }

  step(): void {
    const [random, core] = [this.#random, this.core]
    this.#now += 1
    const chance = random()
    const order = core.orders.at(-1 - Math.floor(random() * 12))
    const fill = core.fills.at(-1 - Math.floor(random() * 12))
    if (core.status === 'paused' && random() < 0.4) core.move('open', this.#now)
    else if (chance < 0.6) core.place(this.#intent(pick(ACCOUNTS, random)), this.#now)
    else if (chance < 0.66 && order !== undefined) this.#amend(order.intent)
    else if (chance < 0.72 && order !== undefined)
      core.cancel(order.intent.account_id, order.intent.order_id, this.#now)
    else if (chance < 0.82) this.#settle(fill)
    else if (chance < 0.84 && fill !== undefined && !fill.busted) this.#bust(fill)
    else if (chance < 0.88) this.#bring(pick(ACCOUNTS, random), 3_000_000n)
    else if (chance < 0.94) this.#drain(pick(ACCOUNTS, random))
    else if (chance < 0.95) core.rules.taker_rate = pick([9_000n, 200n, 0n], random)
    else if (chance < 0.96) core.move('paused', this.#now)
    else if (order !== undefined && order.remaining > 0n) core.suspend(order, !order.held)
    this.check()
  }

  finish(): void {
    const { core } = this
    core.close(this.#now)
    this.check()
    for (const fill of core.fills) if (fill.state === 'reversed' && !fill.busted) core.bust(fill, this.#now)
    this.check()
    for (const moving of [...core.fills, ...core.sets]) moving.state = 'confirmed'
    this.check()
    const yes = pick([10_000n, 0n, 5_000n, 3_725n], this.#random)
    for (const [revision, value] of [yes, 10_000n - yes].entries()) {
      core.pay(ACCOUNTS, { revision, payouts: { out_yes: value, out_no: 10_000n - value } })
      this.check()
      expect(ladderPool(core).cash).toBe(0n)
    }
    for (const account_id of [...ACCOUNTS, LADDER_HOUSE]) expect(core.exposure(account_id)).toBe(0n)
  }

  check(): void {
    expect(ladderViolations(this.core, ACCOUNTS, this.#brought)).toEqual([])
  }

  /** A bust brings an account what the reverse trade at the fill's price would, and its fee. */
  #bust(fill: LadderFill): void {
    const { core } = this
    const { account_id } = fill.order.intent
    core.expire(this.#now)
    const x = core.exposure(account_id)
    const held = fill.order.bids ? x : -x
    const closes = min(max(held, 0n), fill.quantity)
    const price = fill.order.bids ? fill.tick : 100n - fill.tick
    const reverse = (price * closes - (100n - price) * (fill.quantity - closes)) * 100n
    const before = this.#worth(account_id)
    core.bust(fill, this.#now)
    expect(this.#worth(account_id) - before).toBe(reverse + fill.fee)
  }

  /** Money of an account, pending or not, without what the house advanced to it or to another one. */
  #worth(account_id: string): bigint {
    const { total, debit, credit } = this.core.balance(account_id)
    return total - debit + credit - this.core.lent
  }

  #settle(fill: LadderFill | undefined): void {
    const random = this.#random
    const moving = random() < 0.3 ? this.core.sets.at(-1 - Math.floor(random() * 6)) : fill
    if (moving === undefined) return
    if (moving === fill && random() < 0.1) slowReverse(this.core, fill, this.#now)
    slowSubmit(moving)
    slowConclude(moving, random() < 0.8 ? 'confirmed' : 'failed')
  }

  #bring(account_id: string, amount: bigint): void {
    this.core.deposits.set(account_id, (this.core.deposits.get(account_id) ?? 0n) + amount)
    this.#brought += amount
  }

  #drain(account_id: string): void {
    this.#bring(account_id, -this.core.available(account_id))
  }

  #amend({ order_id, account_id, outcome_id, side }: OrderIntent): void {
    this.core.amend(order_id, { ...this.#intent(account_id), outcome_id, side }, this.#now)
  }

  #intent(account_id: string): OrderIntent {
    const random = this.#random
    this.#orders += 1
    const time_in_force = pick(['GTC', 'GTC', 'GTC', 'GTC', 'GTD', 'FOK', 'FAK'] as const, random)
    const rests = time_in_force === 'GTC' || time_in_force === 'GTD'
    const cents = random() < 0.85 ? 47 + Math.floor(random() * 7) : 1 + Math.floor(random() * 99)
    const hundredths = random() < 0.85 ? 1 + Math.floor(random() * 40) : 1 + Math.floor(random() * 4_000)
    return plainOrder(`ord_${this.#orders}`, account_id, {
      outcome_id: pick(['out_yes', 'out_no'], random),
      side: pick(['BUY', 'SELL'] as const, random),
      limit_price: (cents / 100).toFixed(2),
      quantity: (hundredths / 100).toFixed(2),
      time_in_force,
      expires_at: time_in_force === 'GTD' ? this.#now + 1 + Math.floor(random() * 20) : null,
      post_only: rests && random() < 0.2,
      reduce_only: random() < 0.45,
      cancel_on_pause: random() < 0.5,
      self_trade_prevention: pick(['cancel_taker', 'cancel_maker', 'cancel_both'] as const, random),
    })
  }
}

describe('the slow model of complementary markets', () => {
  test('keeps every promise after every step of random histories', () => {
    const seen = { merge: 0, transfer: 0, mint: 0, trimmed: 0, busted: 0, lent: 0, mixed: 0 }
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      const history = new Alone(seed)
      for (let step = 0; step < STEPS; step += 1) history.step()
      history.finish()
      const { fills, orders, lent } = history.core
      for (const { segments, busted } of fills) {
        for (const { match_kind } of segments) seen[match_kind] += 1
        if (segments.length > 1) seen.mixed += 1
        if (busted) seen.busted += 1
      }
      seen.trimmed += orders.filter(({ trimmed }) => trimmed > 0n).length
      if (lent > 0n) seen.lent += 1
    }
    expect(Object.entries(seen).filter(([, count]) => count * 10 < SEEDS)).toEqual([])
  }, 120_000)

  test('counterexample 2: an order that resumes gets its cover, and available never falls below 0', () => {
    const core = new SlowLadder({ taker_rate: 200n, maker_rate: 0n, shorting: true, crossing: 'cap', limit: null })
    const place = (order_id: string, account_id: string, terms: Partial<OrderIntent>) =>
      core.place(plainOrder(order_id, account_id, terms), 0)
    for (const account_id of ACCOUNTS) core.deposits.set(account_id, 10_000_000n)
    place('yes', 'acct_a', { limit_price: '0.50' })
    place('no', 'acct_b', { outcome_id: 'out_no', limit_price: '0.50' })
    place('first', 'acct_a', { side: 'SELL', limit_price: '0.55' })
    place('second', 'acct_a', { side: 'SELL', limit_price: '0.60' })
    const [, , first, second] = core.orders
    // The suspended order reserves 0.45 and 0.02 x 0.45 for what it would open; the other one has its cover and reserves nothing.
    core.suspend(first!, true)
    expect([first, second].map((order) => core.reservedFor(order!))).toEqual([459_000n, 0n])
    core.deposits.set('acct_a', core.deposits.get('acct_a')! - core.available('acct_a'))
    place('lift', 'acct_c', { limit_price: '0.60' })
    expect(second!.status).toBe('filled')
    core.suspend(first!, false)
    expect([first!.status, core.reservedFor(first!), core.available('acct_a')]).toEqual(['open', 459_000n, 0n])
  })

  test('an order that an account cannot carry without its cover is canceled when it is suspended', () => {
    const core = new SlowLadder({ taker_rate: 200n, maker_rate: 0n, shorting: true, crossing: 'cap', limit: null })
    for (const account_id of ACCOUNTS) core.deposits.set(account_id, 1_000_000n)
    core.place(plainOrder('yes', 'acct_a', { limit_price: '0.50' }), 0)
    core.place(plainOrder('no', 'acct_b', { outcome_id: 'out_no', limit_price: '0.50', quantity: '1' }), 0)
    core.place(plainOrder('ask', 'acct_a', { side: 'SELL', limit_price: '0.60' }), 0)
    core.deposits.set('acct_a', core.deposits.get('acct_a')! - core.available('acct_a'))
    const ask = core.orders.at(-1)!
    core.suspend(ask, true)
    expect([ask.status, ask.reason]).toEqual(['canceled', 'RISK_ACTION'])
  })
})
