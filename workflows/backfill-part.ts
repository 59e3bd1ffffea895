import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  getExternalWorkflowHandle,
  isCancellation,
  patched,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { BackfillSubject } from '../operations/backfill/backfill-subject.ts'
import type { FailedChunk, StoredCounts } from '../operations/backfill/backfill-types.ts'
import { chunksOf, indexChunks } from '../operations/backfill/chunks.ts'
import type { Activities } from './activities/activity-types.ts'
import { addSums, type BackfillPart, type ChunkSums, NO_CHUNKS, type PartReport } from './backfill-plan.ts'
import { partProgress } from './backfill-signal.ts'
import { RETRY } from './retry.ts'
import { ACTIVITY_QUEUES } from './task-queues.ts'

const options = {
  taskQueue: ACTIVITY_QUEUES.backfill,
  heartbeatTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: RETRY,
} as const
const { backfillChunk } = proxyActivities<Activities>({ ...options, startToCloseTimeout: '30m' })
const { computeIndexRange } = proxyActivities<Activities>({ ...options, startToCloseTimeout: '6h' })

export type BackfillPartArgs = {
  readonly backfill_id: string
  readonly subject: BackfillSubject
  readonly part: BackfillPart
}

/** Shortest time between two signals about finished chunks: a signal is an event of the backfill's history. */
const TELL_MS = 5_000

/**
 * Runs one part of a backfill: days of one market in sequence, or the missing levels of one index, where each day needs the ones
 * before. A chunk with bad data is reported and skipped; an outage is waited out. Tells its backfill which chunks are finished.
 *
 * Workflow id `backfill/<backfill_id>/<market or index>/<from>`. Parts that began in earlier releases tell nothing, and compute an
 * index in one piece.
 */
export async function backfillPart({ backfill_id, subject, part }: BackfillPartArgs): Promise<PartReport> {
  const { request } = subject
  const tells = patched('chunk-by-chunk')
  if ('index_id' in request) {
    return tells
      ? indexPart(backfill_id, part)
      : attempt(part, part.from, () => levels({ index_id: part.subject, from: part.from, to: part.to }, part.chunks))
  }
  const market = { source_market_id: part.subject, opens_at: null, ended_at: null }
  const chunks = chunksOf({ venue_id: request.venue_id, from: part.from, to: part.to }, [market])
  const progress = new Progress(part, tells)
  for (const chunk of chunks) {
    const work = async () => ({ chunks_done: 1, ...(await backfillChunk({ ...chunk, backfill_id })) })
    await progress.add(await attempt(part, chunk.from, work))
  }
  return progress.report
}

/** Computes an index day by day; after a day that fails, the later ones cannot be computed. */
async function indexPart(backfill_id: string, part: BackfillPart): Promise<PartReport> {
  const progress = new Progress(part, true)
  for (const { index_id, from, to } of indexChunks(part.subject, part)) {
    const done = await attempt(part, from, () => levels({ backfill_id, index_id, from, to }, 1))
    await progress.add(done)
    if (done.failed.length > 0) break
  }
  return progress.report
}

type IndexRange = Parameters<Activities['computeIndexRange']>[0]

async function levels(range: IndexRange, chunks_done: number): Promise<ChunkSums> {
  const { ticks, published, already_published } = await computeIndexRange(range)
  return {
    ...NO_CHUNKS,
    chunks_done,
    records_read: ticks,
    records_new: published,
    records_duplicate: already_published,
  }
}

/** Report of a part while it grows, of which the backfill is told every few seconds. */
class Progress {
  report: PartReport = { sums: NO_CHUNKS, failed: [] }
  readonly #part: BackfillPart
  readonly #tells: boolean
  #told_ms = Date.now()

  constructor(part: BackfillPart, tells: boolean) {
    this.#part = part
    this.#tells = tells
  }

  async add({ sums, failed }: PartReport): Promise<void> {
    this.report = { sums: addSums(this.report.sums, sums), failed: [...this.report.failed, ...failed] }
    const { parent } = workflowInfo()
    if (!this.#tells || parent === undefined || Date.now() - this.#told_ms < TELL_MS) return
    this.#told_ms = Date.now()
    const { subject, from } = this.#part
    await getExternalWorkflowHandle(parent.workflowId)
      .signal(partProgress, { subject, from, sums: this.report.sums })
      .catch(() => undefined) // the backfill has ended; the part will be cancelled
  }
}

/** Reports final failures; cancellation ends the part. */
async function attempt({ subject }: BackfillPart, from: string, work: () => Promise<ChunkSums>): Promise<PartReport> {
  try {
    return { sums: await work(), failed: [] }
  } catch (error) {
    if (isCancellation(error)) throw error
    return { sums: { ...NO_CHUNKS, ...storedBy(error) }, failed: [{ subject, from, ...causeOf(error) }] }
  }
}

/** Returns what the attempts at an incomplete chunk have stored; nothing where its failure does not say. */
function storedBy(error: unknown): Partial<StoredCounts> {
  const cause = error instanceof ActivityFailure ? error.cause : error
  return cause instanceof ApplicationFailure ? ((cause.details?.[1] as StoredCounts | undefined) ?? {}) : {}
}

function causeOf(error: unknown): Pick<FailedChunk, 'code' | 'message'> {
  const cause = error instanceof ActivityFailure ? error.cause : error
  const code = cause instanceof ApplicationFailure ? (cause.type ?? 'INTERNAL_ERROR') : 'INTERNAL_ERROR'
  return { code, message: cause instanceof Error ? cause.message : String(cause) }
}
