import { NONE } from './price-bits.ts'

const FIRST_CAPACITY = 64

/**
 * What a book knows of its resting orders, column by column. An order has a slot while it rests; slots are used again, the one that
 * was freed last first. Queues go through slots, so that an order is put in and taken out without a search or an object. Readers index
 * the columns themselves: that is what matching does most.
 */
export class OrderSlots {
  /** Its price as the number of steps above the lowest. */
  place = new Int32Array(FIRST_CAPACITY)
  /** 0 of a BUY, 1 of a SELL. */
  side = new Uint8Array(FIRST_CAPACITY)
  /** 1 where it is. */
  reduce_only = new Uint8Array(FIRST_CAPACITY)
  /** Whose it is: the place of a position among its outcome's. */
  holder = new Int32Array(FIRST_CAPACITY)
  /** Whole and below 2^53, as everything that is counted in quantities. */
  remaining = new Float64Array(FIRST_CAPACITY)
  /** Neighbours in the queue of its price. */
  next = new Int32Array(FIRST_CAPACITY)
  previous = new Int32Array(FIRST_CAPACITY)
  /** Neighbours among its holder's reduce_only orders of the side. */
  newer = new Int32Array(FIRST_CAPACITY)
  older = new Int32Array(FIRST_CAPACITY)
  /** Slots that were never used begin here. */
  #unused = 0
  /** The slot that was freed last; those before it follow as its `next`. */
  #freed = NONE

  /** A slot that is free. */
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
