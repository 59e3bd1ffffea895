import type { PublishedTick } from '../../../operations/live/live-publisher.ts'
import { invariant } from '../../../primitives/errors.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import type { WorkerPorts } from '../../../workflows/activities/worker-ports.ts'

export const TICK: PublishedTick = { at: '2026-01-01T00:00:05Z', levels: 3, marks: 5, commits: 2 }

/** Ports that publish and ingest nothing; what a test is about is given. */
export function fakePorts(
  warehouse: Pick<Warehouse, 'root'>,
  home: string,
  given: Partial<WorkerPorts> = {},
): WorkerPorts {
  return {
    warehouse: warehouse as Warehouse,
    home,
    pauses: { acts: async () => [], of: async () => null },
    publish: async () => TICK,
    ingest: async ({ venue_id }, { signal, heartbeat }) => {
      heartbeat({ venue_id })
      if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      return { records_new: 1, gaps: 0, quarantined: 0, last_source_at: null }
    },
    settlement: null,
    own_venue: null,
    connectorOf: (venue_id) => invariant(false, `no connector of ${venue_id}`) as never,
    ...given,
  }
}
