import type { Micros } from '../../primitives/instants.ts'
import { findIntervals } from '../intervals/find-intervals.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'
import type { TableSource } from './table-source.ts'

/**
 * What a read of one snapshot as of an instant needs: its data files, each verified, without those published later, and
 * the derived interval file if there is one that fits.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names a damaged file
 */
export async function snapshotSource(warehouse: Warehouse, snapshot: Snapshot, as_of: Micros): Promise<TableSource> {
  const visible = snapshot.files.filter((file) => file.stamp_min <= as_of)
  const paths = await warehouse.log(snapshot.table).ensureVerified(visible)
  const files = visible.map((file, place) => ({
    path: paths[place]!,
    rows: file.rows,
    published_from: file.stamp_min,
    published_to: file.stamp_max,
  }))
  return { table: snapshot.table, files, intervals: await findIntervals(warehouse.root, snapshot) }
}
