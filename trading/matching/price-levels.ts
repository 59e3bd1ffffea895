import { plus } from '../../primitives/safe-integers.ts'
import type { OrderSlots } from './order-slots.ts'
import { NONE, PriceBits } from './price-bits.ts'

/**
 * One side of a book: a queue of orders for each tick, oldest first, found by index. A side takes 33 bytes a tick once it has had
 * an order, and none before.
 */
export class PriceLevels {
  /** Best tick; `NONE` if the side is empty. */
  best = NONE
  /** Ends of each queue; meaningless for an empty one. */
  first = new Int32Array(0)
  #last = new Int32Array(0)
  /** Sum of the remainders of a level's orders: a safe integer, checked when it grows. */
  quantity = new Float64Array(0)
  count = new Int32Array(0)
  /** The part of both that is of mirrored orders. */
  mirrored_quantity = new Float64Array(0)
  mirrored_count = new Int32Array(0)
  /** 1: changed since it was last published. */
  changed = new Uint8Array(0)
  #bits = new PriceBits(0)
  readonly #prices: number
  readonly #lowest_first: boolean

  constructor(prices: number, lowest_first: boolean) {
    this.#prices = prices
    this.#lowest_first = lowest_first
  }

  /** Whether a tick is as good as another one, or better. */
  reaches(place: number, bound: number): boolean {
    return this.#lowest_first ? place <= bound : place >= bound
  }

  /** Returns the next tick with orders after `place`; `NONE` if there is none. */
  after(place: number): number {
    return this.#lowest_first ? this.#bits.above(place) : this.#bits.below(place)
  }

  /** Appends an order to the queue of its tick. @throws {InvariantError} the sum there is not a safe integer */
  append(slots: OrderSlots, slot: number): void {
    if (this.first.length === 0) this.#allocate()
    const place = slots.place[slot]!
    this.quantity[place] = plus(this.quantity[place]!, slots.remaining[slot]!)
    if (slots.mirrored[slot] === 1) {
      this.mirrored_quantity[place]! += slots.remaining[slot]!
      this.mirrored_count[place]! += 1
    }
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

  /** Cuts `quantity`, less than all, off an order. */
  reduce(slots: OrderSlots, slot: number, quantity: number): void {
    const place = slots.place[slot]!
    slots.remaining[slot]! -= quantity
    this.quantity[place]! -= quantity
    if (slots.mirrored[slot] === 1) this.mirrored_quantity[place]! -= quantity
  }

  /** Removes an order with its remainder. */
  remove(slots: OrderSlots, slot: number): void {
    const place = slots.place[slot]!
    const next = slots.next[slot]!
    const previous = slots.previous[slot]!
    if (previous === NONE) this.first[place] = next
    else slots.next[previous] = next
    if (next === NONE) this.#last[place] = previous
    else slots.previous[next] = previous
    this.quantity[place]! -= slots.remaining[slot]!
    if (slots.mirrored[slot] === 1) {
      this.mirrored_quantity[place]! -= slots.remaining[slot]!
      this.mirrored_count[place]! -= 1
    }
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
    this.mirrored_quantity = new Float64Array(this.#prices)
    this.mirrored_count = new Int32Array(this.#prices)
    this.changed = new Uint8Array(this.#prices)
    this.#bits = new PriceBits(this.#prices)
  }
}
