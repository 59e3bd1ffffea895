import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import {
  max,
  min,
  type SlowFill,
  type SlowLine,
  type SlowMade,
  type SlowOrder,
  type SlowProtection,
  type SlowRules,
  WORKING,
} from './slow-records.ts'

type Fill<O> = Pick<SlowFill, 'quantity' | 'busted'> & { readonly order: O }

/**
 * The part of a slow core that does not depend on the kind of its market: which commands reach an order, how orders end, and what the
 * house lends. It keeps every order for ever.
 */
export abstract class SlowOrders<O extends SlowOrder, F extends Fill<O>> {
  readonly orders: O[] = []
  readonly fills: F[] = []
  readonly deposits = new Map<string, bigint>()
  /** Money that the house advanced to accounts. */
  lent = 0n
  status = 'open'
  /** Instant of the last command. */
  instant = 0
  readonly protections = new Map<string, SlowProtection>()
  /** Every fill of a resting order, oldest first. */
  readonly made: SlowMade[] = []
  triggered = 0
  readonly rules: SlowRules
  /** Orders that a pause cancels at the next instant. */
  #marked: O[] = []

  constructor(rules: SlowRules) {
    this.rules = rules
  }

  /** Adds an order that the rules permit. @returns it, or the code of its refusal */
  abstract admit(intent: OrderIntent, replaced: O | null): O | string
  /** Matches an admitted order; what is left rests or ends. */
  abstract execute(order: O): void
  /** Quantity that an order would execute at once. */
  abstract executable(order: O): bigint
  /** Where an order would stand. */
  abstract lineOf(intent: OrderIntent): SlowLine
  abstract balance(account_id: string): { total: bigint; reserved: bigint; debit: bigint; credit: bigint }

  place(intent: OrderIntent, now: number): string | null {
    this.expire(now)
    const order = this.admit(intent, null)
    if (typeof order === 'string') return order
    this.execute(order)
    return null
  }

  amend(order_id: string, intent: OrderIntent, now: number): string | null {
    this.expire(now)
    const old = this.orders.find((order) => order.intent.order_id === order_id)
    if (old === undefined || !WORKING.includes(old.status) || old.intent.account_id !== intent.account_id) {
      return 'ORDER_NOT_CANCELABLE'
    }
    if (old.intent.outcome_id !== intent.outcome_id || old.intent.side !== intent.side) return 'ORDER_AMEND_NOT_ALLOWED'
    const kept = old.status
    old.status = 'replaced'
    const order = this.admit(intent, old)
    const refusal = typeof order === 'string' ? order : this.#unfillable(order)
    if (typeof order === 'string' || refusal !== null) {
      old.status = kept
      if (typeof order !== 'string') this.orders.pop()
      return refusal
    }
    if (old.quote_set !== undefined) order.quote_set = old.quote_set
    this.end(old, 'canceled', 'REPLACED')
    this.execute(order)
    return null
  }

  #unfillable(order: O): string | null {
    const { time_in_force } = order.intent
    if (time_in_force === 'FAK') return this.executable(order) === 0n ? 'ORDER_FAK_NOT_FILLABLE' : null
    return time_in_force === 'FOK' && this.executable(order) < order.remaining ? 'ORDER_FOK_NOT_FILLABLE' : null
  }

  /** Ends the ladder of a set and places another one. @returns why all of it is refused, or the refusal of each order */
  quote(account_id: string, quote_set: string, intents: readonly OrderIntent[], now: number) {
    this.expire(now)
    const lines = intents.map((intent) => this.lineOf(intent))
    const crosses = (bid: SlowLine) => lines.some((ask) => bid.book === ask.book && !ask.bids && ask.price <= bid.price)
    if (lines.some((line) => line.bids && crosses(line))) return 'ORDER_MASS_QUOTE_CROSSED'
    for (const order of this.working(account_id))
      if (order.quote_set === quote_set) this.end(order, 'canceled', 'USER_CANCELED')
    return intents.map((intent) => {
      const order = this.admit(intent, null)
      if (typeof order === 'string') return order
      order.quote_set = quote_set
      this.execute(order)
      return null
    })
  }

  /** Sets, resets or removes a protection; a change of its limits leaves a freeze. */
  protect(
    account_id: string,
    change: 'reset' | 'remove' | Pick<SlowProtection, 'count' | 'quantity' | 'window' | 'frozen'>,
    now: number,
  ): string | null {
    this.expire(now)
    const known = this.protections.get(account_id)
    const from = this.made.length
    if (typeof change !== 'string')
      this.protections.set(account_id, { ...change, from, frozen_until: known?.frozen_until ?? 0 })
    else if (known === undefined) return 'PROTECTION_NOT_FOUND'
    else if (change === 'remove') this.protections.delete(account_id)
    else this.protections.set(account_id, { ...known, from, frozen_until: 0 })
    return null
  }

  isFrozen(account_id: string): boolean {
    return (this.protections.get(account_id)?.frozen_until ?? 0) > this.instant
  }

  /** The most that an account's resting orders may be filled by now; null: any quantity. */
  #leftOf(account_id: string): { count: number; quantity: bigint | null } | null {
    const protection = this.protections.get(account_id)
    if (protection === undefined) return null
    const { count, quantity, window, from } = protection
    const counted = this.made.filter(
      (fill, place) => place >= from && fill.account_id === account_id && fill.at > this.instant - window,
    )
    const sum = counted.reduce((total, fill) => total + fill.quantity, 0n)
    return { count: count - counted.length, quantity: quantity === null ? null : quantity - sum }
  }

  /** Returns the quantity that two orders can trade at once. */
  matched(taker: O, maker: O): bigint {
    const both = min(taker.remaining, maker.remaining)
    return min(both, this.#leftOf(maker.intent.account_id)?.quantity ?? both)
  }

  /** Counts a fill of a resting order; the one that reaches a limit ends all orders of its account. */
  countMade({ intent: { account_id } }: O, quantity: bigint): void {
    this.made.push({ account_id, quantity, at: this.instant })
    const left = this.#leftOf(account_id)
    if (left === null || (left.count > 0 && (left.quantity === null || left.quantity > 0n))) return
    const protection = this.protections.get(account_id)!
    const frozen_until = this.instant + protection.frozen
    this.protections.set(account_id, { ...protection, from: this.made.length, frozen_until })
    this.triggered += 1
    for (const order of this.working(account_id)) this.end(order, 'canceled', 'MARKET_MAKER_PROTECTION')
  }

  cancel(account_id: string, order_id: string, now: number): string | null {
    this.expire(now)
    const order = this.orders.find(({ intent }) => intent.order_id === order_id)
    if (order === undefined || order.intent.account_id !== account_id || !WORKING.includes(order.status)) {
      return 'ORDER_NOT_CANCELABLE'
    }
    this.end(order, 'canceled', 'USER_CANCELED')
    return null
  }

  /** @param only_id one of them alone; left out: all */
  cancelAll(account_id: string, now: number, only_id?: string): void {
    this.expire(now)
    for (const order of this.working(account_id)) {
      if ((only_id ?? order.intent.order_id) === order.intent.order_id) this.end(order, 'canceled', 'CANCEL_ALL')
    }
  }

  /** A pause of the whole market leaves reservations as they are. */
  move(to: string, now: number): void {
    this.expire(now)
    this.status = to
    for (const order of this.orders.filter(({ status }) => WORKING.includes(status))) {
      if (to === 'open') order.status = this.resting(order)
      else if (order.intent.cancel_on_pause) this.#marked.push(order)
      else order.status = 'suspended'
    }
  }

  expire(now: number): void {
    this.instant = now
    for (const order of this.#marked) if (WORKING.includes(order.status)) this.end(order, 'canceled', 'CANCEL_ON_PAUSE')
    this.#marked = []
    for (const order of this.orders) {
      const { expires_at } = order.intent
      if (WORKING.includes(order.status) && expires_at !== null && expires_at <= now)
        this.end(order, 'expired', 'EXPIRED')
    }
  }

  close(now: number): void {
    this.expire(now)
    this.status = 'closed'
    for (const order of this.orders.filter(({ status }) => WORKING.includes(status)))
      this.end(order, 'canceled', 'MARKET_CLOSED')
  }

  available(account_id: string): bigint {
    const { total, debit, reserved } = this.balance(account_id)
    return total - debit - reserved
  }

  /** The house lays out what an account cannot pay. @returns how much */
  lendTo(account_id: string): bigint {
    const owed = max(-this.available(account_id), 0n)
    this.#lend(account_id, owed)
    return owed
  }

  /** Orders are canceled, newest first, until the house has back what it laid out. */
  takeBack(account_id: string, laid_out: bigint): void {
    let owed = laid_out
    const repay = () => {
      const repaid = min(owed, this.available(account_id))
      this.#lend(account_id, -repaid)
      owed -= repaid
    }
    repay()
    for (const order of this.working(account_id).reverse()) {
      if (owed === 0n) return
      this.end(order, 'canceled', 'RISK_ACTION')
      repay()
    }
  }

  #lend(account_id: string, amount: bigint): void {
    this.deposits.set(account_id, (this.deposits.get(account_id) ?? 0n) + amount)
    this.lent += amount
  }

  filled(order: O): bigint {
    return this.fills.reduce((sum, fill) => (fill.order === order && !fill.busted ? sum + fill.quantity : sum), 0n)
  }

  resting(order: O): string {
    return this.filled(order) > 0n ? 'partially_filled' : 'open'
  }

  working(account_id: string): O[] {
    return this.orders.filter(({ intent, status }) => intent.account_id === account_id && WORKING.includes(status))
  }

  end(order: O, status: string, reason: string): void {
    Object.assign(order, { status, reason, remaining: 0n })
  }
}
