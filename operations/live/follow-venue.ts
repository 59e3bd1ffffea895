import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import { createBackoff } from '../../primitives/backoff.ts'
import type { IngestReport, IngestSession } from './ingest-session.ts'
import { waitFor } from './wait-for.ts'

export type FollowOptions = {
  readonly venue_id: PayloadVenue
  /** Length of a session, after which the next one begins. */
  readonly session_ms: number
  /** Runs one session; waits while the venue's ingest is paused. */
  readonly session: (session: IngestSession, watch: SessionWatch) => Promise<IngestReport>
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
}

type SessionWatch = { readonly signal: AbortSignal; readonly heartbeat: () => void }

/**
 * One session of a venue after the other until the signal is aborted: the scheduler in this process. Where nothing can be stored
 * (a full disk, say) a session ends, and the next one begins after a while: nothing stored is doubled.
 */
export async function followVenue({ venue_id, session_ms, session, signal, on_problem }: FollowOptions): Promise<void> {
  const backoff = createBackoff()
  while (!signal.aborted) {
    try {
      await session({ venue_id, session_ms }, { signal, heartbeat: () => undefined })
      backoff.reset()
    } catch (error) {
      on_problem(error)
      await waitFor(backoff.next(), signal)
    }
  }
}
