import { waitFor } from '../live/wait-for.ts'
import type { OwnVenueWork } from './own-venue-work.ts'

export type RunOwnVenueOptions = {
  readonly work: OwnVenueWork
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
}

const SESSION_MS = 60 * 60_000
const MINUTE_MS = 60_000
/** Marks are published some seconds after the minute; what is listed has no hurry. */
const MARKS_AT_MS = 10_000
const LISTING_AT_MS = 30_000

/** What workflows do for our own exchange, by one process without them, until the signal is aborted. Failures end nothing. */
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

/** Until the next instant that is so long after a full minute. */
function untilMinute(offset_ms: number): number {
  return MINUTE_MS - ((Date.now() - offset_ms) % MINUTE_MS)
}
