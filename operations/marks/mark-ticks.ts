import type { Micros } from '../../primitives/instants.ts'

/** Distance of the ticks of marks, which are its multiples since the epoch. */
export const MARK_STEP: Micros = 60_000_000

/** Returns the first multiple of a step at or after an instant. */
export function tickFrom(at: Micros, step: Micros = MARK_STEP): Micros {
  return Math.ceil(at / step) * step + 0 // turns a negative zero into zero
}
