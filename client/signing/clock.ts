import { shown } from '../given.ts'
import { clientError } from '../tidemark-error.ts'

/** Greatest difference of two clocks that is corrected. Whoever answers could otherwise get signatures of a time of their choice. */
const AHEAD_MS_MAX = 300_000

/**
 * Returns the time that a service states minus that of this machine, in milliseconds.
 * @throws {TidemarkError} AUTH_TIMESTAMP_OUT_OF_WINDOW: the difference is too great, or the value no time
 */
export function aheadOf(server_time_ms: unknown, now_ms = Date.now()): number {
  const ahead_ms = Number(server_time_ms) - now_ms
  if (Math.abs(ahead_ms) <= AHEAD_MS_MAX) return Math.round(ahead_ms)
  const message = `the clock of this machine says ${timeText(now_ms)}, the service ${timeText(server_time_ms)}; allowed: ${AHEAD_MS_MAX / 1000} s apart`
  throw clientError('AUTH_TIMESTAMP_OUT_OF_WINDOW', message, false)
}

function timeText(time_ms: unknown): string {
  const time = new Date(typeof time_ms === 'number' ? time_ms : Number.NaN)
  return Number.isNaN(time.getTime()) ? shown(time_ms) : time.toISOString()
}
