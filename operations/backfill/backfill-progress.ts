import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { BackfillProgress } from './backfill-types.ts'

/**
 * Stores a backfill's progress as one row, which becomes its current one. The same progress stored twice is one row.
 * @throws {ServiceError} the errors of Warehouse.append
 */
export async function recordBackfill(
  warehouse: Warehouse,
  progress: BackfillProgress,
  unless_published_after?: Micros,
): Promise<void> {
  const { from, to, ...columns } = progress
  const progress_id = deriveId('bkp', progress.backfill_id, progress.updated_at)
  const row = { progress_id, ...columns, range_from: from, range_to: to }
  await warehouse.append('backfill_run', [row], {
    app_id: `backfill/${progress_id}`,
    app_sequence: 1,
    stamp: { kind: 'wall' },
    operation: 'BACKFILL_PROGRESS',
    ...(unless_published_after !== undefined && { unless_published_after }),
  })
}

/** Backfill whose last report is not of its end. */
type UnendedBackfill = {
  readonly backfill_id: string
  /** Age of its last report. */
  readonly age_ms: number
  /** Head of the table when it was read. */
  readonly head: Micros
}

/** Returns the backfills that run, or that ended without a report, as one that was killed. */
export async function unendedBackfills(warehouse: Warehouse): Promise<readonly UnendedBackfill[]> {
  const { head_stamp: head } = await warehouse.log('backfill_run').snapshot()
  if (head === null) return []
  const session = await openReadSession(warehouse, { as_of: null, tables: ['backfill_run'] })
  try {
    const rows = await session.query(readSql(import.meta.url, 'sql/unended_backfills.sql'))
    const now = await warehouse.now()
    return (rows as unknown as readonly { backfill_id: string; updated_at: Instant }[]).map(
      ({ backfill_id, updated_at }) => ({ backfill_id, age_ms: (now - toMicros(updated_at)) / 1_000, head }),
    )
  } finally {
    await session.close()
  }
}

/** Records that a backfill still runs, unless something was reported meanwhile: its end would be overwritten. */
export async function reportBackfill(warehouse: Warehouse, progress: BackfillProgress, head: Micros): Promise<void> {
  const { backfill_id, subject_kind, subject_id, from, to, state, chunks_total, chunks_done, records_new, started_at } =
    progress
  const stated = { backfill_id, subject_kind, subject_id, from, to, state, chunks_total, chunks_done, records_new }
  const updated_at = formatMicros(await warehouse.now())
  await recordBackfill(warehouse, { ...stated, started_at, updated_at }, head)
}
