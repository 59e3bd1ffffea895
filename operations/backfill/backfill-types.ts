import type { VenueConnector } from '../../connectors/venues/venue-connector.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { Instant, Micros } from '../../primitives/instants.ts'
import type { BackfillState } from '../../vocabulary/ingest.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** Request for a venue's past: source instants [from, to); `markets` null means all that existed in the range. */
export type BackfillRequest = {
  readonly venue_id: PayloadVenue
  readonly from: Instant
  readonly to: Instant
  /** The venue's own ids. */
  readonly markets: readonly string[] | null
}

/** One market's part of one UTC day, which is read, stored and repeated as a unit. */
export type BackfillChunk = {
  readonly venue_id: PayloadVenue
  readonly source_market_id: string
  readonly from: Instant
  readonly to: Instant
}

/** records_read = new + revised + duplicate + quarantined. All 0 means that the venue has nothing of that day. */
export type ChunkReport = {
  readonly records_read: number
  readonly records_new: number
  readonly records_revised: number
  readonly records_duplicate: number
  readonly records_quarantined: number
  /** Marks of the market's outcomes that were published, first ones and revisions. */
  readonly marks_published: number
}

/** Records and marks that were stored. */
export type StoredCounts = Pick<ChunkReport, 'records_new' | 'records_revised' | 'marks_published'>

export const NOTHING_STORED: StoredCounts = { records_new: 0, records_revised: 0, marks_published: 0 }

/** Adds two counts. */
export function addStored(a: StoredCounts, b: StoredCounts): StoredCounts {
  return {
    records_new: a.records_new + b.records_new,
    records_revised: a.records_revised + b.records_revised,
    marks_published: a.marks_published + b.marks_published,
  }
}

export type BackfillPorts = {
  readonly warehouse: Warehouse
  /** Returns this process's connection to a venue, used for many chunks; its creator closes it. */
  readonly connectorOf: (venue_id: PayloadVenue) => VenueConnector
  /** Ends the work in progress; stored records stay. */
  readonly signal?: AbortSignal | undefined
  /** Receives what a planning, or an attempt at a chunk, has stored so far: all that is known of an attempt that fails. */
  readonly on_stored?: ((so_far: StoredCounts) => void) | undefined
}

/** Chunk that could not be read: a later run reads it again. */
export type FailedChunk = {
  /** source_market_id or index_id. */
  readonly subject: string
  readonly from: Instant
  readonly code: string
  readonly message: string
}

/** Reported for every payload, as a sign of life. */
export type ChunkProgress = { readonly payloads_read: number }

/** The ticks [from, to) of one index: at most one UTC day. */
export type IndexChunk = { readonly index_id: string; readonly from: Instant; readonly to: Instant }

export type IndexChunkPorts = {
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
}

/** `published`: levels that were missing; 0 if all were published already, or none is due yet. */
export type IndexChunkReport = {
  readonly ticks: number
  readonly published: number
  readonly already_published: number
}

/** Progress of a backfill. `chunks_total` is 0 while it is planned. */
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
  /** Records or levels that were not stored before. */
  readonly records_new: number
  readonly started_at: Instant
  readonly updated_at: Instant
}

/** Lifetime of a market as its venue states it; null = unknown. */
export type MarketLife = {
  readonly source_market_id: string
  readonly opens_at: Micros | null
  /** When it ended; null while it is open or if the venue does not state it. A scheduled end does not count. */
  readonly ended_at: Micros | null
}
