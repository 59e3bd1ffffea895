import type { PayloadItem } from '../../connectors/archives/payloads/payload-item.ts'
import type { PayloadKind } from '../../connectors/archives/payloads/payload-kinds.ts'
import { arrivals } from '../../connectors/venues/arrivals.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { importLive } from '../import-live.ts'
import { createBackoff } from './backoff.ts'
import { waitFor } from './wait-for.ts'

export type FollowOptions = {
  readonly warehouse: Warehouse
  readonly archive: PayloadKind
  /** Opens the feeds of all venues; each begins with its catalogue, and ends soon after the signal is aborted. */
  readonly open: (signal: AbortSignal) => readonly AsyncIterable<PayloadItem>[]
  readonly signal: AbortSignal
  /** The longest that something waits in memory before it is committed. */
  readonly linger_ms: number
  readonly on_problem: (error: unknown) => void
}

/**
 * Imports what venues tell under the wall clock until the signal is aborted, then stores what has arrived. Where an import
 * fails (a full disk, say) all feeds are opened anew after a while: nothing stored is doubled.
 */
export async function followVenues(options: FollowOptions): Promise<void> {
  const { warehouse, archive, signal, linger_ms, on_problem } = options
  const backoff = createBackoff()
  while (!signal.aborted) {
    const feeds = new AbortController()
    const items = arrivals(options.open(AbortSignal.any([signal, feeds.signal])))
    try {
      await importLive({ archive, items, clock: 'wall', warehouse, linger_ms })
      backoff.reset()
    } catch (error) {
      on_problem(error)
      await waitFor(backoff.next(), signal)
    } finally {
      feeds.abort()
    }
  }
}
