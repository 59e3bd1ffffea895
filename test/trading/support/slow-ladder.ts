import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import type { SecondCore } from './second-core.ts'
import { closable, coverOf, exceedsLimit, ladderReserved, leftFor, trimOrders } from './slow-ladder-cover.ts'
import { feesOf, holdingOf, ladderBalance } from './slow-ladder-money.ts'
import {
  bidsFor,
  LADDER_HOUSE,
  type LadderExchange,
  type LadderFill,
  type LadderOrder,
  type LadderPayment,
  type LadderSegment,
  type LadderSets,
  type LadderTrade,
  mirrored,
  NO,
  YES,
} from './slow-ladder-records.ts'
import { segmentsOf } from './slow-ladder-segments.ts'
import { ladderPay } from './slow-ladder-settlement.ts'
import { SlowOrders } from './slow-orders.ts'
import { big, isFull, max, min, type SlowLine, WORKING } from './slow-records.ts'
import type { SlowResolution } from './slow-settlement.ts'

/**
 * A second core for a complementary market, slow and plain, in the manner of `SlowCore`: YES and NO of one market on one ladder. It
 * keeps every order and fill for ever and finds each answer by going through all of them. It shares no code with the real one.
 *
 * Readings of the design where it leaves a choice:
 * - An uncovered part of a reduce_only order, because others stepped ahead of it, reserves like any uncovered part. Trims come with a
 *   change of exposure alone.
 * - A fully covered order reserves nothing, also where its earlier opening fees left a fraction to round up.
 * - A suspended order is neither trimmed nor covered; when it resumes, its account's orders are trimmed. Where the account cannot
 *   carry the change, or the resumed order would cross the ladder, the order that was suspended or resumed is canceled.
 * - A reduce_only order that ends with less than was ordered is canceled (REDUCE_ONLY), whether it was capped or trimmed.
 * - A bust of one side undoes its closing and opening parts where they are, pending or confirmed. The house takes them over. Holdings
 *   of both outcomes, or below 0, are then exchanged with the pool for 1 a set, confirmed at once. Cash and exposure are those of the
 *   reverse trade at the fill's price.
 * - The position limit looks at the side of the order and at the other one.
 */
export class SlowLadder extends SlowOrders<LadderOrder, LadderFill> implements SecondCore {
  readonly sets: LadderSets[] = []
  readonly exchanges: LadderExchange[] = []
  readonly payments: LadderPayment[] = []
  readonly trades: LadderTrade[] = []
  /** What the pool pays: the payouts of the first revision that paid anything. The house pays what corrections change. */
  pool_payouts: SlowResolution['payouts'] | null = null

  /** One order alone is taken off the ladder, or put on it again. */
  suspend(order: LadderOrder, held: boolean): void {
    order.held = held
    const { account_id } = order.intent
    if (!held) trimOrders(this, account_id, null)
    const crosses = !held && this.opposite(order).some((other) => this.#crosses(order, other))
    if (crosses || this.available(account_id) < 0n) this.end(order, 'canceled', 'RISK_ACTION')
  }

  /** A fill of one side undone: the house takes it over. */
  bust(fill: LadderFill, now: number): void {
    this.expire(now)
    fill.busted = true
    const { account_id } = fill.order.intent
    const { bids } = fill.order
    const undone = { price: fill.tick * 100n, quantity: fill.quantity }
    this.trades.push({ account_id, bids: !bids, ...undone }, { account_id: LADDER_HOUSE, bids, ...undone })
    for (const holder of [account_id, LADDER_HOUSE]) this.#exchange(holder)
    const owed = this.lendTo(account_id)
    trimOrders(this, account_id, null)
    this.takeBack(account_id, owed)
  }

  /** Both outcomes, or one below 0, become sets of the pool or are made by it. */
  #exchange(account_id: string): void {
    const quantity = min(this.net(account_id, YES), this.net(account_id, NO))
    if (quantity !== 0n) this.exchanges.push({ account_id, quantity })
  }

  /** The one number of a position: what it has bought less what it has sold, on the ladder. */
  exposure(account_id: string): bigint {
    const mine = this.trades.filter((trade) => trade.account_id === account_id)
    return mine.reduce((sum, { bids, quantity }) => (bids ? sum + quantity : sum - quantity), 0n)
  }

  net(account_id: string, outcome_id: string): bigint {
    return holdingOf(this, account_id, outcome_id)
  }

  balance(account_id: string) {
    return ladderBalance(this, account_id)
  }

  reservedFor(order: LadderOrder): bigint {
    return ladderReserved(this, order)
  }

  /** Once a resolution has paid anything, the sets of the market are no longer exchanged. */
  isPaid(): boolean {
    return this.payments.length > 0
  }

  pay(accounts: readonly string[], resolution: SlowResolution, only?: ReadonlySet<string>) {
    this.pool_payouts ??= resolution.payouts
    return ladderPay(this, accounts, resolution, only)
  }

  /** Resting orders that an order could take: best price first, then oldest. */
  opposite({ bids }: LadderOrder): LadderOrder[] {
    return this.orders
      .filter((other) => {
        const { status, held } = other
        return other.bids !== bids && WORKING.includes(status) && status !== 'validated' && !held
      })
      .sort((a, b) => (a.tick === b.tick ? a.age - b.age : bids === a.tick < b.tick ? -1 : 1))
  }

  admit(intent: OrderIntent, replaced: LadderOrder | null): LadderOrder | string {
    if (this.status !== 'open') return 'MARKET_NOT_TRADABLE'
    if (this.isFrozen(intent.account_id)) return 'RISK_MARKET_MAKER_PROTECTION'
    const order = this.#drawn(intent)
    const others = this.working(intent.account_id).length
    // It joins the queue first, which tells what it covers and what the others lose.
    this.orders.push(order)
    const refusal = this.#refusal(order, others, replaced)
    if (refusal === null) return order
    this.orders.pop()
    return refusal
  }

  #drawn(intent: OrderIntent): LadderOrder {
    const [price, quantity] = [big(intent.limit_price, 2), big(intent.quantity, 2)]
    return {
      intent,
      price,
      bids: bidsFor(intent),
      tick: mirrored(intent.outcome_id, price),
      reduces: intent.reduce_only || (intent.side === 'SELL' && !this.rules.shorting),
      original: quantity,
      age: this.orders.length,
      taker_rate: this.rules.taker_rate,
      maker_rate: this.rules.maker_rate,
      status: 'validated',
      remaining: quantity,
      trimmed: 0n,
      held: false,
      reason: null,
    }
  }

  #refusal(order: LadderOrder, others: number, replaced: LadderOrder | null): string | null {
    const { intent } = order
    if (order.reduces) {
      const largest = leftFor(this, order)
      if (largest === 0n) return 'ORDER_REDUCE_ONLY_NO_POSITION'
      const whole = intent.time_in_force === 'FOK' || this.rules.crossing === 'reject'
      if (whole && largest < order.remaining) return 'ORDER_REDUCE_ONLY_TOO_LARGE'
      order.remaining = min(largest, order.remaining)
    }
    if (coverOf(this, order) < order.remaining && exceedsLimit(this, intent.account_id)) {
      return 'RISK_POSITION_LIMIT_EXCEEDED'
    }
    if (isFull(this.rules, intent, others)) return 'RISK_OPEN_ORDER_LIMIT'
    if (this.available(intent.account_id) < 0n) return 'BALANCE_INSUFFICIENT_COLLATERAL'
    const crossing = this.opposite(order).some((other) => other !== replaced && this.#crosses(order, other))
    return intent.post_only && crossing ? 'ORDER_POST_ONLY_WOULD_TAKE' : null
  }

  lineOf(intent: OrderIntent): SlowLine {
    return { book: YES, bids: bidsFor(intent), price: mirrored(intent.outcome_id, big(intent.limit_price, 2)) }
  }

  #crosses({ bids, tick }: LadderOrder, other: LadderOrder): boolean {
    return bids ? other.tick <= tick : other.tick >= tick
  }

  /** Quantity that an order would execute at once, tried on a copy of everything. */
  executable(order: LadderOrder): bigint {
    const { rules, ...rest } = { ...this } as SlowLadder
    const copy = Object.assign(new SlowLadder(rules), structuredClone(rest))
    const tried = copy.orders[this.orders.indexOf(order)]!
    copy.#match(tried)
    return copy.filled(tried)
  }

  execute(order: LadderOrder): void {
    const { time_in_force } = order.intent
    if (time_in_force === 'FOK' && this.executable(order) < order.remaining) {
      this.end(order, 'canceled', 'FOK_NOT_FILLED')
      return
    }
    const stopped = this.#match(order)
    const filled = this.filled(order)
    if (order.remaining === 0n) this.#finish(order)
    else if (stopped) this.end(order, 'canceled', 'SELF_TRADE_PREVENTION')
    else if (time_in_force === 'FAK') this.end(order, 'canceled', filled > 0n ? 'FAK_REMAINDER' : 'FAK_NO_FILL')
    else order.status = this.resting(order)
  }

  /** @returns whether self-trade prevention ended the taker */
  #match(order: LadderOrder): boolean {
    const { account_id, self_trade_prevention } = order.intent
    while (order.remaining > 0n) {
      const [other] = this.opposite(order)
      if (other === undefined || !this.#crosses(order, other)) return false
      if (other.intent.account_id !== account_id) this.#fill(order, other)
      else {
        if (self_trade_prevention !== 'cancel_taker') this.end(other, 'canceled', 'SELF_TRADE_PREVENTION')
        if (self_trade_prevention !== 'cancel_maker') return true
      }
    }
    return false
  }

  #finish(order: LadderOrder): void {
    const whole = !order.reduces || this.filled(order) === order.original
    order.status = whole ? 'filled' : 'canceled'
    order.reason = whole ? null : 'REDUCE_ONLY'
  }

  #fill(taker: LadderOrder, maker: LadderOrder): void {
    const quantity = this.matched(taker, maker)
    const closed = (order: LadderOrder) => min(closable(this, order.intent.account_id, order.bids), quantity)
    const [by_taker, by_maker] = [closed(taker), closed(maker)]
    const [by_bid, by_ask] = taker.bids ? [by_taker, by_maker] : [by_maker, by_taker]
    const segments = segmentsOf(quantity, by_bid, by_ask)
    this.#record(taker, maker, quantity, by_taker, segments)
    this.#record(maker, maker, quantity, by_maker, segments)
    const made = quantity - max(by_bid, by_ask) - min(by_bid, by_ask)
    if (made !== 0n) this.sets.push({ quantity: made, fills: this.fills.slice(-2), state: 'pending' })
    if (maker.remaining === 0n) this.#finish(maker)
    else maker.status = 'partially_filled'
    this.countMade(maker, quantity)
    for (const { intent } of [maker, taker]) trimOrders(this, intent.account_id, taker)
  }

  #record(
    order: LadderOrder,
    maker: LadderOrder,
    quantity: bigint,
    closed: bigint,
    segments: readonly LadderSegment[],
  ): void {
    const { account_id, outcome_id } = order.intent
    const { tick } = maker
    const fill = {
      order,
      maker: order === maker,
      tick,
      price: mirrored(outcome_id, tick),
      quantity,
      closed,
      opening_fee: 0n,
      closing_fee: 0n,
      fee: 0n,
      segments,
      state: 'pending',
      busted: false,
    } as const
    const before = this.fills.filter((other) => other.order === order)
    this.fills.push({ ...fill, ...feesOf(before, fill) })
    this.trades.push({ account_id, bids: order.bids, price: tick * 100n, quantity })
    order.remaining -= quantity
  }
}
