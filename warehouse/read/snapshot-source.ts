import type { Micros } from '../../primitives/instants.ts'
import { findIntervals } from '../intervals/find-intervals.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'
import type { TableSource } from './table-source.ts'

/**
 * Returns the verified data files of one snapshot, without those published after an instant, and the derived interval file if
 * a valid one exists.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names a damaged file
 */
export async function snapshotSource(warehouse: Warehouse, snapshot: Snapshot, as_of: Micros): Promise<TableSource> {
  const visible = snapshot.files.filter((file) => file.stamp_min <= as_of)
  const log = warehouse.log(snapshot.table)
  const paths = await log.ensureVerified(visible)
  const files = visible.map((file, n) => ({
    path: paths[n]!,
    rows: file.rows,
    published_from: file.stamp_min,
    published_to: file.stamp_max,
  }))
  return { table: snapshot.table, files, intervals: await findIntervals(warehouse.local_root, snapshot, log) }
}
