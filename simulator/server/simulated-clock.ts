import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'

/** A clock that moves only when told to, and notifies its listeners. */
export type SimulatedClock = {
  now(): Micros
  /** Moves it to `at`, which must not be earlier. */
  advanceTo(at: Micros): void
  /** Calls `listener` after each move; returns the function that removes it. */
  onAdvance(listener: (now: Micros) => void): () => void
}

/** Creates a clock at `start`. */
export function createSimulatedClock(start: Micros): SimulatedClock {
  let now = start
  const listeners = new Set<(now: Micros) => void>()
  return {
    now: () => now,
    advanceTo(at) {
      invariant(at >= now, `advanceTo: ${at} is before ${now}`)
      now = at
      for (const listener of listeners) listener(now)
    },
    onAdvance(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
