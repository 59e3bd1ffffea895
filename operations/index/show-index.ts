import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { INDEX_TABLES, readLatestLevels } from './list-indexes.ts'
import { loadIndex } from './load-index.ts'
import { loadLinks } from './load-published.ts'

/** Returns the version that rules at an instant, of versions in the order of their starts; null: none has begun. */
export function versionInForce(versions: readonly Row[], at: Micros): Row | null {
  return versions.findLast(({ effective_from }) => toMicros(effective_from) <= at) ?? null
}

/**
 * Returns an index with its versions, their constituents and link factors, and its latest level, as known at as_of (null: now).
 * @throws {ServiceError} INDEX_NOT_FOUND
 */
export async function showIndex(request: {
  readonly index_id: string
  readonly as_of: Instant | null
  readonly warehouse: Warehouse
}) {
  const { index_id, warehouse } = request
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of, tables: INDEX_TABLES })
  try {
    const { index_row, version_rows } = await loadIndex(session, index_id)
    const links = await loadLinks(session, index_id)
    const at = as_of ?? (await warehouse.now())
    const listed = await readLatestLevels(session, at)
    const versions: readonly Row[] = version_rows.map(({ definition: _, ...row }) => {
      const link = links.get(String(row.index_version_id))
      return {
        ...row,
        governance: row.governance ?? 'none',
        link_factor: link === undefined ? null : formatDecimal(link, SCALE.link_factor),
      }
    })
    const active_version = versionInForce(version_rows, at)?.version ?? null
    return {
      ...index_row,
      active_version,
      latest: listed.find((index) => index.index_id === index_id)?.latest ?? null,
      versions,
    }
  } finally {
    await session.close()
  }
}
