import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import type {
  BackfillChunk,
  BackfillProgress,
  ChunkReport,
  StoredCounts,
} from '../../operations/backfill/backfill-types.ts'
import type { IngestReport } from '../../operations/live/ingest-session.ts'
import type { PublishedTick } from '../../operations/live/live-publisher.ts'
import type { OwnVenueReport } from '../../operations/own-venue/own-venue-session.ts'
import type { ListingCounts } from '../../operations/own-venue/own-venue-work.ts'
import type { SettlementWindow } from '../../operations/settlement/await-window.ts'
import type { SettlementWorkList } from '../../operations/settlement/await-work.ts'
import type { DueAttempts } from '../../operations/settlement/due-settlements.ts'
import type { ResolutionOf, ResolutionProgress } from '../../operations/settlement/resolution-step.ts'
import type { SettledAttempts } from '../../operations/settlement/settle-attempts.ts'
import type { SettledWindows } from '../../operations/settlement/settle-windows.ts'
import type { ReviewStanding } from '../../pipelines/review/review-phase.ts'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { DurationString, Instant } from '../../primitives/instants.ts'
import type { BackfillPart, ChunkSums } from '../backfill-plan.ts'

/** All activities. Arguments and results are ids, instants and counts, never data sets. */
export type Activities = {
  publishDue(args: PublishArgs): Promise<PublishedTick>
  ingestSession(args: IngestArgs): Promise<IngestReport>
  planBackfill(args: PlanArgs): Promise<PlannedBackfill>
  readBackfillPlan(args: PlanPageArgs): Promise<readonly BackfillPart[]>
  backfillChunk(chunk: BackfillChunk & { readonly backfill_id: string }): Promise<ChunkReport>
  computeIndexRange(args: IndexRangeArgs): Promise<IndexRangeReport>
  /** Returns what is noted of the backfill's chunks; null when it is done. */
  recordBackfill(progress: BackfillProgress): Promise<ChunkSums | null>
  replayMethodology(args: ReplayArgs): Promise<ReplayReport>
  replayPart(args: ReplayPartArgs): Promise<ReplayedPart>
  /** Puts the lines of parts together, in their order, and removes the parts. */
  joinReplay(args: JoinReplayArgs): Promise<ReplayReport>
  correctIndex(args: CorrectArgs): Promise<CorrectReport>
  compactTables(args: CompactArgs): Promise<UpkeepReport>
  vacuumTables(args: VacuumArgs): Promise<UpkeepReport>
  sealTables(args: { readonly through: Instant }): Promise<UpkeepReport>
  recordDigests(): Promise<UpkeepReport>
  awaitSettlementWork(known: KnownWork): Promise<KnownWork>
  settleWindows(args: { readonly asset_id: string; readonly for_ms: number }): Promise<SettledWindows>
  awaitWindow(args: { readonly asset_id: string }): Promise<SettlementWindow | null>
  settleBatch(args: SettleArgs): Promise<SettledAttempts>
  followBatch(args: FollowArgs): Promise<SettledAttempts>
  resolutionStep(of: ResolutionOf): Promise<ResolutionProgress>
  ownVenueSession(args: OwnVenueArgs): Promise<OwnVenueReport>
  tellMarks(): Promise<{ readonly told: number }>
  listMarkets(): Promise<ListingCounts>
  rateMarkets(args: RunArgs): Promise<RateReport>
  assessEvents(args: RunArgs): Promise<AssessedEvents>
  publishSeverityIndexes(args: RunArgs): Promise<{ readonly indexes: number; readonly published: number }>
  expireOverrides(args: { readonly subject: ReviewSubjectName }): Promise<{ readonly expired: number }>
  /** Performs what is due; `next_at`: next instant at which time alone makes something due. */
  advanceGovernance(): Promise<{ readonly performed: number; readonly next_at: Instant | null }>
  readReview(args: ReviewOf): Promise<ReviewStanding | null>
  performReviewAct(args: ReviewActArgs): Promise<ReviewedAct>
}

/** Assets being settled, and open resolutions with their last moves. */
export type KnownWork = SettlementWorkList
type SettleArgs = DueAttempts & { readonly asset_id: string }
type FollowArgs = { readonly asset_id: string; readonly attempt_ids: readonly string[] }

/** Publishes all due ticks; `tick_at` is the newest that the caller knows of. */
export type PublishArgs = { readonly tick_at: Instant }

export type IngestArgs = { readonly venue_id: PayloadVenue; readonly session_ms: number }

export type OwnVenueArgs = { readonly session_ms: number }

type PlanArgs = { readonly backfill_id: string; readonly subject: BackfillSubject }
export type PlannedBackfill = {
  /** Name of the stored plan; absent in what workers of earlier releases report. */
  readonly plan_id?: string
  readonly parts: number
  readonly chunks: number
  /** Counts of what its planning stored; absent in what workers of earlier releases report. */
  readonly stored?: StoredCounts
}
/** Parts [offset, offset + limit) of a plan; a backfill that an earlier release began has no `plan_id`. */
export type PlanPageArgs = PlanArgs & { readonly plan_id?: string; readonly offset: number; readonly limit: number }

type IndexRangeArgs = {
  /** Backfill that this day is a chunk of; absent in workflows of earlier releases. */
  readonly backfill_id?: string
  readonly index_id: string
  readonly from: Instant
  readonly to: Instant
}
type IndexRangeReport = {
  readonly ticks: number
  readonly published: number
  readonly already_published: number
}

/**
 * `target`: INDEX[@VERSION], or the name of a definition file that the command has put into the store. `replay_id` names the result.
 */
export type ReplayArgs = {
  readonly replay_id: string
  readonly target: string
  readonly from: Instant
  readonly to: Instant
  readonly as_of: Instant
}
/**
 * `file`: NDJSON, one line per tick, the same text as `tidemark index replay --json` prints; in the folder or the bucket of the warehouse.
 */
export type ReplayReport = {
  /** Key of the file in the store; absent in what workers of earlier releases report, whose file is in their home. */
  readonly key?: string
  readonly file: string
  readonly lines: number
  readonly sha256: string
}

/** `whole`: begin at the first tick of the index, which needs no state. */
export type ReplayPartArgs = ReplayArgs & { readonly whole: boolean }
/** `key`: object with the lines in the store. The lines hold if the part before ends in the state `start`; null: they always do. */
export type ReplayedPart = {
  readonly key: string
  readonly lines: number
  readonly start: string | null
  readonly end: string | null
}
export type JoinReplayArgs = {
  readonly replay_id: string
  readonly parts: readonly Pick<ReplayedPart, 'key' | 'lines'>[]
}

export type CorrectArgs = {
  readonly index_id: string
  readonly from: Instant | null
  readonly to: Instant | null
  readonly reason: string
}
export type CorrectReport = {
  readonly index_id: string
  readonly ticks_checked: number
  readonly revised: number
  /** Revisions of a governed index that wait for a vote; absent in reports of earlier releases. */
  readonly waiting?: number
  /** Approved adoption after which the vote can be proposed; absent in reports of earlier releases. */
  readonly adoption?: { readonly proposal_id: string; readonly effective_at: Instant | null } | null
}

/** `whole`: the run also merges interval files and records the digests of large tables. */
export type CompactArgs = { readonly whole: boolean }
export type VacuumArgs = { readonly retention: DurationString }
/** Tables checked, and changes: files merged or deleted, tables sealed, digests recorded. */
export type UpkeepReport = { readonly tables: number; readonly changed: number }

/** Run up to an instant. */
type RunArgs = { readonly at: Instant }
export type RateReport = { readonly markets: number; readonly published: number }
/** `waiting`: chains of the assessments that await review. */
type AssessedEvents = {
  readonly events: number
  readonly published: number
  readonly waiting: readonly string[]
}
export type AssessReport = {
  readonly events: number
  readonly published: number
  readonly under_review: number
  readonly index_values: number
}

export type ReviewSubjectName = ReviewSubject['table']
export type ReviewOf = { readonly subject: ReviewSubjectName; readonly chain_id: string }
/** An act as its actor signed it; it is not secret. */
export type ReviewActArgs = ReviewOf & { readonly signed: SignedAct }
export type ReviewedAct = {
  readonly act_id: string
  readonly record_ids: readonly string[]
  /** State of the chain after the act. */
  readonly standing: ReviewStanding | null
}
