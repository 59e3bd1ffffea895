import { plus } from '../../primitives/safe-integers.ts'
import type { OrderSlots } from './order-slots.ts'
import { NONE, PriceBits } from './price-bits.ts'

/**
 * One side of a book: a queue of orders for each price of the grid, oldest first, found by index. A side takes 21 bytes a price once
 * it has had an order, and none before.
 */
export class PriceLevels {
  /** The price that is met first; `NONE` where the side is empty. */
  best = NONE
  /** Ends of each queue; they say something where it has orders. */
  first = new Int32Array(0)
  #last = new Int32Array(0)
  /** What remains of its orders together: a safe integer, checked where it grows. */
  quantity = new Float64Array(0)
  count = new Int32Array(0)
  /** 1: it has changed since it was last told. */
  changed = new Uint8Array(0)
  #bits = new PriceBits(0)
  readonly #prices: number
  readonly #lowest_first: boolean

  constructor(prices: number, lowest_first: boolean) {
    this.#prices = prices
    this.#lowest_first = lowest_first
  }

  /** Whether a price is met before, or together with, another one. */
  reaches(place: number, bound: number): boolean {
    return this.#lowest_first ? place <= bound : place >= bound
  }

  /** The price with orders that is met next after `place`; `NONE` where there is none. */
  after(place: number): number {
    return this.#lowest_first ? this.#bits.above(place) : this.#bits.below(place)
  }

  /** Puts an order at the end of its price's queue. @throws {InvariantError} the sum there is no safe integer */
  append(slots: OrderSlots, slot: number): void {
    if (this.first.length === 0) this.#allocate()
    const place = slots.place[slot]!
    this.quantity[place] = plus(this.quantity[place]!, slots.remaining[slot]!)
    slots.next[slot] = NONE
    const before = this.count[place]!
    this.count[place] = before + 1
    if (before === 0) {
      slots.previous[slot] = NONE
      this.first[place] = slot
      this.#bits.add(place)
      if (this.best === NONE || this.reaches(place, this.best)) this.best = place
    } else {
      const last = this.#last[place]!
      slots.previous[slot] = last
      slots.next[last] = slot
    }
    this.#last[place] = slot
  }

  /** Takes an order out, with what remains of it. */
  remove(slots: OrderSlots, slot: number): void {
    const place = slots.place[slot]!
    const next = slots.next[slot]!
    const previous = slots.previous[slot]!
    if (previous === NONE) this.first[place] = next
    else slots.next[previous] = next
    if (next === NONE) this.#last[place] = previous
    else slots.previous[next] = previous
    this.quantity[place]! -= slots.remaining[slot]!
    const left = this.count[place]! - 1
    this.count[place] = left
    if (left === 0) this.#empty(place)
  }

  #empty(place: number): void {
    this.#bits.remove(place)
    if (place === this.best) this.best = this.after(place)
  }

  #allocate(): void {
    this.first = new Int32Array(this.#prices)
    this.#last = new Int32Array(this.#prices)
    this.quantity = new Float64Array(this.#prices)
    this.count = new Int32Array(this.#prices)
    this.changed = new Uint8Array(this.#prices)
    this.#bits = new PriceBits(this.#prices)
  }
}
