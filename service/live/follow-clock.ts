import { setImmediate as nextTurn } from 'node:timers/promises'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { SimulatedClock } from '../../simulator/server/simulated-clock.ts'

/** Interval at which the clock is advanced. */
const STEP_MS = 250
/** Step for catching up, so that other work is not blocked. */
const PIECE: Micros = 600 * MICROS_PER_SECOND
/** Distance at which it has caught up; the timer does the rest. */
const CLOSE: Micros = STEP_MS * 1_000

/**
 * Makes a simulated clock follow a real one: catches up at once, then advances it until the returned function is called.
 * @param now    microseconds since 1970
 * @param signal ends the catching up
 */
export async function followClock(clock: SimulatedClock, now: () => Micros, signal: AbortSignal): Promise<() => void> {
  for (let end = now(); clock.now() < end - CLOSE; end = now()) {
    clock.advanceTo(Math.min(clock.now() + PIECE, end))
    await nextTurn()
    signal.throwIfAborted()
  }
  const timer = setInterval(() => clock.advanceTo(Math.max(clock.now(), now())), STEP_MS)
  return () => clearInterval(timer)
}
