import { isLevelOld, levelAgeMax, levelLabel } from '../../pipelines/index/level-label.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
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

/** The latest level at T: the row of current(T) with the greatest tick_at (methodology §14), labeled as at T. */
type LatestLevel = {
  readonly observation_id: string
  readonly revision: number
  readonly tick_at: Instant
  readonly source_cutoff_at: Instant | null
  readonly level: string | null
  readonly quality_state: string
  readonly reason_codes: readonly string[]
  readonly missing_constituent_ids: readonly string[]
  readonly coverage_ratio: string
  readonly confidence: string
  readonly published_at: Instant
}

/** All indexes with their latest level, as known at as_of (null: now). */
export async function listIndexes(request: {
  readonly as_of: Instant | null
  readonly warehouse: Warehouse
}): Promise<readonly ListedIndex[]> {
  const { warehouse } = request
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of, tables: INDEX_TABLES })
  try {
    return await readLatestLevels(session, as_of ?? (await warehouse.now()))
  } finally {
    await session.close()
  }
}

/**
 * Reads all indexes with their latest level.
 * @param at instant that it is labeled at: a level that is older than its bound is stale; null: labeled as its record is
 */
export async function readLatestLevels(session: ReadSession, at: Micros | null): Promise<readonly ListedIndex[]> {
  const rows = await session.query(readSql(import.meta.url, 'sql/indexes_with_latest_level.sql'))
  return rows.map(({ calculation_frequency, parameters, ...index }) => {
    const latest = index.latest as Row | null
    if (latest === null) return index as ListedIndex
    const { underlying_quality_state: _u, correction_reason: _c, ...shown } = latest
    const is_old = at !== null && isLevelOld(latest, levelAgeMax(calculation_frequency, parameters), at)
    return { ...index, latest: { ...shown, ...levelLabel(latest, is_old) } } as unknown as ListedIndex
  })
}
