import type { Micros } from '../../primitives/instants.ts'
import { openSharedDatabase, readRows } from '../duckdb/memory-database.ts'
import type { Row } from '../schema.ts'
import { readSql } from '../sql/read-sql.ts'
import { type TableName, tableSchema } from '../tables.ts'
import type { Snapshot, Warehouse } from '../warehouse.ts'
import { chainList, dataRelation, instantLiteral } from './table-relations.ts'

/** Returns a row's correction chain as one text; instants in rows are canonical texts. */
export function chainOf(table: TableName, row: Row): string {
  return JSON.stringify(tableSchema(table).chain.map((name) => row[name] ?? null))
}

/** Returns the chains of a snapshot with rows published after an instant. */
export async function publishedChains(
  warehouse: Warehouse,
  { table, files }: Snapshot,
  after: Micros,
): Promise<ReadonlySet<string>> {
  const news = files.filter((file) => file.stamp_max > after)
  if (news.length === 0) return new Set()
  const paths = await warehouse.log(table).ensureVerified(news)
  const { connection, close } = await openSharedDatabase()
  try {
    const rows = dataRelation(table, paths)
    const known = `published_at > ${instantLiteral(after)}`
    const found = await readRows(
      connection,
      readSql(import.meta.url, '../sql/rows_where.sql', { columns: chainList(table), rows, known }),
    )
    return new Set(found.map((row) => chainOf(table, row)))
  } finally {
    await close(true)
  }
}
