import { NONE } from './price-bits.ts'

const FIRST_CAPACITY = 64

/**
 * Resting orders of a book, column by column. An order has a slot while it rests; the slot freed last is used first. Queues link
 * slots, so that orders are added and removed without a search or an object. Readers index the columns directly, since matching
 * spends most of its time there.
 */
export class OrderSlots {
  /** Price as a tick: the number of steps above the lowest price. */
  place = new Int32Array(FIRST_CAPACITY)
  /** 0: BUY, 1: SELL. */
  side = new Uint8Array(FIRST_CAPACITY)
  /** 1: reduce_only. */
  reduce_only = new Uint8Array(FIRST_CAPACITY)
  /** 1: signed for the second outcome of a complementary market. */
  mirrored = new Uint8Array(FIRST_CAPACITY)
  /** Number of the holder's position in the outcome. */
  holder = new Int32Array(FIRST_CAPACITY)
  /** Whole number below 2^53, like all quantities. */
  remaining = new Float64Array(FIRST_CAPACITY)
  /** Neighbors in the queue of its price. */
  next = new Int32Array(FIRST_CAPACITY)
  previous = new Int32Array(FIRST_CAPACITY)
  /** Neighbors among its holder's reduce_only orders of the side. */
  newer = new Int32Array(FIRST_CAPACITY)
  older = new Int32Array(FIRST_CAPACITY)
  /** First slot that was never used. */
  #unused = 0
  /** Slot that was freed last; earlier ones follow as its `next`. */
  #freed = NONE

  /** Returns a free slot. */
  take(): number {
    const slot = this.#freed
    if (slot !== NONE) {
      this.#freed = this.next[slot]!
      return slot
    }
    if (this.#unused === this.place.length) this.#grow()
    this.#unused += 1
    return this.#unused - 1
  }

  free(slot: number): void {
    this.next[slot] = this.#freed
    this.#freed = slot
  }

  #grow(): void {
    const capacity = this.place.length * 2
    this.place = filled(new Int32Array(capacity), this.place)
    this.side = filled(new Uint8Array(capacity), this.side)
    this.reduce_only = filled(new Uint8Array(capacity), this.reduce_only)
    this.mirrored = filled(new Uint8Array(capacity), this.mirrored)
    this.holder = filled(new Int32Array(capacity), this.holder)
    this.remaining = filled(new Float64Array(capacity), this.remaining)
    this.next = filled(new Int32Array(capacity), this.next)
    this.previous = filled(new Int32Array(capacity), this.previous)
    this.newer = filled(new Int32Array(capacity), this.newer)
    this.older = filled(new Int32Array(capacity), this.older)
  }
}

function filled<T extends Int32Array | Uint8Array | Float64Array>(column: T, from: T): T {
  column.set(from)
  return column
}
