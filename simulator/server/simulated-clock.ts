import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'

/** A clock that stands until it is moved, and tells who listens. */
export type SimulatedClock = {
  now(): Micros
  /** Moves it to `at`, which is not before its present instant. */
  advanceTo(at: Micros): void
  /** Calls `listener` after each move; gives the function that ends that. */
  onAdvance(listener: (now: Micros) => void): () => void
}

/** A clock that stands at `start`. */
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
