import type { Micros } from '../../primitives/instants.ts'
import type { MemoryDatabase } from '../duckdb/memory-database.ts'
import { resultRows } from '../duckdb/read/chunk-rows.ts'
import type { Row } from '../schema.ts'
import type { TableName } from '../tables.ts'
import { columnList, dataRelation, instantLiteral } from './table-relations.ts'

/** Yields the rows of these files published after an instant (null: all), in the order of publication. */
export async function* readNewRows(
  connection: MemoryDatabase['connection'],
  table: TableName,
  paths: readonly string[],
  published_after: Micros | null,
): AsyncGenerator<Row> {
  if (paths.length === 0) return
  const filter = published_after === null ? '' : `where published_at > ${instantLiteral(published_after)}`
  const rows = `select ${columnList(table)} from ${dataRelation(table, paths)} ${filter}`
  const result = await connection.stream(`${rows} order by published_at, row_ordinal`)
  for await (const some of resultRows(result)) yield* some
}
