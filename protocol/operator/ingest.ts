import type { Instant } from '../../primitives/instants.ts'
import type { BackfillState } from '../../vocabulary/ingest.ts'

/**
 * State of ingest and backfills for an operator: `GET /internal/ingest?as_of=`. It is not part of the public API: only this
 * machine may read it, and it may change with any version.
 */
export type IngestOverview = {
  readonly as_of: Instant | null
  /** The service's clock, or as_of if given. */
  readonly now: Instant
  readonly venues: readonly VenueIngest[]
  /** Pauses that hold: of ingest, publication or upkeep. */
  readonly pauses: readonly SchedulePause[]
  /** Newest first. */
  readonly backfills: readonly BackfillRun[]
}

/** Pause that holds, of one schedule. */
export type SchedulePause = {
  /** `publish-tick`, `ingest-venue/<venue>` or another id that `tidemark schedules` lists. */
  readonly schedule_id: string
  readonly paused_by: string
  readonly paused_at: Instant
  readonly reason: string
}

/** `silent`: no report for some minutes, as when no worker runs. `paused`: by a person. */
export const VENUE_INGEST_STATES = ['ok', 'degraded', 'down', 'silent', 'paused'] as const
export type VenueIngestState = (typeof VENUE_INGEST_STATES)[number]

/** Ingest of one venue; counts cover all sessions so far. */
export type VenueIngest = {
  readonly venue_id: string
  readonly state: VenueIngestState
  /** Instant of this report. */
  readonly observed_at: Instant
  /** Last response, message or heartbeat of the venue; null: none yet. */
  readonly last_success_at: Instant | null
  /** Latest source_at of its records. */
  readonly last_source_at: Instant | null
  /** Number of times that messages were missing or a stream had to be reopened. */
  readonly gaps: number
  readonly quarantined: number
  readonly records_new: number
  readonly sessions: number
  /** Last failure in one sentence; null if there is none. */
  readonly problem: string | null
}

/** `interrupted`: it has not ended, and there is no report for some minutes, as when nobody works on it. */
export type BackfillRunState = BackfillState | 'interrupted'

export type BackfillRun = {
  readonly backfill_id: string
  readonly subject_kind: 'venue' | 'index'
  readonly subject_id: string
  readonly from: Instant
  readonly to: Instant
  readonly state: BackfillRunState
  /** 0 during planning. */
  readonly chunks_total: number
  readonly chunks_done: number
  readonly records_new: number
  readonly started_at: Instant
  readonly updated_at: Instant
}
