import {
  ActivityCancellationType,
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  continueAsNew,
  defineQuery,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { BackfillSubject } from '../operations/backfill/backfill-subject.ts'
import type { BackfillProgress, FailedChunk } from '../operations/backfill/backfill-types.ts'
import { formatMicros, type Instant } from '../primitives/instants.ts'
import type { BackfillState } from '../vocabulary/ingest.ts'
import type { Activities, PlannedBackfill } from './activities/activity-types.ts'
import { backfillPart } from './backfill-part.ts'
import { aboutOf, addSums, type BackfillPart, type ChunkSums, NO_CHUNKS } from './backfill-plan.ts'
import { type PartProgress, partProgress } from './backfill-signal.ts'
import { RETRY } from './retry.ts'
import { searchAttributes } from './search-attributes.ts'

const options = { heartbeatTimeout: '1m', retry: RETRY } as const
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
}

export type BackfillReport = BackfillProgress & {
  readonly sums: ChunkSums
  readonly failed: readonly FailedChunk[]
}

/** Progress of a backfill; answered while it runs and after it has ended. */
const progressQuery = defineQuery<BackfillReport>('progress')

const PARTS_PER_RUN = 200
/** Children at once. */
const PARALLEL = 4
/** Most failures listed; the others only count as missing chunks. */
const FAILED_MAX = 20
const RECORD_EVERY_MS = 10_000

/**
 * Fills the past of a venue, or the missing levels of an index: plans, runs a child workflow for some days of each market, and
 * continues in a new history after each PARTS_PER_RUN of them.
 *
 * Workflow id `backfill/<backfill_id>`: the same request joins a running backfill, and resumes one that was cancelled or failed.
 * When cancelled, it waits for the chunks in progress. Query `progress` returns its progress.
 * @throws {ApplicationFailure} BACKFILL_INCOMPLETE: chunks with bad data were skipped
 */
export async function backfill(args: BackfillArgs): Promise<BackfillReport> {
  const course = new Course(args)
  setHandler(progressQuery, () => course.report())
  setHandler(partProgress, (progress) => course.hear(progress))
  let parts_left: boolean
  try {
    await course.begin()
    parts_left = await course.run()
  } catch (error) {
    const state = isCancellation(error) ? 'cancelled' : 'failed'
    await CancellationScope.nonCancellable(() => course.record(state))
    throw error
  }
  await course.settled()
  if (parts_left) return continueAsNew<typeof backfill>({ ...args, state: course.carried() })
  await course.record(course.isWhole() ? 'done' : 'failed')
  if (course.isWhole()) return course.report()
  throw ApplicationFailure.nonRetryable(course.complaint(), 'BACKFILL_INCOMPLETE', course.report())
}

/** One run of a backfill. */
class Course {
  readonly #args: BackfillArgs
  #plan: PlannedBackfill | null
  #state: BackfillState
  #next_part: number
  #sums: ChunkSums
  #failed: readonly FailedChunk[]
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
    this.#started_at = state?.started_at ?? nowText()
  }

  /** Plans, unless an earlier run did. */
  async begin(): Promise<void> {
    if (this.#plan !== null) return
    await this.record('planning')
    const { backfill_id, subject } = this.#args
    const { stored = {}, ...plan } = await planBackfill({ backfill_id, subject })
    this.#plan = plan
    this.#sums = { ...NO_CHUNKS, ...stored }
    await this.record('running')
  }

  /** Runs parts until all are done or the history is long enough. @returns true if parts are left */
  async run(): Promise<boolean> {
    const { backfill_id, subject, parts_per_run = PARTS_PER_RUN } = this.#args
    const offset = this.#next_part
    const parts = await readBackfillPlan({ backfill_id, subject, offset, limit: parts_per_run })
    const left = [...parts]
    const lane = async (): Promise<void> => {
      for (let part = left.shift(); part !== undefined; part = left.shift()) await this.#doPart(part)
    }
    const lanes = await Promise.allSettled(Array.from({ length: PARALLEL }, lane))
    for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
    this.#next_part = offset + parts.length
    return parts.length > 0 && this.#next_part < this.#plan!.parts
  }

  async #doPart(part: BackfillPart): Promise<void> {
    const { backfill_id, subject } = this.#args
    const { sums, failed } = await executeChild(backfillPart, {
      workflowId: `${workflowInfo().workflowId}/${part.subject}/${part.from}`,
      args: [{ backfill_id, subject, part }],
      typedSearchAttributes: searchAttributes(aboutOf(subject)),
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    })
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
    const { sums: _sums, failed: _failed, ...progress } = this.report()
    await recordBackfill(progress)
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
    }
  }

  report(): BackfillReport {
    const { backfill_id, subject } = this.#args
    const { from, to } = subject.request
    const sums = [...this.#running.values()].reduce(addSums, this.#sums)
    return {
      backfill_id,
      subject_kind: subject.kind,
      subject_id: Object.values(aboutOf(subject))[0]!,
      from,
      to,
      state: this.#state,
      chunks_total: this.#plan?.chunks ?? 0,
      chunks_done: sums.chunks_done,
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
