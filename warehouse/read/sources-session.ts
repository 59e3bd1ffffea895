import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../schema.ts'
import { type ColumnSet, readColumns } from './columns.ts'
import { type MemoryDatabase, openMemoryDatabase, readRows, type SqlParameters } from './duckdb.ts'
import { tableRelations } from './table-relations.ts'
import type { TableSource } from './table-source.ts'
import { viewStatements } from './views.ts'

/** A DuckDB session whose views show the warehouse as of one instant. */
export type ReadSession = {
  /** The instant the views show, inclusive; without an as_of the newest thing there is. */
  readonly as_of: Micros
  /** Rows in the row form. `$name` places take `params`. */
  query(sql: string, params?: SqlParameters): Promise<Row[]>
  /** Typed arrays, for reads of millions of rows. */
  columns(sql: string, params?: SqlParameters): Promise<ColumnSet>
  close(): Promise<void>
}

/** A session over exactly these sources. The files are trusted: whoever lists them has verified them. */
export async function openSourcesSession(sources: readonly TableSource[], as_of: Micros): Promise<ReadSession> {
  const { connection, close } = await openDatabase(sources, as_of)
  return {
    as_of,
    query: (sql, params) => readRows(connection, sql, params),
    columns: (sql, params) => readColumns(connection, sql, params),
    close: async () => close(),
  }
}

/** Creates the relations of every table and the public views that they suffice for. */
export async function createViews(
  connection: MemoryDatabase['connection'],
  sources: readonly TableSource[],
  as_of: Micros,
): Promise<void> {
  const relations = sources.flatMap((source) => tableRelations(source, as_of))
  const tables = sources.map((source) => source.table)
  for (const statement of [...relations, ...viewStatements(tables, as_of)]) await connection.run(statement)
}

async function openDatabase(sources: readonly TableSource[], as_of: Micros): Promise<MemoryDatabase> {
  const database = await openMemoryDatabase()
  try {
    await createViews(database.connection, sources, as_of)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
