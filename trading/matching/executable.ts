import type { OrderSlots } from './order-slots.ts'
import { NONE } from './price-bits.ts'
import type { PriceLevels } from './price-levels.ts'
import type { ReduceOnlyLimits } from './reduce-only-limits.ts'
import type { Ending, Executable, Taker, Trial } from './taker.ts'

/**
 * Returns what an order could execute at once, up to its quantity, meeting other holders' orders in execution order, and what stops
 * it. Nothing behind an own order that stops it counts, nor what a fill before it would end or trim of a reduce_only order, nor a
 * match that cannot be booked.
 * @param limits of the reduce_only orders that it meets; null: there are none
 * @param bound the order's limit price as a tick
 */
export function executableIn(
  slots: OrderSlots,
  levels: PriceLevels,
  limits: ReduceOnlyLimits | null,
  taker: Taker,
  trial: Trial,
  bound: number,
  priceOf: (place: number) => number,
): Executable {
  const goes_on = taker.intent.self_trade_prevention === 'cancel_maker'
  const { time_in_force } = taker.intent
  const wanted = taker.remaining_quantity
  let [quantity, value] = [0, 0]
  const stopped = (ending: Ending) =>
    ({ quantity, value, ending: time_in_force === 'FOK' ? 'unfillable' : ending }) as const
  for (let place = levels.best; place !== NONE && levels.reaches(place, bound); place = levels.after(place)) {
    for (let slot = levels.first[place]!; slot !== NONE; slot = slots.next[slot]!) {
      if (quantity === wanted) return { quantity, value, ending: 'filled' }
      if (limits?.has(slot) === true) continue
      if (trial.isEnding(slot)) {
        limits?.leave(slot)
        continue
      }
      if (slots.holder[slot]! !== taker.position.holder) {
        const allowed = trial.allowance(slot)
        if (allowed === 0) {
          limits?.leave(slot)
          continue
        }
        const part = Math.min(limits?.leftOf(slot) ?? slots.remaining[slot]!, wanted - quantity, allowed)
        const permit = trial.permits(slot, part)
        if (permit === 'taker_ends') return stopped('unbookable')
        if (permit === 'maker_ends') {
          limits?.leave(slot)
          continue
        }
        quantity += part
        value += part * priceOf(place)
        limits?.fill(slot, part)
      } else {
        trial.prevented(slot, Math.min(slots.remaining[slot]!, wanted - quantity))
        if (!goes_on) return stopped('prevented')
      }
    }
  }
  if (quantity === wanted) return { quantity, value, ending: 'filled' }
  return stopped(time_in_force === 'FAK' ? 'unfilled' : 'rests')
}
