import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import { SlowOrders } from './slow-orders.ts'
import {
  big,
  isFull,
  max,
  min,
  roundHalfEven,
  type SlowFill,
  type SlowLine,
  type SlowOrder,
  type SlowPayment,
  UNIT,
  WORKING,
} from './slow-records.ts'
import { slowReserved } from './slow-reserved.ts'

/**
 * A second trading core, slow and plain: it keeps every order and fill for ever, and finds each answer by going through all of them.
 * One market: prices in cents, quantities in hundredths, money in millionths, so price x quantity x 100 is money. Fee rates are
 * over 10,000. It shares no code with the real one.
 */
export class SlowCore extends SlowOrders<SlowOrder, SlowFill> {
  readonly payments: SlowPayment[] = []
  /** Matches that an account could not pay for. */
  unbookable = 0

  /** A fill undone. */
  bust(fill: SlowFill, now: number): void {
    this.expire(now)
    fill.busted = true
    const { account_id } = fill.order.intent
    const owed = this.lendTo(account_id)
    this.#enforceReduceOnly(fill.order.intent, null)
    this.takeBack(account_id, owed)
  }

  net(account_id: string, outcome_id: string): bigint {
    const traded = this.fills.reduce((sum, { order: { intent }, quantity, busted }) => {
      if (busted || intent.account_id !== account_id || intent.outcome_id !== outcome_id) return sum
      return intent.side === 'BUY' ? sum + quantity : sum - quantity
    }, 0n)
    const mine = this.payments.filter((paid) => paid.account_id === account_id && paid.outcome_id === outcome_id)
    return mine.reduce((sum, paid) => sum - paid.net, traded)
  }

  /** total, reserved, pending debit, pending credit. */
  balance(account_id: string) {
    let [total, debit, credit] = [this.deposits.get(account_id) ?? 0n, 0n, 0n]
    const count = (amount: bigint, state: string) => {
      if (state === 'confirmed') total += amount
      else if (amount < 0n) debit -= amount
      else credit += amount
    }
    for (const { order, price, quantity, fee, state, busted } of this.fills) {
      if (busted || order.intent.account_id !== account_id) continue
      const worth = price * quantity * UNIT
      count(order.intent.side === 'BUY' ? -(worth + fee) : worth - fee, state)
    }
    for (const paid of this.payments) if (paid.account_id === account_id) count(paid.amount, paid.state)
    return { total, reserved: this.reserved(account_id), debit, credit }
  }

  reserved(account_id: string): bigint {
    return slowReserved(this, account_id)
  }

  /** Proceeds of what was sold beyond holdings that are no money yet. */
  shortCredit(account_id: string, outcome_id: string): bigint {
    return this.fills.reduce((sum, { order: { intent }, uncovered, price, reserve_fee, state, busted }) => {
      const counts = intent.account_id === account_id && intent.outcome_id === outcome_id && intent.side === 'SELL'
      return counts && state !== 'confirmed' && !busted && uncovered > 0n
        ? sum + price * uncovered * UNIT - reserve_fee
        : sum
    }, 0n)
  }

  /** Sum of rate x min(p, 1 - p) x q: of what is paid from the reservation, or from proceeds. */
  exactFees(fills: readonly SlowFill[], reserve: boolean): bigint {
    return fills.reduce((sum, { order, maker, price, quantity, uncovered }) => {
      const part = order.intent.side === 'BUY' || uncovered === quantity ? quantity : uncovered
      const counted = reserve ? part : quantity - part
      return sum + (maker ? order.maker_rate : order.taker_rate) * min(price, 100n - price) * counted * UNIT
    }, 0n)
  }

  admit(intent: OrderIntent, replaced: SlowOrder | null): SlowOrder | string {
    if (this.status !== 'open') return 'MARKET_NOT_TRADABLE'
    const { account_id, outcome_id, side } = intent
    if (this.isFrozen(account_id)) return 'RISK_MARKET_MAKER_PROTECTION'
    const [price, signed] = [big(intent.limit_price, 2), big(intent.quantity, 2)]
    const net = this.net(account_id, outcome_id)
    const others = this.working(account_id).filter((order) => order.intent.outcome_id === outcome_id)
    const mine = others.filter((order) => order.intent.side === side)
    const open = mine.reduce((sum, { remaining }) => sum + remaining, 0n)
    let quantity = signed
    if (intent.reduce_only) {
      const promised = mine.reduce((sum, order) => (order.intent.reduce_only ? sum + order.remaining : sum), 0n)
      const left = max(side === 'SELL' ? net : -net, 0n) - promised
      if (left <= 0n) return 'ORDER_REDUCE_ONLY_NO_POSITION'
      const whole = intent.time_in_force === 'FOK' || this.rules.crossing === 'reject'
      if (whole && left < signed) return 'ORDER_REDUCE_ONLY_TOO_LARGE'
      quantity = min(left, signed)
    }
    if (side === 'SELL' && !this.rules.shorting && quantity > max(net - open, 0n))
      return 'BALANCE_INSUFFICIENT_POSITION'
    const reached = side === 'BUY' ? net + open + quantity : open + quantity - net
    const { limit } = this.rules
    if (limit !== null && !intent.reduce_only && (reached < 0n ? -reached : reached) > limit)
      return 'RISK_POSITION_LIMIT_EXCEEDED'
    if (isFull(this.rules, intent, this.working(account_id).length)) return 'RISK_OPEN_ORDER_LIMIT'
    return this.#reserve(
      {
        intent,
        price,
        original: signed,
        age: this.orders.length,
        taker_rate: this.rules.taker_rate,
        maker_rate: this.rules.maker_rate,
        status: 'validated',
        remaining: quantity,
        reason: null,
      },
      replaced,
    )
  }

  #reserve(order: SlowOrder, replaced: SlowOrder | null): SlowOrder | string {
    const { account_id } = order.intent
    const { total, debit } = this.balance(account_id)
    // What the replaced order no longer asks for has been taken off by its status.
    this.orders.push(order)
    const refuse = (code: string) => {
      this.orders.pop()
      return code
    }
    if (this.reserved(account_id) > total - debit) return refuse('BALANCE_INSUFFICIENT_COLLATERAL')
    const crossing = this.#opposite(order).some((other) => other !== replaced && this.#crosses(order, other.price))
    return order.intent.post_only && crossing ? refuse('ORDER_POST_ONLY_WOULD_TAKE') : order
  }

  lineOf({ outcome_id, side, limit_price }: OrderIntent): SlowLine {
    return { book: outcome_id, bids: side === 'BUY', price: big(limit_price, 2) }
  }

  /** Resting orders of the other side: best price first, then oldest. */
  #opposite({ intent: { side, outcome_id } }: SlowOrder): SlowOrder[] {
    return this.orders
      .filter(
        ({ intent, status }) =>
          intent.outcome_id === outcome_id &&
          intent.side !== side &&
          WORKING.includes(status) &&
          status !== 'validated',
      )
      .sort((a, b) => (a.price === b.price ? a.age - b.age : (side === 'BUY') === a.price < b.price ? -1 : 1))
  }

  #crosses({ intent, price }: SlowOrder, other: bigint): boolean {
    return intent.side === 'BUY' ? other <= price : other >= price
  }

  /** Quantity that an order would execute at once, tried on a copy of everything. */
  executable(order: SlowOrder): bigint {
    const { rules, ...rest } = { ...this } as SlowCore
    const copy = Object.assign(new SlowCore(rules), structuredClone(rest))
    const tried = copy.orders[this.orders.indexOf(order)]!
    copy.#match(tried)
    return copy.filled(tried)
  }

  execute(order: SlowOrder): void {
    const { time_in_force } = order.intent
    if (time_in_force === 'FOK' && this.executable(order) < order.remaining) {
      this.end(order, 'canceled', 'FOK_NOT_FILLED')
      return
    }
    const stopped = this.#match(order)
    const filled = this.filled(order)
    if (order.remaining === 0n) this.#finish(order)
    else if (stopped !== null) this.end(order, 'canceled', stopped)
    else if (time_in_force === 'FAK') {
      this.end(order, 'canceled', filled > 0n ? 'FAK_REMAINDER' : 'FAK_NO_FILL')
    } else order.status = this.resting(order)
  }

  /** @returns why the taker ends before it is filled; null: it does not */
  #match(order: SlowOrder): string | null {
    const { account_id, self_trade_prevention } = order.intent
    while (order.remaining > 0n) {
      const [other] = this.#opposite(order)
      if (other === undefined || !this.#crosses(order, other.price)) return null
      if (other.intent.account_id === account_id) {
        if (self_trade_prevention !== 'cancel_taker') this.end(other, 'canceled', 'SELF_TRADE_PREVENTION')
        if (self_trade_prevention !== 'cancel_maker') return 'SELF_TRADE_PREVENTION'
      } else if (!this.#canPay(order, order, other)) return 'RISK_ACTION'
      else if (!this.#canPay(other, order, other)) this.end(other, 'canceled', 'RISK_ACTION')
      else this.#fill(order, other)
    }
    return null
  }

  /** Whether one side's account has no less than nothing available after a match: it is recorded and taken back. */
  #canPay(side: SlowOrder, taker: SlowOrder, maker: SlowOrder): boolean {
    const { remaining } = side
    this.#record(side, side === maker, maker.price, this.matched(taker, maker))
    const can = this.available(side.intent.account_id) >= 0n
    this.fills.pop()
    side.remaining = remaining
    if (!can) this.unbookable += 1
    return can
  }

  #finish(order: SlowOrder): void {
    const whole = !order.intent.reduce_only || this.filled(order) === order.original
    order.status = whole ? 'filled' : 'canceled'
    order.reason = whole ? null : 'REDUCE_ONLY'
  }

  #fill(taker: SlowOrder, maker: SlowOrder): void {
    const quantity = this.matched(taker, maker)
    for (const order of [taker, maker]) this.#record(order, order === maker, maker.price, quantity)
    if (maker.remaining === 0n) this.#finish(maker)
    else maker.status = 'partially_filled'
    this.countMade(maker, quantity)
    for (const { intent } of [maker, taker]) this.#enforceReduceOnly(intent, taker)
  }

  #record(order: SlowOrder, maker: boolean, price: bigint, quantity: bigint): void {
    const { account_id, outcome_id, side } = order.intent
    const uncovered = side === 'BUY' ? 0n : quantity - min(max(this.net(account_id, outcome_id), 0n), quantity)
    const fill: SlowFill = {
      order,
      maker,
      price,
      quantity,
      uncovered,
      fee: 0n,
      reserve_fee: 0n,
      state: 'pending',
      busted: false,
    }
    const before = this.fills.filter((other) => other.order === order)
    const fee = (reserve: boolean) =>
      roundHalfEven(this.exactFees([...before, fill], reserve)) - roundHalfEven(this.exactFees(before, reserve))
    const [reserve_fee, proceeds_fee] = [fee(true), fee(false)]
    this.fills.push({ ...fill, fee: reserve_fee + proceeds_fee, reserve_fee })
    order.remaining -= quantity
  }

  #enforceReduceOnly({ account_id, outcome_id }: OrderIntent, taker: SlowOrder | null): void {
    const net = this.net(account_id, outcome_id)
    for (const side of ['BUY', 'SELL']) {
      const orders = this.working(account_id).filter(
        (order) =>
          order !== taker &&
          order.intent.reduce_only &&
          order.intent.side === side &&
          order.intent.outcome_id === outcome_id,
      )
      const room = max(side === 'SELL' ? net : -net, 0n)
      let sum = orders.reduce((total, { remaining }) => total + remaining, 0n)
      for (const order of orders.reverse()) {
        if (sum <= room) break
        sum -= order.remaining
        this.end(order, 'canceled', order.status === 'suspended' ? 'RISK_ACTION' : 'REDUCE_ONLY')
      }
    }
  }
}
