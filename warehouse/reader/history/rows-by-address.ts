import type { Micros } from '../../../primitives/instants.ts'
import { columnList } from '../../read/table-relations.ts'
import type { Row } from '../../schema.ts'
import { readSql } from '../../sql/read-sql.ts'
import type { LiveFile } from '../../warehouse.ts'
import type { StoredTableName } from '../followed-tables.ts'
import type { HistorySource, RelationOf } from './history-source.ts'
import { instantIs, knownRows } from './series-sql.ts'

/** Address of one row in its table. */
type RowAddress = { readonly published_at: Micros; readonly row_ordinal: number }

/** Returns the whole rows at some addresses, in address order. @param candidates files that may hold them */
export async function readByAddress(
  source: HistorySource,
  asked: { readonly table: StoredTableName; readonly key: Readonly<Record<string, string>>; readonly as_of: Micros },
  addresses: readonly (RowAddress & { readonly row: Row })[],
  candidates: readonly LiveFile[],
): Promise<Row[]> {
  if (addresses.length === 0) return []
  const { table, key, as_of } = asked
  const stamps = addresses.map(({ published_at }) => published_at)
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
    stamps: addresses.map(({ row }) => String(row.published_at)),
    ordinals: addresses.map(({ row_ordinal }) => String(row_ordinal)),
  })
}
