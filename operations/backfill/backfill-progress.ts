import { deriveId } from '../../primitives/ids.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { BackfillProgress } from './backfill-types.ts'

/**
 * Stores a backfill's progress as one row, which becomes its current one. The same progress stored twice is one row.
 * @throws {ServiceError} the errors of Warehouse.append
 */
export async function recordBackfill(warehouse: Warehouse, progress: BackfillProgress): Promise<void> {
  const { from, to, ...columns } = progress
  const progress_id = deriveId('bkp', progress.backfill_id, progress.updated_at)
  const row = { progress_id, ...columns, range_from: from, range_to: to }
  await warehouse.append('backfill_run', [row], {
    app_id: `backfill/${progress_id}`,
    app_sequence: 1,
    stamp: { kind: 'wall' },
    operation: 'BACKFILL_PROGRESS',
  })
}
