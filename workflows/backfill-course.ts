import { ActivityCancellationType, patched, proxyActivities } from '@temporalio/workflow'
import type { BackfillSubject } from '../operations/backfill/backfill-subject.ts'
import type { BackfillProgress, FailedChunk } from '../operations/backfill/backfill-types.ts'
import { formatMicros, type Instant } from '../primitives/instants.ts'
import type { BackfillState } from '../vocabulary/ingest.ts'
import type { Activities, PlannedBackfill } from './activities/activity-types.ts'
import { runPart } from './backfill-child.ts'
import { aboutOf, addSums, type BackfillPart, type ChunkSums, largerSums, NO_CHUNKS } from './backfill-plan.ts'
import type { PartProgress } from './backfill-signal.ts'
import { RETRY } from './retry.ts'
import { ACTIVITY_QUEUES } from './task-queues.ts'

const options = { taskQueue: ACTIVITY_QUEUES.backfill, heartbeatTimeout: '1m', retry: RETRY } as const
const { planBackfill } = proxyActivities<Activities>({
  ...options,
  startToCloseTimeout: '2h',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
})
const { readBackfillPlan, recordBackfill } = proxyActivities<Activities>({ ...options, startToCloseTimeout: '5m' })

export type BackfillArgs = {
  readonly backfill_id: string
  readonly subject: BackfillSubject
  /** State of the previous runs; null at the beginning. */
  readonly state: BackfillCourse | null
  /** Parts of a run, which then continues in a new history. */
  readonly parts_per_run?: number
}

type BackfillCourse = {
  readonly plan: PlannedBackfill
  readonly started_at: Instant
  readonly next_part: number
  readonly sums: ChunkSums
  readonly failed: readonly FailedChunk[]
  /** Absent in runs of earlier releases. */
  readonly noted?: ChunkSums
  readonly chunks_resumed?: number
}

export type BackfillReport = BackfillProgress & {
  /** Chunks that runs before this start have done; absent in what workers of earlier releases report. */
  readonly chunks_resumed?: number
  readonly sums: ChunkSums
  readonly failed: readonly FailedChunk[]
}

const PARTS_PER_RUN = 200
/** Children at once. */
const PARALLEL = 4
/** Most failures listed; the others only count as missing chunks. */
const FAILED_MAX = 20
const RECORD_EVERY_MS = 10_000

/** One run of a backfill. */
export class Course {
  readonly #args: BackfillArgs
  #plan: PlannedBackfill | null
  #state: BackfillState
  #next_part: number
  #sums: ChunkSums
  #failed: readonly FailedChunk[]
  /** Sums that the workers' journal notes: also of earlier runs, and of what ended chunks in progress have stored. */
  #noted: ChunkSums
  #resumed: number
  /** Finished chunks of the parts in progress. */
  readonly #running = new Map<string, ChunkSums>()
  #recording: Promise<void> = Promise.resolve()
  #recorded_ms = 0
  readonly #started_at: Instant

  constructor(args: BackfillArgs) {
    const { state } = args
    this.#args = args
    this.#plan = state?.plan ?? null
    this.#state = state === null ? 'planning' : 'running'
    this.#next_part = state?.next_part ?? 0
    this.#sums = state?.sums ?? NO_CHUNKS
    this.#failed = state?.failed ?? []
    this.#noted = state?.noted ?? NO_CHUNKS
    this.#resumed = state?.chunks_resumed ?? 0
    this.#started_at = state?.started_at ?? nowText()
  }

  /** Plans, unless an earlier run did. */
  async begin(): Promise<void> {
    if (this.#plan !== null) return
    await this.record('planning')
    this.#resumed = this.#noted.chunks_done
    const { backfill_id, subject } = this.#args
    const { stored = {}, ...plan } = await planBackfill({ backfill_id, subject })
    this.#plan = plan
    this.#sums = { ...NO_CHUNKS, ...stored }
    await this.record('running')
  }

  /** Runs parts until all are done or the history is long enough. @returns true if parts are left */
  async run(): Promise<boolean> {
    const { backfill_id, subject, parts_per_run = PARTS_PER_RUN } = this.#args
    const { plan_id } = this.#plan!
    const offset = this.#next_part
    const page = { ...(plan_id !== undefined && { plan_id }), offset, limit: parts_per_run }
    const parts = await readBackfillPlan({ backfill_id, subject, ...page })
    const left = this.#leftOf(parts)
    const lane = async (): Promise<void> => {
      for (let part = left.shift(); part !== undefined; part = left.shift()) await this.#doPart(part)
    }
    const lanes = await Promise.allSettled(Array.from({ length: PARALLEL }, lane))
    for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
    this.#next_part = offset + parts.length
    return parts.length > 0 && this.#next_part < this.#plan!.parts
  }

  /** Counts the parts that an earlier run has done, and returns the others. Runs of earlier releases did them again. */
  #leftOf(parts: readonly BackfillPart[]): BackfillPart[] {
    const done = parts.flatMap((part) => part.done ?? [])
    if (done.length === 0 || !patched('done-parts')) return [...parts]
    this.#sums = done.reduce(addSums, this.#sums)
    return parts.filter((part) => part.done === undefined)
  }

  async #doPart(part: BackfillPart): Promise<void> {
    const { backfill_id, subject } = this.#args
    const { sums, failed } = await runPart({ backfill_id, subject, part })
    this.#running.delete(keyOf(part))
    this.#sums = addSums(this.#sums, sums)
    this.#failed = [...this.#failed, ...failed].slice(0, FAILED_MAX)
    if (Date.now() - this.#recorded_ms >= RECORD_EVERY_MS) await this.record('running')
  }

  /** Takes what a part has finished so far, and records it if a record is due. */
  hear(progress: PartProgress): void {
    this.#running.set(keyOf(progress), progress.sums)
    if (this.#state !== 'running' || Date.now() - this.#recorded_ms < RECORD_EVERY_MS) return
    // A cancellation ends the record too; the last state is recorded after it.
    this.#recording = this.record('running').catch(() => undefined)
  }

  /** Waits for a record that a signal began. */
  settled(): Promise<void> {
    return this.#recording
  }

  /** Records the progress in the warehouse, for the page and the API. */
  async record(state: BackfillState): Promise<void> {
    this.#state = state
    this.#recorded_ms = Date.now()
    const { sums: _sums, failed: _failed, chunks_resumed: _resumed, ...progress } = this.report()
    this.#noted = (await recordBackfill(progress)) ?? this.#noted
  }

  isWhole(): boolean {
    return this.#failed.length === 0
  }

  complaint(): string {
    const [first] = this.#failed
    const left_out = (this.#plan?.chunks ?? 0) - this.#sums.chunks_done
    return `${left_out} chunks were left out; the first: ${first?.subject} from ${first?.from}: ${first?.message} (${first?.code})`
  }

  carried(): BackfillCourse {
    return {
      plan: this.#plan!,
      started_at: this.#started_at,
      next_part: this.#next_part,
      sums: this.#sums,
      failed: this.#failed,
      noted: this.#noted,
      chunks_resumed: this.#resumed,
    }
  }

  report(): BackfillReport {
    const { backfill_id, subject } = this.#args
    const { from, to } = subject.request
    const chunks_total = this.#plan?.chunks ?? 0
    const own = [...this.#running.values()].reduce(addSums, this.#sums)
    const sums = largerSums(own, this.#noted)
    return {
      backfill_id,
      subject_kind: subject.kind,
      subject_id: Object.values(aboutOf(subject))[0]!,
      from,
      to,
      state: this.#state,
      chunks_total,
      chunks_done: Math.min(sums.chunks_done, chunks_total),
      chunks_resumed: Math.min(this.#resumed, chunks_total),
      records_new: sums.records_new,
      started_at: this.#started_at,
      updated_at: nowText(),
      sums,
      failed: this.#failed,
    }
  }
}

function keyOf({ subject, from }: Pick<BackfillPart, 'subject' | 'from'>): string {
  return `${subject} ${from}`
}

/** Current instant by the workflow's clock, which is that of its history. */
function nowText(): Instant {
  return formatMicros(Date.now() * 1_000)
}
