import type { OrderSlots } from './order-slots.ts'
import { NONE } from './price-bits.ts'
import { type Holder, type ReduceOnlyOrders, roomToReduce } from './reduce-only-orders.ts'

/** Remainders of the reduce_only orders that a tried taker meets, in execution order. */
export type ReduceOnlyLimits = {
  /** Whether nothing is left of an order. */
  has(slot: number): boolean
  /** Returns the quantity that an order can still execute. */
  leftOf(slot: number): number
  /** Counts a match of an order. */
  fill(slot: number, quantity: number): void
  /** Counts an order that ends without a fill. */
  leave(slot: number): void
}

/**
 * Trims reduce_only orders of a complementary market to what their holders have left. All orders of the holder that are covered before
 * one of them execute before it, so that its cover is what the fills before it have left.
 */
export class TrimmedOrders implements ReduceOnlyLimits {
  readonly #slots: OrderSlots
  readonly #holders: readonly Holder[]
  readonly #side: number
  /** By holder. */
  readonly #filled = new Map<number, number>()

  constructor(slots: OrderSlots, holders: readonly Holder[], side: number) {
    this.#slots = slots
    this.#holders = holders
    this.#side = side
  }

  has(slot: number): boolean {
    return this.leftOf(slot) === 0
  }

  leftOf(slot: number): number {
    const remaining = this.#slots.remaining[slot]!
    if (this.#slots.reduce_only[slot] === 0) return remaining
    const holder = this.#slots.holder[slot]!
    const room = roomToReduce(this.#holders[holder]!, this.#side) - (this.#filled.get(holder) ?? 0)
    return Math.min(remaining, Math.max(room, 0))
  }

  fill(slot: number, quantity: number): void {
    const holder = this.#slots.holder[slot]!
    this.#filled.set(holder, (this.#filled.get(holder) ?? 0) + quantity)
  }

  leave(): void {
    // An order that ends changes no holding.
  }
}

type Room = { left: number; promised: number }

/** Tracks which reduce_only orders of the side would have ended, fill by fill. */
export class EndingOrders implements ReduceOnlyLimits {
  readonly #slots: OrderSlots
  readonly #orders: ReduceOnlyOrders
  readonly #holders: readonly Holder[]
  readonly #side: number
  readonly #gone = new Set<number>()
  readonly #rooms = new Map<number, Room>()

  constructor(slots: OrderSlots, orders: ReduceOnlyOrders, holders: readonly Holder[], side: number) {
    this.#slots = slots
    this.#orders = orders
    this.#holders = holders
    this.#side = side
  }

  has(slot: number): boolean {
    return this.#gone.has(slot)
  }

  leftOf(slot: number): number {
    return this.#slots.remaining[slot]!
  }

  fill(slot: number, quantity: number): void {
    const holder = this.#slots.holder[slot]!
    const room = this.#roomOf(holder)
    if (room === null) return
    room.left = Math.max(room.left - quantity, 0)
    if (this.#slots.reduce_only[slot] === 1) {
      room.promised -= quantity
      this.#gone.add(slot)
    }
    this.#end(holder, room)
  }

  leave(slot: number): void {
    if (this.#slots.reduce_only[slot] === 0) return
    this.#roomOf(this.#slots.holder[slot]!)!.promised -= this.#slots.remaining[slot]!
    this.#gone.add(slot)
  }

  #roomOf(holder: number): Room | null {
    const promised = this.#orders.remaining(holder, this.#side)
    if (promised === 0) return null
    const room = this.#rooms.get(holder) ?? { left: roomToReduce(this.#holders[holder]!, this.#side), promised }
    this.#rooms.set(holder, room)
    return room
  }

  #end(holder: number, room: Room): void {
    const slots = this.#slots
    for (
      let slot = this.#orders.newest(holder, this.#side);
      slot !== NONE && room.promised > room.left;
      slot = slots.older[slot]!
    ) {
      if (this.#gone.has(slot)) continue
      this.#gone.add(slot)
      room.promised -= slots.remaining[slot]!
    }
  }
}
