import type { Micros } from '../../primitives/instants.ts'
import type { TapeCorrection } from './tape.ts'

/** A part of the hypothetical order that filled. */
export type WalkFill = {
  readonly filled_at: Micros
  readonly price: number
  /** Trade of the tape that the order would have been in; null: it met an order that rested without a trade. */
  readonly trade_id: string | null
  quantity: number
}

/**
 * One bound of a resting order's fills: what stands before it, and what remains of it. Quantities are whole numbers at the market's
 * scale.
 */
export class QueueBound {
  readonly fills: WalkFill[] = []
  readonly #price: number
  #remaining: number
  /** Quantity at the order's price that stands before it. */
  #ahead: number
  /** Quantity of others that the order would have left without a counterparty, and that may now stand before it. */
  #displaced = 0
  #busted = 0
  #completed_at: Micros | null = null

  constructor(price: number, remaining: number, ahead: number) {
    this.#price = price
    this.#remaining = remaining
    this.#ahead = ahead
  }

  get remaining(): number {
    return this.#remaining
  }

  /** Quantity that filled and was undone later. */
  get busted(): number {
    return this.#busted
  }

  /** Instant of the last fill of an order that filled completely, as it is known; null: it did not. */
  get completed_at(): Micros | null {
    return this.#busted === 0 ? this.#completed_at : null
  }

  /** Records a fill at placement. */
  take(at: Micros, price: number, quantity: number): void {
    this.fills.push({ filled_at: at, price, trade_id: null, quantity })
    if (this.#remaining === 0) this.#completed_at = at
  }

  /** Takes a quantity away from what stands before the order. */
  leave(quantity: number): void {
    this.#ahead = Math.max(0, this.#ahead - quantity)
  }

  /** Records that no more than a quantity can stand before the order at its price. */
  limitAhead(quantity: number): void {
    this.#ahead = Math.min(this.#ahead, quantity)
  }

  displace(quantity: number): void {
    this.#displaced += quantity
  }

  /** Executes a quantity against what stands before the order, then against the order. */
  meet(at: Micros, quantity: number, trade_id: string | null): void {
    if (this.#remaining === 0) return
    const at_price = Math.min(this.#ahead, quantity)
    this.#ahead -= at_price
    const of_displaced = Math.min(this.#displaced, quantity - at_price)
    this.#displaced -= of_displaced
    const filled = Math.min(this.#remaining, quantity - at_price - of_displaced)
    if (filled === 0) return
    this.#remaining -= filled
    this.fills.push({ filled_at: at, price: this.#price, trade_id, quantity: filled })
    if (this.#remaining === 0) this.#completed_at = at
  }

  /** Applies a correction of a trade: the order's fill is at most what is left of it, and does not rest again. */
  correct({ trade_id, quantity }: TapeCorrection): void {
    let left = quantity
    for (const fill of this.fills) {
      if (fill.trade_id !== trade_id) continue
      const kept = Math.min(fill.quantity, left)
      this.#busted += fill.quantity - kept
      fill.quantity = kept
      left -= kept
    }
  }
}
