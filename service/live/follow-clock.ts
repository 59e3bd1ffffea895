import { setImmediate as nextTurn } from 'node:timers/promises'
import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import type { SimulatedClock } from '../../simulator/server/simulated-clock.ts'

/** Interval at which the clock is advanced. */
const STEP_MS = 250
/** Step for catching up, so that other work is not blocked. */
const PIECE: Micros = 600 * MICROS_PER_SECOND

/**
 * Makes a simulated clock follow a real one: catches up at once, then advances it until the returned function is called.
 * @param now    microseconds since 1970
 * @param signal ends the catching up
 */
export async function followClock(clock: SimulatedClock, now: () => Micros, signal: AbortSignal): Promise<() => void> {
  for (let at = clock.now(); at < now(); at = Math.min(at + PIECE, now())) {
    clock.advanceTo(Math.max(clock.now(), at)) // the real clock may be set back meanwhile
    await nextTurn()
    signal.throwIfAborted()
  }
  const timer = setInterval(() => clock.advanceTo(Math.max(clock.now(), now())), STEP_MS)
  return () => clearInterval(timer)
}
