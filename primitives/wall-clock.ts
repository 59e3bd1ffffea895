import type { Micros } from './instants.ts'

/** Largest distance at which the steady clock still counts as the system clock with more digits, in milliseconds. */
const AGREE_MS = 2

/**
 * Returns the wall clock of this machine, in microseconds; in whole milliseconds once the system clock was set or the machine
 * slept, which the steady clock of the process does not follow. Only shells call it: a decision gets its instant as an argument.
 */
export function wallClock(): Micros {
  const [system_ms, steady_ms] = [Date.now(), performance.timeOrigin + performance.now()]
  return Math.floor((Math.abs(steady_ms - system_ms) < AGREE_MS ? steady_ms : system_ms) * 1000)
}
