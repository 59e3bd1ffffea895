import { formatMicros } from '../../primitives/instants.ts'
import { Course, REPORT_MS } from './backfill-course.ts'
import { readJournal } from './backfill-journal.ts'
import { type BackfillSubject, backfillIdOf } from './backfill-subject.ts'
import { holdBackfill } from './hold-backfill.ts'
import { moveHomeWork } from './move-home-work.ts'
import type { BackfillReport, BackfillRunPorts } from './run-types.ts'

/**
 * Fills in the past within this process, without a server: chunk after chunk, several markets at once. An interrupted backfill is
 * resumed by the next run; a completed one starts over, and stores nothing that is stored already. A chunk whose answers cannot be
 * read is left out and named, and the run ends as failed.
 * @throws {ServiceError} WAREHOUSE_BUSY: another process runs it; the errors of planning, the last failure of a chunk that was
 *   retried in vain (completed chunks stay complete), or the signal's reason
 */
export async function runBackfill(subject: BackfillSubject, ports: BackfillRunPorts): Promise<BackfillReport> {
  const backfill_id = backfillIdOf(subject)
  return holdBackfill(ports.home, backfill_id, () => runHeld(subject, ports, backfill_id))
}

async function runHeld(
  subject: BackfillSubject,
  ports: BackfillRunPorts,
  backfill_id: string,
): Promise<BackfillReport> {
  const { warehouse, home } = ports
  await moveHomeWork(home, warehouse.store)
  const earlier = await readJournal(warehouse.store, backfill_id)
  const started_at = earlier?.started_at ?? formatMicros(await warehouse.now())
  const course = new Course(subject, { ports, backfill_id, started_at, earlier })
  await course.record('planning')
  const silence = setInterval(() => course.breakSilence(), ports.report_ms ?? REPORT_MS)
  try {
    await course.run(await course.plan())
    return await course.end(course.isWhole() ? 'done' : 'failed')
  } catch (error) {
    await course.end(ports.signal?.aborted === true ? 'cancelled' : 'failed')
    throw error
  } finally {
    clearInterval(silence)
  }
}
