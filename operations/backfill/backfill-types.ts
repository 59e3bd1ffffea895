import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { Instant, Micros } from '../../primitives/instants.ts'
import type { BackfillState } from '../../vocabulary/ingest.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** What a venue's past is asked for: source instants [from, to); markets null = all that lived in the range. */
export type BackfillRequest = {
  readonly venue_id: PayloadVenue
  readonly from: Instant
  readonly to: Instant
  /** As the venue calls them. */
  readonly markets: readonly string[] | null
}

/** One market's part of one UTC day: what is read, stored and repeated as one piece. */
export type BackfillChunk = {
  readonly venue_id: PayloadVenue
  readonly source_market_id: string
  readonly from: Instant
  readonly to: Instant
}

/** records_read = new + revised + duplicate + quarantined. All 0: the venue has nothing of that day, which is an answer. */
export type ChunkReport = {
  readonly records_read: number
  readonly records_new: number
  readonly records_revised: number
  readonly records_duplicate: number
  readonly records_quarantined: number
}

export type BackfillPorts = {
  readonly warehouse: Warehouse
  /** The connection to a venue that this process keeps over many chunks; who made it closes it. */
  readonly connectorOf: (venue_id: PayloadVenue) => VenueConnector
  /** Ends the work under way; what was stored stays. */
  readonly signal?: AbortSignal | undefined
}

/** Told of every payload, so that whoever waits sees life. */
export type ChunkProgress = { readonly payloads_read: number }

/** The ticks [from, to) of one index: at most one UTC day. */
export type IndexChunk = { readonly index_id: string; readonly from: Instant; readonly to: Instant }

export type IndexChunkPorts = {
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
}

/** `published`: levels that were missing. All of them may have been there already, or none be due yet. */
export type IndexChunkReport = {
  readonly ticks: number
  readonly published: number
  readonly already_published: number
}

/** How far a backfill is. `chunks_total` is 0 while it is planned. */
export type BackfillProgress = {
  readonly backfill_id: string
  readonly subject_kind: 'venue' | 'index'
  /** A venue_id or an index_id. */
  readonly subject_id: string
  readonly from: Instant
  readonly to: Instant
  readonly state: BackfillState
  readonly chunks_total: number
  readonly chunks_done: number
  /** Records or levels that were not there before. */
  readonly records_new: number
  readonly started_at: Instant
  readonly updated_at: Instant
}

/** Instants of a market's life, as far as its venue says; null = unknown. */
export type MarketLife = {
  readonly source_market_id: string
  readonly opens_at: Micros | null
  /** When it ended; null = it goes on, or the venue does not say. A scheduled end is none. */
  readonly ended_at: Micros | null
}
