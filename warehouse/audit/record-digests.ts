import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { snapshotSource } from '../read/snapshot-source.ts'
import { storeError } from '../store/store-error.ts'
import type { TableName } from '../tables.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'
import { appendDigests, readDigests, type SealedDigest, sealedDigest } from './digests.ts'

/** Most instants recorded per table. */
const DIGESTS_MAX = 64

/**
 * Records digests of a table as of a few sealed instants, spread over its history, so that an audit can compare them after a
 * compaction, a vacuum, a restart or an upgrade.
 * @returns the new digests
 */
export async function recordDigests(warehouse: Warehouse, table: TableName): Promise<readonly SealedDigest[]> {
  const snapshot = await warehouse.log(table).snapshot()
  if (snapshot.table_id === null || snapshot.rows === 0) return []
  const { digests } = await readDigests(warehouse.store, table)
  const known = new Set(digests.map((digest) => digest.as_of))
  const instants = spread(snapshot).filter((as_of) => !known.has(formatMicros(as_of)))
  const added: SealedDigest[] = []
  for (const as_of of instants.slice(0, DIGESTS_MAX - digests.length)) {
    added.push(await sealedDigest(await snapshotSource(warehouse, snapshot, as_of), snapshot.table_id, as_of))
  }
  await appendDigests(warehouse.store, table, added).catch((error) => unlessReadOnly(error, warehouse.root))
  return added
}

/** Ignores the error of a user without write access, who audits recorded digests only. */
function unlessReadOnly(error: NodeJS.ErrnoException, root: string): void {
  const { code = '' } = (error instanceof ServiceError ? error.cause : error) as NodeJS.ErrnoException
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw storeError(error, root)
}

/** Returns the first, middle and last publication: all are sealed, because later commits are stamped later. */
function spread({ files }: Snapshot): Micros[] {
  const stamps = [...new Set(files.map((file) => file.stamp_max))].sort((a, b) => a - b)
  return [...new Set([stamps[0]!, stamps[stamps.length >> 1]!, stamps.at(-1)!])]
}
