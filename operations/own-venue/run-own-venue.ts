import { waitFor } from '../live/wait-for.ts'
import type { OwnVenueWork } from './own-venue-work.ts'

export type RunOwnVenueOptions = {
  readonly work: OwnVenueWork
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
}

const SESSION_MS = 60 * 60_000
const MINUTE_MS = 60_000
/** Milliseconds after the minute: marks are published some seconds after it; listing is not urgent. */
const MARKS_AT_MS = 10_000
const LISTING_AT_MS = 30_000

/** Runs the work for our own exchange without workflows, until the signal is aborted. Failures are reported and retried. */
export async function runOwnVenue({ work, signal, on_problem }: RunOwnVenueOptions): Promise<void> {
  await Promise.all([
    again(
      () => work.session({ session_ms: SESSION_MS }, { signal, heartbeat: () => undefined }),
      () => 0,
    ),
    again(work.tellMarks, () => untilMinute(MARKS_AT_MS)),
    again(work.listMarkets, () => untilMinute(LISTING_AT_MS)),
  ])

  async function again(turn: () => Promise<unknown>, next_ms: () => number): Promise<void> {
    while (!signal.aborted) {
      const failed = await turn().then(
        () => false,
        (error: unknown) => {
          on_problem(error)
          return true
        },
      )
      const wait_ms = next_ms()
      await waitFor(failed ? Math.max(wait_ms, AFTER_FAILURE_MS) : wait_ms, signal)
    }
  }
}

const AFTER_FAILURE_MS = 5_000

/** Milliseconds until the next instant `offset_ms` after a full minute. */
function untilMinute(offset_ms: number): number {
  return MINUTE_MS - ((Date.now() - offset_ms) % MINUTE_MS)
}
