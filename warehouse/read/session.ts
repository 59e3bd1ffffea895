import type { Micros } from '../../primitives/instants.ts'
import { TABLE_NAMES, type TableName } from '../tables.ts'
import type { Warehouse } from '../warehouse.ts'
import { resolveAsOf } from './resolve-as-of.ts'
import { snapshotSource } from './snapshot-source.ts'
import { openSourcesSession, type ReadSession } from './sources-session.ts'

export type { ReadSession } from './sources-session.ts'

export type SessionOptions = {
  /** Inclusive bound of published_at; null: the newest state, unpinned. */
  readonly as_of: Micros | null
  /** Tables that the session may read (default: all); only views over these tables exist. */
  readonly tables?: readonly TableName[]
  /**
   * Instants of publication through which a reader knows a table: files without later rows are left out of it. Only for reads of
   * `<view>_history`, which compare no rows of the table with each other.
   */
  readonly published_after?: Readonly<Partial<Record<TableName, Micros>>>
  /** false leaves an explicit as_of unsealed, so that the answer may still change; default true. */
  readonly pin?: boolean
}

/**
 * Opens a DuckDB session whose views show the warehouse as of one instant, over exactly the files of one snapshot of each
 * table: later commits do not appear in it.
 * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE; VALIDATION_AS_OF_UNAVAILABLE: as_of is not sealed and this user may not
 *   seal it; WAREHOUSE_CORRUPT names a damaged file
 */
export async function openReadSession(warehouse: Warehouse, options: SessionOptions): Promise<ReadSession> {
  const { as_of, tables = TABLE_NAMES, pin = true, published_after = {} } = options
  const view = await resolveAsOf(warehouse, { as_of, tables, pin })
  const sources = []
  for (const snapshot of view.snapshots) {
    const after = published_after[snapshot.table] ?? Number.NEGATIVE_INFINITY
    const files = snapshot.files.filter(({ stamp_max }) => stamp_max > after)
    sources.push(await snapshotSource(warehouse, { ...snapshot, files }, view.as_of))
  }
  return openSourcesSession(sources, view.as_of)
}
