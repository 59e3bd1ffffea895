import type { Instant } from '../../primitives/instants.ts'
import type { BackfillState } from '../../vocabulary/ingest.ts'

/**
 * What an operator is shown of ingest and backfills: `GET /internal/ingest?as_of=`. It is no part of the public API: it is
 * answered to this machine alone, and may change with any version.
 */
export type IngestOverview = {
  readonly as_of: Instant | null
  /** The service's clock; of the past, as_of. */
  readonly now: Instant
  readonly venues: readonly VenueIngest[]
  /** The latest first. */
  readonly backfills: readonly BackfillRun[]
}

/** `silent`: nothing was told for some minutes, as where no worker runs. */
const VENUE_INGEST_STATES = ['ok', 'degraded', 'down', 'silent'] as const
export type VenueIngestState = (typeof VENUE_INGEST_STATES)[number]

/** Counts are of all sessions so far. */
export type VenueIngest = {
  readonly venue_id: string
  readonly state: VenueIngestState
  /** When this was told. */
  readonly observed_at: Instant
  /** The last answer, message or heartbeat of the venue; null = none ever. */
  readonly last_success_at: Instant | null
  /** The latest instant that a record of it is about. */
  readonly last_source_at: Instant | null
  /** How often messages were missing or a stream had to be opened anew. */
  readonly gaps: number
  readonly quarantined: number
  readonly records_new: number
  readonly sessions: number
  /** What last went wrong, in one sentence; null while all is well. */
  readonly problem: string | null
}

export type BackfillRun = {
  readonly backfill_id: string
  readonly subject_kind: 'venue' | 'index'
  readonly subject_id: string
  readonly from: Instant
  readonly to: Instant
  readonly state: BackfillState
  /** 0 while it is planned. */
  readonly chunks_total: number
  readonly chunks_done: number
  readonly records_new: number
  readonly started_at: Instant
  readonly updated_at: Instant
}
