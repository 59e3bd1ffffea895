import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { IngestFacts } from '../../operations/live/ingest-health.ts'
import { ingestSession } from '../../operations/live/ingest-session.ts'
import { openLivePublisher, type PublishedTick } from '../../operations/live/live-publisher.ts'
import { holdWhilePaused } from '../../operations/pause/hold-while-paused.ts'
import { openPauses } from '../../operations/pause/pauses.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import { ingestScheduleOf } from '../../vocabulary/schedules.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { WorkerPorts } from '../../workflows/activities/worker-ports.ts'
import { type FeedOutput, feedNotes } from './feed-notes.ts'

export type LivePortsOptions = {
  readonly home: string
  readonly warehouse: Warehouse
  /** Opens a connection to a venue. */
  readonly connect: (venue_id: PayloadVenue) => VenueConnector
  /** Whether an index is published live. */
  readonly follows: (index_id: string) => boolean
  readonly on_problem: (error: unknown) => void
  readonly output: FeedOutput
  /** Settlement of the trading core; left out: there is none. */
  readonly settlement?: WorkerPorts['settlement']
  readonly own_venue?: WorkerPorts['own_venue']
  readonly on_tick?: ((tick: PublishedTick) => void) | undefined
}

/** Ports that this process gives to its scheduler or Temporal worker. */
export type LivePorts = WorkerPorts & {
  /** Time of the last publication in this process, in Unix milliseconds; 0: never. */
  readonly publishedAt: () => number
  /** Closes the open connections. */
  close(): Promise<void>
}

/** Opens the publisher and the venue connections of a process. */
export function openLivePorts(options: LivePortsOptions): LivePorts {
  const { home, warehouse, connect, follows, on_problem, on_tick, settlement = null, own_venue = null } = options
  const publisher = openLivePublisher(warehouse, { follows })
  const pauses = openPauses(warehouse)
  const noteHealth = feedNotes(options.output)
  const kept = new Map<PayloadVenue, VenueConnector>()
  let published_ms = 0
  const publish = serialized(async () => {
    const tick = await publisher.publishDue()
    published_ms = Date.now()
    on_tick?.(tick)
    return tick
  })
  return {
    home,
    warehouse,
    pauses,
    settlement,
    own_venue,
    publish,
    publishedAt: () => published_ms,
    ingest: async ({ venue_id, session_ms }, { signal, heartbeat }) => {
      const schedule_id = ingestScheduleOf(venue_id)
      const report = await holdWhilePaused({ pauses, schedule_id, signal }, (unpaused) => {
        const on_health = (facts: IngestFacts) => noteHealth(venue_id, facts)
        const ports = { warehouse, connect: () => connect(venue_id), signal: unpaused, on_problem, on_health }
        return ingestSession({ venue_id, session_ms }, ports, heartbeat)
      })
      return report ?? NOTHING_INGESTED
    },
    connectorOf: (venue_id) => {
      const connector = kept.get(venue_id) ?? connect(venue_id)
      kept.set(venue_id, connector)
      return connector
    },
    close: async () => {
      await Promise.all([...kept.values()].map((connector) => connector.close()))
    },
  }
}

const NOTHING_INGESTED = { records_new: 0, gaps: 0, quarantined: 0, last_source_at: null } as const

/** Runs calls one after the other, also after failures. */
function serialized<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
