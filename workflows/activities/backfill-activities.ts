import { backfillChunk } from '../../operations/backfill/backfill-chunk.ts'
import { recordBackfill } from '../../operations/backfill/backfill-progress.ts'
import { type BackfillSubject, computeIndexChunk } from '../../operations/backfill/backfill-subject.ts'
import { chunkKey, indexChunks } from '../../operations/backfill/chunks.ts'
import { planBackfill } from '../../operations/backfill/plan-backfill.ts'
import { type BackfillPart, partsOf } from '../backfill-plan.ts'
import type { Activities, PlanArgs } from './activity-types.ts'
import { openChunkJournal, planPath, readPlan, writePlan } from './backfill-store.ts'
import { watched } from './watched.ts'
import type { Watch, WorkerPorts } from './worker-ports.ts'

type BackfillActivities = Pick<
  Activities,
  'planBackfill' | 'readBackfillPlan' | 'backfillChunk' | 'computeIndexRange' | 'recordBackfill'
>

/** Creates the activities of backfills: the past of venues, and the missing levels of indexes. */
export function backfillActivities(ports: WorkerPorts): BackfillActivities {
  const { warehouse, home, connectorOf } = ports
  return {
    planBackfill: (args) =>
      watched(async (watch) => {
        const parts = await plan(args, ports, watch)
        return { parts: parts.length, chunks: parts.reduce((sum, { chunks }) => sum + chunks, 0) }
      }),
    readBackfillPlan: ({ offset, limit, ...args }) =>
      watched(async (watch) => (await knownPlan(args, ports, watch)).slice(offset, offset + limit)),
    backfillChunk: ({ backfill_id, ...chunk }) =>
      watched(async ({ signal, heartbeat }) => {
        const journal = openChunkJournal(home, backfill_id)
        const done = await journal.find(chunkKey(chunk))
        if (done !== null) return done
        const report = await backfillChunk(chunk, { warehouse, connectorOf, signal }, heartbeat)
        await journal.add(chunkKey(chunk), report)
        return report
      }),
    computeIndexRange: ({ index_id, from, to }) =>
      watched(({ signal, heartbeat }) => {
        return computeIndexChunk({ index_id, from, to }, { warehouse, signal }, heartbeat)
      }),
    recordBackfill: (progress) =>
      watched(async () => {
        await recordBackfill(warehouse, progress)
        if (progress.state === 'done') await openChunkJournal(home, progress.backfill_id).remove()
      }),
  }
}

/** Reads the plan; a worker on another machine, or without the folder, plans again. */
async function knownPlan(args: PlanArgs, ports: WorkerPorts, watch: Watch): Promise<readonly BackfillPart[]> {
  return (await readPlan(planPath(ports.home, args.backfill_id), args.subject)) ?? plan(args, ports, watch)
}

async function plan({ backfill_id, subject }: PlanArgs, ports: WorkerPorts, watch: Watch): Promise<BackfillPart[]> {
  const parts = await planParts(subject, ports, watch)
  await writePlan(planPath(ports.home, backfill_id), { subject, parts })
  return parts
}

async function planParts(
  { request }: BackfillSubject,
  { warehouse, connectorOf }: WorkerPorts,
  { signal }: Watch,
): Promise<BackfillPart[]> {
  if ('index_id' in request) {
    const { index_id, from, to } = request
    return [{ subject: index_id, from, to, chunks: indexChunks(index_id, { from, to }).length }]
  }
  const chunks = await planBackfill(request, { warehouse, connectorOf, signal })
  return partsOf(chunks.map(({ source_market_id: subject, from, to }) => ({ subject, from, to })))
}
