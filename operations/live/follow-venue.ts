import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import { createBackoff } from '../../primitives/backoff.ts'
import { type IngestPorts, ingestSession } from './ingest-session.ts'
import { waitFor } from './wait-for.ts'

export type FollowOptions = Omit<IngestPorts, 'on_problem'> & {
  readonly venue_id: PayloadVenue
  /** Length of a session, after which the next one begins. */
  readonly session_ms: number
  readonly on_problem: (error: unknown) => void
}

/**
 * One session of a venue after the other until the signal is aborted: the scheduler in this process. Where nothing can be stored
 * (a full disk, say) a session ends, and the next one begins after a while: nothing stored is doubled.
 */
export async function followVenue({ venue_id, session_ms, ...ports }: FollowOptions): Promise<void> {
  const { signal, on_problem } = ports
  const backoff = createBackoff()
  while (!signal.aborted) {
    try {
      await ingestSession({ venue_id, session_ms }, ports)
      backoff.reset()
    } catch (error) {
      on_problem(error)
      await waitFor(backoff.next(), signal)
    }
  }
}
