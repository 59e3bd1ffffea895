import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import { waitFor } from '../live/wait-for.ts'
import { holdWhilePaused } from '../pause/hold-while-paused.ts'
import type { Pauses } from '../pause/pauses.ts'
import type { OwnVenueWork } from './own-venue-work.ts'

export type RunOwnVenueOptions = {
  readonly work: OwnVenueWork
  readonly pauses: Pauses
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
}

const SESSION_MS = 60 * 60_000
const MINUTE_MS = 60_000
/** Milliseconds after the minute: marks are published some seconds after it; listing is not urgent. */
const MARKS_AT_MS = 10_000
const LISTING_AT_MS = 30_000

/** Runs the work for our own exchange without workflows, until the signal is aborted. Failures are reported and retried. */
export async function runOwnVenue({ work, pauses, signal, on_problem }: RunOwnVenueOptions): Promise<void> {
  const { own_venue, tell_marks, list_markets } = SCHEDULE_IDS
  await Promise.all([
    again(
      own_venue,
      (unpaused) => work.session({ session_ms: SESSION_MS }, { signal: unpaused, heartbeat: () => undefined }),
      () => 0,
    ),
    again(tell_marks, work.tellMarks, () => untilMinute(MARKS_AT_MS)),
    again(list_markets, work.listMarkets, () => untilMinute(LISTING_AT_MS)),
  ])

  async function again(
    schedule_id: string,
    turn: (unpaused: AbortSignal) => Promise<unknown>,
    next_ms: () => number,
  ): Promise<void> {
    while (!signal.aborted) {
      const failed = await holdWhilePaused({ pauses, schedule_id, signal }, turn).then(
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
