import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow'
import type { BackfillSubject } from '../operations/backfill/backfill-subject.ts'
import type { FailedChunk } from '../operations/backfill/backfill-types.ts'
import { chunksOf } from '../operations/backfill/chunks.ts'
import type { Activities } from './activities/activity-types.ts'
import {
  addSums,
  type BackfillPart,
  type ChunkSums,
  NO_CHUNKS,
  type PartReport,
} from './backfill-plan.ts'
import { RETRY } from './retry.ts'

const options = {
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

/**
 * Runs one part of a backfill: days of one market in sequence, or the missing levels of one index, where each tick needs the
 * ones before. A chunk with bad data is reported and skipped; an outage is waited out.
 *
 * Workflow id `backfill/<backfill_id>/<market or index>/<from>`.
 */
export async function backfillPart({ backfill_id, subject, part }: BackfillPartArgs): Promise<PartReport> {
  const { request } = subject
  if ('index_id' in request) return attempt(part, part.from, () => indexPart(part))
  const market = { source_market_id: part.subject, opens_at: null, ended_at: null }
  const chunks = chunksOf({ venue_id: request.venue_id, from: part.from, to: part.to }, [market])
  let report: PartReport = { sums: NO_CHUNKS, failed: [] }
  for (const chunk of chunks) {
    const done = await attempt(part, chunk.from, async () => ({
      chunks_done: 1,
      ...(await backfillChunk({ ...chunk, backfill_id })),
    }))
    report = { sums: addSums(report.sums, done.sums), failed: [...report.failed, ...done.failed] }
  }
  return report
}

async function indexPart({ subject, from, to, chunks }: BackfillPart): Promise<ChunkSums> {
  const { ticks, published, already_published } = await computeIndexRange({ index_id: subject, from, to })
  return {
    ...NO_CHUNKS,
    chunks_done: chunks,
    records_read: ticks,
    records_new: published,
    records_duplicate: already_published,
  }
}

/** Reports final failures; cancellation ends the part. */
async function attempt({ subject }: BackfillPart, from: string, work: () => Promise<ChunkSums>): Promise<PartReport> {
  try {
    return { sums: await work(), failed: [] }
  } catch (error) {
    if (isCancellation(error)) throw error
    return { sums: NO_CHUNKS, failed: [{ subject, from, ...causeOf(error) }] }
  }
}

function causeOf(error: unknown): Pick<FailedChunk, 'code' | 'message'> {
  const cause = error instanceof ActivityFailure ? error.cause : error
  const code = cause instanceof ApplicationFailure ? (cause.type ?? 'INTERNAL_ERROR') : 'INTERNAL_ERROR'
  return { code, message: cause instanceof Error ? cause.message : String(cause) }
}
