import type { Micros } from '../../primitives/instants.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { snapshotSource } from '../read/snapshot-source.ts'
import { storeError } from '../store/store-error.ts'
import type { TableName } from '../tables.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'
import { appendDigests, readDigests, type SealedDigest, sealedDigest } from './digests.ts'

/** Instants of one table whose answers are recorded; later ones are not added any more. */
const DIGESTS_MAX = 64

/**
 * Records what a table answers as of a few sealed instants, spread over its history, so that an audit can ask again after
 * a compaction, a vacuum, a restart or an upgrade.
 * @returns the digests that were new
 */
export async function recordDigests(warehouse: Warehouse, table: TableName): Promise<readonly SealedDigest[]> {
  const snapshot = await warehouse.log(table).snapshot()
  if (snapshot.table_id === null || snapshot.rows === 0) return []
  const { digests } = await readDigests(warehouse.root, table)
  const known = new Set(digests.map((digest) => digest.as_of))
  const instants = spread(snapshot).filter((as_of) => !known.has(formatMicros(as_of)))
  const added: SealedDigest[] = []
  for (const as_of of instants.slice(0, DIGESTS_MAX - digests.length)) {
    added.push(await sealedDigest(await snapshotSource(warehouse, snapshot, as_of), snapshot.table_id, as_of))
  }
  await appendDigests(warehouse.root, table, added).catch((error) => unlessReadOnly(error, warehouse.root))
  return added
}

/** A reader without write rights audits what others recorded. */
function unlessReadOnly(error: NodeJS.ErrnoException, root: string): void {
  if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')) throw storeError(error, root)
}

/** The first publication, the middle one, and the last: all are sealed, because later commits are stamped later. */
function spread({ files }: Snapshot): Micros[] {
  const stamps = [...new Set(files.map((file) => file.stamp_max))].sort((a, b) => a - b)
  return [...new Set([stamps[0]!, stamps[stamps.length >> 1]!, stamps.at(-1)!])]
}
