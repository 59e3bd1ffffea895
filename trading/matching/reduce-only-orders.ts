import { type Exposed, exposureOf } from '../market/ladder.ts'
import type { OrderSlots } from './order-slots.ts'
import { NONE } from './price-bits.ts'

/** The part of a position that a book reads when it decides; it keeps no copy. */
export type Holder = Exposed

/** Resting reduce_only orders of each holder and side, newest first, and the sum of what remains of them. */
export class ReduceOnlyOrders {
  /** Number of these orders; usually 0, which skips all other work. */
  count = 0
  /** By holder x 2 + side. */
  readonly #newest: number[] = []
  readonly #remaining: number[] = []

  newest(holder: number, side: number): number {
    return this.#newest[holder * 2 + side] ?? NONE
  }

  remaining(holder: number, side: number): number {
    return this.#remaining[holder * 2 + side] ?? 0
  }

  add(slots: OrderSlots, slot: number): void {
    const of = slots.holder[slot]! * 2 + slots.side[slot]!
    while (this.#newest.length <= of) {
      this.#newest.push(NONE)
      this.#remaining.push(0)
    }
    const older = this.#newest[of]!
    slots.older[slot] = older
    slots.newer[slot] = NONE
    if (older !== NONE) slots.newer[older] = slot
    this.#newest[of] = slot
    this.#remaining[of]! += slots.remaining[slot]!
    this.count += 1
  }

  /** Subtracts an executed quantity from an order that stays. */
  reduce(slots: OrderSlots, slot: number, quantity: number): void {
    this.#remaining[slots.holder[slot]! * 2 + slots.side[slot]!]! -= quantity
  }

  remove(slots: OrderSlots, slot: number): void {
    const newer = slots.newer[slot]!
    const older = slots.older[slot]!
    const of = slots.holder[slot]! * 2 + slots.side[slot]!
    if (newer === NONE) this.#newest[of] = older
    else slots.older[newer] = older
    if (older !== NONE) slots.newer[older] = newer
    this.#remaining[of]! -= slots.remaining[slot]!
    this.count -= 1
  }
}

/** Returns the quantity by which orders of a side can reduce an exposure before it is flat. */
export function roomToReduce(holder: Holder, side: number): number {
  const exposure = exposureOf(holder)
  return Math.max(side === 0 ? -exposure : exposure, 0)
}
