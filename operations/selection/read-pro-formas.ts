import type { DefinedVersion } from '../../pipelines/index/definition.ts'
import type { IndexDescription, Methodology } from '../../pipelines/index/version.ts'
import { type RatingsAtSelection, type StoredVersion, versionOf } from '../../pipelines/index/version-record.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** Returns the announced compositions of an index known at an instant (null: now), in the order in which they take effect. */
export async function readProFormas(
  warehouse: Warehouse,
  { index_id, as_of }: { readonly index_id: string; readonly as_of: Instant | null },
): Promise<readonly Row[]> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables: ['index_pro_forma'] })
  try {
    return await session.query(readSql(import.meta.url, 'sql/pro_formas_of_index.sql'), { index_id })
  } finally {
    await session.close()
  }
}

type Announced = { readonly constituent_id: string; readonly rating_id: string | null }

/** Returns the version that was announced, with the frozen weights and the ratings at selection. */
export function announcedVersion(
  index: IndexDescription,
  methodology: Methodology,
  row: Row,
): { readonly defined: DefinedVersion; readonly ratings: RatingsAtSelection } {
  const defined = versionOf(row as unknown as StoredVersion, index, methodology)
  const constituents = row.constituents as unknown as readonly Announced[]
  return { defined, ratings: new Map(constituents.map((one) => [one.constituent_id, one.rating_id])) }
}
