import { type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** Tables with the definitions and levels of indexes. */
export const INDEX_TABLES: readonly TableName[] = [
  'methodology',
  'index_definition',
  'index_version',
  'index_link',
  'index_observation',
]

export type ListedIndex = {
  readonly index_id: string
  readonly symbol: string
  readonly name: string
  readonly status: string
  readonly unit: string
  /** Name of the version in effect; null before the first one is. */
  readonly active_version: string | null
  readonly latest: LatestLevel | null
}

/** The latest level at T: the row of current(T) with the greatest tick_at (methodology §14). */
type LatestLevel = {
  readonly observation_id: string
  readonly revision: number
  readonly tick_at: Instant
  readonly source_cutoff_at: Instant | null
  readonly level: string | null
  readonly quality_state: string
  readonly coverage_ratio: string
  readonly confidence: string
  readonly published_at: Instant
}

/** All indexes with their latest level, as known at as_of (null: now). */
export async function listIndexes(request: {
  readonly as_of: Instant | null
  readonly warehouse: Warehouse
}): Promise<readonly ListedIndex[]> {
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const session = await openReadSession(request.warehouse, { as_of, tables: INDEX_TABLES })
  try {
    return (await session.query(
      readSql(import.meta.url, '../sql/indexes_with_latest_level.sql'),
    )) as unknown as readonly ListedIndex[]
  } finally {
    await session.close()
  }
}
