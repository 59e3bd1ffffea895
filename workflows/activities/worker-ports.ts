import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { IngestReport } from '../../operations/live/ingest-session.ts'
import type { PublishedTick } from '../../operations/live/live-publisher.ts'
import type { OwnVenueWork } from '../../operations/own-venue/own-venue-work.ts'
import type { SettlementPorts } from '../../operations/settlement/settlement-ports.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { IngestArgs } from './activity-types.ts'

/** How a long piece of work is watched: it ends soon after the signal is aborted, and says that it lives. */
export type Watch = {
  readonly signal: AbortSignal
  /** What is shown of it meanwhile: ids and counts. */
  readonly heartbeat: (details: unknown) => void
}

/** What one process lends to its activities. */
export type WorkerPorts = {
  readonly warehouse: Warehouse
  /** Folder in which plans, definitions and replays lie. */
  readonly home: string
  /** Publishes what is due, one call after the other: it remembers between the ticks. */
  readonly publish: () => Promise<PublishedTick>
  /** One session of a venue. */
  readonly ingest: (args: IngestArgs, watch: Watch) => Promise<IngestReport>
  /** The connection to a venue that this process keeps over many chunks. */
  readonly connectorOf: (venue_id: PayloadVenue) => VenueConnector
  /** The trading database, its engine and the rail; null: nothing is traded here. */
  readonly settlement: ((signal: AbortSignal) => SettlementPorts) | null
  /** What is kept of our own exchange; null: nothing is traded here. */
  readonly own_venue: OwnVenueWork | null
}
