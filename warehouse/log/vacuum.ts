import { invariant } from '../../primitives/errors.ts'
import { leasedFrom } from '../store/read-lease.ts'
import { type StoredObject, UNFINISHED } from '../store/store.ts'
import { TOMBSTONE_MS } from './checkpoint.ts'
import { type CleanLogOptions, cleanLog } from './clean-log.ts'
import type { LogContext } from './log-context.ts'
import type { LogState } from './log-state.ts'
import { refresh } from './refresh.ts'
import { PARTITION_COLUMN } from './table-definition.ts'

/** Time for which a replaced file is kept for readers of older versions. */
const RETENTION_MS = 7 * 86_400_000

/** Younger files that the log never named may belong to a commit in progress; no commit takes this long. */
const ORPHAN_AGE_MS_MIN = 3_600_000

export type VacuumOptions = { readonly retention_ms?: number; readonly dry_run?: boolean }

export type VacuumResult = { readonly deleted: readonly string[]; readonly deleted_bytes: number }

/** Deletes the data files of a table that are no longer needed, and moves old commits of its log to the archive. */
export async function vacuumTable(context: LogContext, options: VacuumOptions = {}): Promise<VacuumResult> {
  const { retention_ms = RETENTION_MS, dry_run = false } = options
  const data = await context.alone(() => vacuum(context, { retention_ms, dry_run }))
  const log = await cleanLog(context, { retention_ms, dry_run })
  const deleted = [...data, ...log]
  return {
    deleted: deleted.map((object) => object.key),
    deleted_bytes: deleted.reduce((sum, object) => sum + object.size_bytes, 0),
  }
}

/**
 * Deletes the data files of a table that no version within the retention names: files that a compaction replaced earlier than
 * that, and files of crashed writers that are older than that. It never deletes a file that is live now, was live within the
 * retention or since another process holds a read lease, or may belong to a commit in progress.
 * @param options.retention_ms  at most 30 days, the time for which the log lists removed files
 */
async function vacuum(context: LogContext, { retention_ms, dry_run }: CleanLogOptions): Promise<StoredObject[]> {
  invariant(
    retention_ms >= 0 && retention_ms <= TOMBSTONE_MS,
    `vacuum: retention_ms is ${retention_ms}; allowed: 0 to ${TOMBSTONE_MS}`,
  )
  const { store, table } = context
  const now = await store.now()
  const found: StoredObject[] = []
  for await (const object of store.list(table)) if (isDataFile(table, object)) found.push(object)
  const unfinished: StoredObject[] = []
  for await (const object of store.list(UNFINISHED)) unfinished.push(object)
  const leases = unfinished.flatMap(({ key }) => leasedFrom(store, key, now) ?? [])
  // Read after listing: a file that was committed in between is live in this state.
  const state = await refresh(context)
  const needed_ms = Math.floor(Math.min(now - retention_ms * 1000, ...leases) / 1000)
  const orphan_ms = Math.min(needed_ms, Math.floor(now / 1000) - ORPHAN_AGE_MS_MIN)
  const deleted = [
    ...found.filter((object) => isExpired(table, state, object, needed_ms, orphan_ms)),
    ...unfinished.filter(
      (object) => leasedFrom(store, object.key, now) === null && object.modified_at / 1000 <= orphan_ms,
    ),
  ]
  if (dry_run) return deleted
  for (const object of deleted) await store.delete(object.key)
  // Deleted files need no tombstone: a commit a second makes 86,400 a day, and every checkpoint lists them.
  for (const [path, { deletionTimestamp }] of state.removes)
    if (deletionTimestamp <= needed_ms) state.removes.delete(path)
  return deleted
}

function isDataFile(table: string, object: StoredObject): boolean {
  return object.key.startsWith(`${table}/${PARTITION_COLUMN}=`)
}

/** @param needed_ms files replaced later are needed. @param orphan_ms files that the log never named are needed if they are younger */
function isExpired(
  table: string,
  state: LogState,
  object: StoredObject,
  needed_ms: number,
  orphan_ms: number,
): boolean {
  const path = object.key.slice(table.length + 1)
  if (state.adds.has(path)) return false
  const removed = state.removes.get(path)
  return removed === undefined ? object.modified_at / 1000 <= orphan_ms : removed.deletionTimestamp <= needed_ms
}
