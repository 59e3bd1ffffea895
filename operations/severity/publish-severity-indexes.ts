import type { Instant } from '../../primitives/instants.ts'
import { toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SEVERITY_INDEX_TABLES } from './apply-severity-index.ts'
import { computeSeverityIndex } from './compute-severity-index.ts'

/**
 * Publishes the value of every severity index at an instant, as known then; values that are there are left.
 * @throws {ServiceError} VALIDATION_AS_OF_IN_FUTURE
 */
export async function publishSeverityIndexes(request: {
  readonly at: Instant
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
}): Promise<{ indexes: number; published: number }> {
  const { at, warehouse, signal } = request
  const indexes = await inEffect(warehouse, at)
  let published = 0
  for (const severity_index_id of indexes) {
    signal?.throwIfAborted()
    const done = await computeSeverityIndex({ severity_index_id, at, clock: 'wall', warehouse })
    if (done.published) published += 1
  }
  return { indexes: indexes.length, published }
}

/** Indexes with a version in effect. */
async function inEffect(warehouse: Warehouse, at: Instant): Promise<readonly string[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: SEVERITY_INDEX_TABLES })
  try {
    const cutoff = toMicros(at, 'at')
    const found: string[] = []
    for (const { severity_index_id } of await session.query(readSql(import.meta.url, 'sql/severity_indexes.sql'))) {
      const params = { severity_index_id: String(severity_index_id) }
      const versions = await session.query(readSql(import.meta.url, 'sql/severity_index_versions.sql'), params)
      if (versions.some(({ effective_from }) => toMicros(effective_from) <= cutoff))
        found.push(params.severity_index_id)
    }
    return found
  } finally {
    await session.close()
  }
}
