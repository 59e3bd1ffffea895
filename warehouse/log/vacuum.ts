import { invariant } from '../../primitives/errors.ts'
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
 * retention, or may belong to a commit in progress. Only this function lists folders.
 * @param options.retention_ms  at most 30 days, the time for which the log lists removed files
 */
async function vacuum(context: LogContext, { retention_ms, dry_run }: CleanLogOptions): Promise<StoredObject[]> {
  invariant(
    retention_ms >= 0 && retention_ms <= TOMBSTONE_MS,
    `vacuum: retention_ms is ${retention_ms}; allowed: 0 to ${TOMBSTONE_MS}`,
  )
  const { store, table } = context
  const now_ms = Math.floor((await store.now()) / 1000)
  const found: StoredObject[] = []
  for await (const object of store.list(table)) if (isDataFile(table, object)) found.push(object)
  for await (const object of store.list(UNFINISHED)) found.push(object)
  // Read after listing: a file that was committed in between is live in this state.
  const state = await refresh(context)
  const deleted = found.filter((object) => isExpired(table, state, object, now_ms, retention_ms))
  if (!dry_run) for (const object of deleted) await store.delete(object.key)
  return deleted
}

function isDataFile(table: string, object: StoredObject): boolean {
  return object.key.startsWith(`${table}/${PARTITION_COLUMN}=`)
}

function isExpired(
  table: string,
  state: LogState,
  object: StoredObject,
  now_ms: number,
  retention_ms: number,
): boolean {
  const path = isDataFile(table, object) ? object.key.slice(table.length + 1) : null
  if (path !== null && state.adds.has(path)) return false
  const removed = path === null ? undefined : state.removes.get(path)
  if (removed !== undefined) return removed.deletionTimestamp <= now_ms - retention_ms
  return object.modified_at / 1000 <= now_ms - Math.max(retention_ms, ORPHAN_AGE_MS_MIN)
}
