import type { Micros } from '../../primitives/instants.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'
import { openSourcesSession, type ReadSession } from './sources-session.ts'

/**
 * Opens a session over the data files with rows published in (after, through], for a reader that has seen everything before.
 * A merged file may also hold older rows, so statements must filter by published_at.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names a damaged file
 */
export async function openPublishedSession(
  warehouse: Warehouse,
  snapshots: readonly Snapshot[],
  { after, through }: { readonly after: Micros; readonly through: Micros },
): Promise<ReadSession> {
  const sources = []
  for (const { table, files } of snapshots) {
    const wanted = files.filter((file) => file.stamp_max > after && file.stamp_min <= through)
    const paths = await warehouse.log(table).ensureVerified(wanted)
    const named = wanted.map(({ rows, stamp_min, stamp_max }, n) => ({
      path: paths[n]!,
      rows,
      published_from: stamp_min,
      published_to: stamp_max,
    }))
    sources.push({ table, files: named, intervals: null })
  }
  return openSourcesSession(sources, through)
}

/** Returns true if a snapshot may hold a row published in (after, through]. */
export function hasPublished({ files }: Snapshot, after: Micros, through: Micros): boolean {
  return files.some((file) => file.stamp_max > after && file.stamp_min <= through)
}
