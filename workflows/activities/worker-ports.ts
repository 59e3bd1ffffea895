import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { IngestReport } from '../../operations/live/ingest-session.ts'
import type { PublishedTick } from '../../operations/live/live-publisher.ts'
import type { OwnVenueWork } from '../../operations/own-venue/own-venue-work.ts'
import type { Pauses } from '../../operations/pause/pauses.ts'
import type { SettlementPorts } from '../../operations/settlement/settlement-ports.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { IngestArgs } from './activity-types.ts'

/** Cancellation and heartbeat of long work: it ends soon after the signal is aborted. */
export type Watch = {
  readonly signal: AbortSignal
  /** Sets the details of the next heartbeat: ids and counts. */
  readonly heartbeat: (details: unknown) => void
}

/** Dependencies of a process's activities. */
export type WorkerPorts = {
  readonly warehouse: Warehouse
  /** Pauses that people have made. */
  readonly pauses: Pauses
  /** Folder of what this host alone has: its roster, and definitions of earlier releases. */
  readonly home: string
  /** Publishes due ticks; calls are serialized because it keeps state between them. */
  readonly publish: () => Promise<PublishedTick>
  /** Runs one session of a venue; waits while its ingest is paused. */
  readonly ingest: (args: IngestArgs, watch: Watch) => Promise<IngestReport>
  /** Returns the connection to a venue, which this process keeps over many chunks. */
  readonly connectorOf: (venue_id: PayloadVenue) => VenueConnector
  /** Trading database, engine and rail; null: this worker has no trading database. */
  readonly settlement: ((signal: AbortSignal) => SettlementPorts) | null
  /** Work for our own exchange; null: this worker has no trading database. */
  readonly own_venue: OwnVenueWork | null
}
