import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import type { BackfillChunk, BackfillProgress, ChunkReport } from '../../operations/backfill/backfill-types.ts'
import type { IngestReport } from '../../operations/live/ingest-session.ts'
import type { PublishedTick } from '../../operations/live/live-publisher.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { DurationString, Instant } from '../../primitives/instants.ts'
import type { BackfillPart } from '../backfill-plan.ts'

/** Everything that workflows have done for them. Arguments and results are ids, instants and counts, never data sets. */
export type Activities = {
  publishDue(args: PublishArgs): Promise<PublishedTick>
  ingestSession(args: IngestArgs): Promise<IngestReport>
  planBackfill(args: PlanArgs): Promise<PlannedBackfill>
  readBackfillPlan(args: PlanPageArgs): Promise<readonly BackfillPart[]>
  backfillChunk(chunk: BackfillChunk & { readonly backfill_id: string }): Promise<ChunkReport>
  computeIndexRange(args: IndexRangeArgs): Promise<IndexRangeReport>
  recordBackfill(progress: BackfillProgress): Promise<void>
  replayMethodology(args: ReplayArgs): Promise<ReplayReport>
  correctIndex(args: CorrectArgs): Promise<CorrectReport>
  compactTables(args: CompactArgs): Promise<UpkeepReport>
  vacuumTables(args: VacuumArgs): Promise<UpkeepReport>
  sealTables(args: { readonly through: Instant }): Promise<UpkeepReport>
  recordDigests(): Promise<UpkeepReport>
}

/** All ticks that are due and not published yet; `tick_at` is the newest that the caller knows of. */
export type PublishArgs = { readonly tick_at: Instant }

export type IngestArgs = { readonly venue_id: PayloadVenue; readonly session_ms: number }

export type PlanArgs = { readonly backfill_id: string; readonly subject: BackfillSubject }
export type PlannedBackfill = { readonly parts: number; readonly chunks: number }
/** Parts [offset, offset + limit) of a plan. */
export type PlanPageArgs = PlanArgs & { readonly offset: number; readonly limit: number }

export type IndexRangeArgs = { readonly index_id: string; readonly from: Instant; readonly to: Instant }
export type IndexRangeReport = {
  readonly ticks: number
  readonly published: number
  readonly already_published: number
}

/**
 * `target`: INDEX[@VERSION], or the path of a definition file below `<home>/definitions`. `replay_id` names the result.
 */
export type ReplayArgs = {
  readonly replay_id: string
  readonly target: string
  readonly from: Instant
  readonly to: Instant
  readonly as_of: Instant
}
/** `file`: NDJSON, one line a tick, the same text as `tidemark index replay --json` prints. */
export type ReplayReport = { readonly file: string; readonly lines: number; readonly sha256: string }

export type CorrectArgs = {
  readonly index_id: string
  readonly from: Instant | null
  readonly to: Instant | null
  readonly reason: string
}
export type CorrectReport = { readonly index_id: string; readonly ticks_checked: number; readonly revised: number }

/** `whole`: also interval files and recorded answers of tables that are large. */
export type CompactArgs = { readonly whole: boolean }
export type VacuumArgs = { readonly retention: DurationString }
/** Tables looked at, and what was changed: files merged or deleted, tables sealed, answers recorded. */
export type UpkeepReport = { readonly tables: number; readonly changed: number }
