import type { Micros } from './instants.ts'

/** Largest lead at which the steady clock still counts as the system clock with more digits, in milliseconds. */
const AGREE_MS = 2
/** Two reads of the steady clock within this time have nothing between them that takes long, in milliseconds. */
const AT_ONCE_MS = 1
/** A smaller step back comes of reading two clocks; a larger one is of a system clock that was set. */
const SET_MICROS = 10_000

/** Instant of the steady clock's zero: follows the system clock where that was set or the machine slept. */
let origin_ms = performance.timeOrigin
let last: Micros = 0

/**
 * Returns the wall clock of this machine, in microseconds. It goes back only where the system clock was set back, however long the
 * system lets this process wait between two reads. It is never behind the system clock: an instant that a caller on this machine
 * read before asking is not of the future. Only shells call it: a decision gets its instant as an argument.
 */
export function wallClock(): Micros {
  const before_ms = performance.now()
  const system_ms = Date.now()
  const steady_ms = performance.now()
  const at_once = steady_ms - before_ms < AT_ONCE_MS
  const lead_ms = origin_ms + steady_ms - system_ms
  // Behind is certain even after a wait, because the steady clock was read last.
  if (lead_ms < 0 || (at_once && lead_ms >= AGREE_MS)) origin_ms = system_ms - steady_ms
  const now = Math.floor((origin_ms + steady_ms) * 1000)
  if (now >= last || last - now >= SET_MICROS) last = now
  return last
}

/** Most by which the clocks of two hosts that keep time differ: one host's latest instant is not of the other's future. */
const HOSTS_APART_MICROS = 250_000

/** Returns whether an instant is past for a clock that reads `now`. One that another host may have read from its own clock is waited for. */
export async function isReached(at: Micros, now: Micros): Promise<boolean> {
  if (at - now > HOSTS_APART_MICROS) return false
  if (at > now) await new Promise((resolve) => setTimeout(resolve, Math.ceil((at - now) / 1000) + 1))
  return true
}
