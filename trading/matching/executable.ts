import type { OrderSlots } from './order-slots.ts'
import { NONE } from './price-bits.ts'
import type { PriceLevels } from './price-levels.ts'
import { type Holder, type ReduceOnlyOrders, roomToReduce } from './reduce-only-orders.ts'
import type { Executable, Taker, Trial } from './taker.ts'

/**
 * Returns what an order could execute at once, up to its quantity, meeting other holders' orders in execution order. Nothing
 * behind an own order that stops it counts, nor does a reduce_only order that a fill before it would end, nor a match that
 * cannot be booked.
 * @param bound the order's limit price as a tick
 */
export function executableIn(
  slots: OrderSlots,
  levels: PriceLevels,
  reduce_only: ReduceOnlyOrders,
  holders: readonly Holder[],
  taker: Taker,
  trial: Trial,
  bound: number,
  priceOf: (place: number) => number,
): Executable {
  const ending =
    reduce_only.count === 0 ? null : new EndingOrders(slots, reduce_only, holders, taker.side === 'BUY' ? 1 : 0)
  const goes_on = taker.intent.self_trade_prevention === 'cancel_maker'
  const wanted = taker.remaining_quantity
  let [quantity, value] = [0, 0]
  for (let place = levels.best; place !== NONE && levels.reaches(place, bound); place = levels.after(place)) {
    for (let slot = levels.first[place]!; slot !== NONE; slot = slots.next[slot]!) {
      if (quantity === wanted) return { quantity, value }
      if (ending?.has(slot) === true) continue
      if (trial.isEnding(slot)) {
        ending?.leave(slot)
        continue
      }
      if (slots.holder[slot]! !== taker.position.holder) {
        const part = Math.min(slots.remaining[slot]!, wanted - quantity)
        const permit = trial.permits(slot, part)
        if (permit === 'taker_ends') return { quantity, value }
        if (permit === 'maker_ends') {
          ending?.leave(slot)
          continue
        }
        quantity += part
        value += part * priceOf(place)
        ending?.fill(slot, part)
      } else if (goes_on) trial.prevented(slot)
      else return { quantity, value }
    }
  }
  return { quantity, value }
}

type Room = { left: number; promised: number }

/** Tracks which reduce_only orders of the side would have ended, fill by fill. */
class EndingOrders {
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

  /** Counts an order that ends without a fill. */
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
