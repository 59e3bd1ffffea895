import { ApplicationFailure } from '@temporalio/common'
import { backfillChunk } from '../../operations/backfill/backfill-chunk.ts'
import { recordBackfill } from '../../operations/backfill/backfill-progress.ts'
import { type BackfillSubject, computeIndexChunk } from '../../operations/backfill/backfill-subject.ts'
import {
  type BackfillProgress,
  type ChunkReport,
  type IndexChunkReport,
  NOTHING_STORED,
  type StoredCounts,
} from '../../operations/backfill/backfill-types.ts'
import { chunkKey, indexChunks } from '../../operations/backfill/chunks.ts'
import { planBackfill } from '../../operations/backfill/plan-backfill.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { type BackfillPart, type ChunkSums, partsOf } from '../backfill-plan.ts'
import { isFinal } from '../retry.ts'
import type { Activities, PlanPageArgs } from './activity-types.ts'
import { readEarlierPlan, readPlan, storePlan } from './backfill-plans.ts'
import { type ChunkJournal, openChunkJournal } from './chunk-journal.ts'
import { readChunkNotes } from './chunk-notes.ts'
import { watched } from './watched.ts'
import type { Watch, WorkerPorts } from './worker-ports.ts'

type BackfillActivities = Pick<
  Activities,
  'planBackfill' | 'readBackfillPlan' | 'backfillChunk' | 'computeIndexRange' | 'recordBackfill'
>

/** Creates the activities of backfills: the past of venues, and the missing levels of indexes. */
export function backfillActivities(ports: WorkerPorts): BackfillActivities {
  const { warehouse, connectorOf } = ports
  const { store } = warehouse
  return {
    planBackfill: (args) =>
      watched(async (watch) => {
        const { backfill_id, subject } = args
        const tally = (await openChunkJournal(store, backfill_id)).counts('plan')
        const parts = await planParts(subject, ports, watch, tally.note)
        const plan_id = await storePlan(store, backfill_id, { subject, parts })
        const chunks = parts.reduce((sum, part) => sum + part.chunks, 0)
        return { plan_id, parts: parts.length, chunks, stored: await tally.sum() }
      }),
    readBackfillPlan: ({ offset, limit, ...args }) =>
      watched(async (watch) => {
        const notes = await readChunkNotes(store, args.backfill_id)
        const parts = (await knownPlan(args, ports, watch)).slice(offset, offset + limit)
        return parts.map((part) => ({ ...part, ...doneBefore(notes.sumsOf(args.subject, part)) }))
      }),
    backfillChunk: ({ backfill_id, ...chunk }) =>
      watched(async ({ signal, heartbeat }) => {
        const journal = await openChunkJournal(store, backfill_id)
        const done = await journal.find(chunkKey(chunk))
        if (done !== null) return done
        const tally = journal.counts(chunkKey(chunk))
        const own_ports = { warehouse, connectorOf, signal, on_stored: tally.note }
        const last = await backfillChunk(chunk, own_ports, heartbeat).catch(async (error: unknown) => {
          throw withStored(error, await tally.sum())
        })
        const report = wholeReport(last, await tally.sum())
        await journal.add(chunkKey(chunk), report)
        return report
      }),
    computeIndexRange: ({ backfill_id, index_id, from, to }) =>
      watched(async ({ signal, heartbeat }) => {
        const chunk = { index_id, from, to }
        const compute = () => computeIndexChunk(chunk, { warehouse, signal }, heartbeat)
        if (backfill_id === undefined) return compute()
        return notedLevels(await openChunkJournal(store, backfill_id), chunkKey(chunk), compute)
      }),
    recordBackfill: (progress) =>
      watched(async () => {
        const { backfill_id, state } = progress
        const { sums } = await readChunkNotes(store, backfill_id)
        await recordBackfill(warehouse, state === 'done' ? progress : withNotes(progress, sums))
        if (state !== 'done') return sums
        await (await openChunkJournal(store, backfill_id)).remove()
        return null
      }),
  }
}

/** Computes the levels of a day, unless an earlier run did, and notes them. */
async function notedLevels(
  journal: ChunkJournal,
  key: string,
  compute: () => Promise<IndexChunkReport>,
): Promise<IndexChunkReport> {
  const done = await journal.find(key)
  if (done !== null)
    return { ticks: done.records_read, published: done.records_new, already_published: done.records_duplicate }
  const { ticks, published, already_published } = await compute()
  const counts = { records_read: ticks, records_new: published, records_duplicate: already_published }
  await journal.add(key, { ...NOTHING_STORED, records_quarantined: 0, ...counts })
  return { ticks, published, already_published }
}

function doneBefore(done: ChunkSums | null): Pick<BackfillPart, 'done'> {
  return done === null ? {} : { done }
}

/** Progress with what the journal notes beyond it: of earlier runs, and of chunks in progress. */
function withNotes(progress: BackfillProgress, sums: ChunkSums): BackfillProgress {
  const records_new = Math.max(progress.records_new, sums.records_new)
  const chunks_done = Math.min(progress.chunks_total, Math.max(progress.chunks_done, sums.chunks_done))
  return { ...progress, records_new, chunks_done }
}

/** Report of a chunk over all its attempts: what an earlier one stored was a duplicate for the last. */
function wholeReport(last: ChunkReport, stored: StoredCounts): ChunkReport {
  const earlier = stored.records_new + stored.records_revised - last.records_new - last.records_revised
  return { ...last, ...stored, records_duplicate: Math.max(0, last.records_duplicate - earlier) }
}

/** Adds what the attempts at a chunk have stored to the failure of the last one, for the report of a chunk that stays incomplete. */
function withStored(error: unknown, stored: StoredCounts): unknown {
  if (!isServiceError(error, 'BACKFILL_CHUNK_INCOMPLETE')) return error
  const { code: type, message, facts } = error
  return ApplicationFailure.create({ message, type, nonRetryable: isFinal(type), details: [facts, stored] })
}

/** Reads the plan that a history names. */
function knownPlan(
  { backfill_id, subject, plan_id }: Omit<PlanPageArgs, 'offset' | 'limit'>,
  ports: WorkerPorts,
  watch: Watch,
): Promise<readonly BackfillPart[]> {
  const { store } = ports.warehouse
  if (plan_id !== undefined) return readPlan(store, backfill_id, plan_id)
  return readEarlierPlan(store, backfill_id, subject, () => planParts(subject, ports, watch, undefined))
}

async function planParts(
  { request }: BackfillSubject,
  { warehouse, connectorOf }: WorkerPorts,
  { signal }: Watch,
  on_stored: ((so_far: StoredCounts) => void) | undefined,
): Promise<BackfillPart[]> {
  if ('index_id' in request) {
    const { index_id, from, to } = request
    return [{ subject: index_id, from, to, chunks: indexChunks(index_id, { from, to }).length }]
  }
  const chunks = await planBackfill(request, { warehouse, connectorOf, signal, on_stored })
  return partsOf(chunks.map(({ source_market_id: subject, from, to }) => ({ subject, from, to })))
}
