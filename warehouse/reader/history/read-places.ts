import type { Micros } from '../../../primitives/instants.ts'
import { columnList } from '../../read/table-relations.ts'
import type { Row } from '../../schema.ts'
import { readSql } from '../../sql/read-sql.ts'
import type { LiveFile } from '../../warehouse.ts'
import type { StoredTableName } from '../followed-tables.ts'
import type { HistorySource, RelationOf } from './history-source.ts'
import { instantIs, knownRows } from './series-sql.ts'

/** What names one row of a table. */
export type RowPlace = { readonly published_at: Micros; readonly row_ordinal: number }

/** The whole rows at some places, in the order of the places' numbering. @param candidates files that may hold them */
export async function readPlaces(
  source: HistorySource,
  asked: { readonly table: StoredTableName; readonly key: Readonly<Record<string, string>>; readonly as_of: Micros },
  places: readonly (RowPlace & { readonly row: Row })[],
  candidates: readonly LiveFile[],
): Promise<Row[]> {
  if (places.length === 0) return []
  const { table, key, as_of } = asked
  const stamps = places.map(({ published_at }) => published_at)
  const [first, last] = [Math.min(...stamps), Math.max(...stamps)]
  const near = candidates.filter((file) => stamps.some((stamp) => file.stamp_min <= stamp && stamp <= file.stamp_max))
  const known = [
    knownRows({ key }, as_of),
    instantIs('published_at', '>=', first),
    instantIs('published_at', '<=', last),
  ]
  const sql = (relation: RelationOf) =>
    readSql(import.meta.url, '../sql/rows_by_address.sql', {
      columns: columnList(table),
      rows: relation(near),
      known: known.join(' and '),
    })
  return source.query({ table, files: near, whole: true }, sql, {
    stamps: places.map(({ row }) => String(row.published_at)),
    ordinals: places.map(({ row_ordinal }) => String(row_ordinal)),
  })
}
