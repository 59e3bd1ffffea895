import { deriveId } from '../../primitives/ids.ts'
import type { Instant } from '../../primitives/instants.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import { computeIndexes } from '../index/compute-indexes.ts'
import { openPauses, requireUnpaused } from '../pause/pauses.ts'
import { backfillChunk, schedulesOfVenue } from './backfill-chunk.ts'
import {
  type BackfillChunk,
  type BackfillPorts,
  type BackfillRequest,
  type ChunkReport,
  type IndexChunk,
  type IndexChunkPorts,
  type IndexChunkReport,
  NOTHING_STORED,
} from './backfill-types.ts'
import { indexChunks } from './chunks.ts'
import { planBackfill } from './plan-backfill.ts'

/** Subject of a backfill: the past of a venue, or the levels of an index. */
export type BackfillSubject =
  | { readonly kind: 'venue'; readonly request: BackfillRequest }
  | {
      readonly kind: 'index'
      readonly request: { readonly index_id: string; readonly from: Instant; readonly to: Instant }
    }

/** A chunk and its group. Chunks of one group run in order; groups run concurrently. */
export type SubjectChunk = { readonly group: string; readonly chunk: BackfillChunk | IndexChunk }

/** Returns the backfill's id: the same request is the same backfill. */
export function backfillIdOf(subject: BackfillSubject): string {
  const { kind, request } = subject
  const { from, to } = request
  if ('index_id' in request) return deriveId('bkf', kind, request.index_id, from, to)
  const markets = request.markets === null ? [] : request.markets.toSorted()
  return deriveId('bkf', kind, request.venue_id, from, to, ...markets)
}

/** Returns the venue_id or index_id of a subject. */
export function subjectIdOf({ request }: BackfillSubject): string {
  return 'index_id' in request ? request.index_id : request.venue_id
}

/** Returns the schedules whose pause a backfill waits for: it publishes, and one of a venue ingests too. */
export function schedulesOf({ request }: BackfillSubject): readonly string[] {
  return 'index_id' in request ? [SCHEDULE_IDS.publish] : schedulesOfVenue(request.venue_id)
}

/** Plans all chunks of a backfill, in order. @throws {ServiceError} as `planBackfill` and `indexChunks` */
export async function planSubject({ request }: BackfillSubject, ports: BackfillPorts): Promise<SubjectChunk[]> {
  if ('index_id' in request) {
    return indexChunks(request.index_id, request).map((chunk) => ({ group: request.index_id, chunk }))
  }
  const chunks = await planBackfill(request, ports)
  return chunks.map((chunk) => ({ group: chunk.source_market_id, chunk }))
}

/** Counts of what a chunk added. */
export type ChunkCounts = Pick<ChunkReport, 'records_new' | 'records_quarantined' | 'marks_published'>

/** Runs a chunk and returns how many records or levels are new, and how many marks follow from them. */
export async function doChunk({ chunk }: SubjectChunk, ports: BackfillPorts): Promise<ChunkCounts> {
  if ('index_id' in chunk) {
    const { published } = await computeIndexChunk(chunk, ports)
    ports.on_stored?.({ ...NOTHING_STORED, records_new: published })
    return { records_new: published, records_quarantined: 0, marks_published: 0 }
  }
  const { records_new, records_quarantined, marks_published } = await backfillChunk(chunk, ports)
  return { records_new, records_quarantined, marks_published }
}

/**
 * Publishes the missing levels of one index in a range, under the wall clock. A repeated range publishes nothing. Ranges of one index
 * run in order: a level depends on those before it.
 * @throws {ServiceError} SCHEDULE_PAUSED: publication is paused; INDEX_NOT_FOUND, INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT; the signal's reason
 */
export async function computeIndexChunk(
  { index_id, from, to }: IndexChunk,
  { warehouse, signal }: IndexChunkPorts,
  on_progress?: (progress: object) => void,
): Promise<IndexChunkReport> {
  await requireUnpaused(openPauses(warehouse), [SCHEDULE_IDS.publish])
  const request = { index_ids: [index_id], from, to, clock: 'wall', warehouse, signal } as const
  const { indexes } = await computeIndexes({ ...request, on_progress })
  const { ticks, published, already_published } = indexes[0]!
  return { ticks, published, already_published }
}
