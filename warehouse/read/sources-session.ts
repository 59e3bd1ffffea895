import type { Micros } from '../../primitives/instants.ts'
import { type MemoryDatabase, openSharedDatabase, readRows, type SqlParameters } from '../duckdb/memory-database.ts'
import { type ColumnSet, readColumns } from '../duckdb/read/columns.ts'
import type { Row } from '../schema.ts'
import type { TableName } from '../tables.ts'
import { tableRelations } from './table-relations.ts'
import type { TableSource } from './table-source.ts'
import { tablesNamedIn, viewStatements } from './views.ts'

/** A DuckDB session whose views show the warehouse as of one instant. */
export type ReadSession = {
  /** Instant that the views show, inclusive. */
  readonly as_of: Micros
  /** Returns rows in the row form; `params` are the values of `$name` parameters. */
  query(sql: string, params?: SqlParameters): Promise<Row[]>
  /** Returns typed arrays, for reads of millions of rows. */
  columns(sql: string, params?: SqlParameters): Promise<ColumnSet>
  close(): Promise<void>
}

/**
 * Opens a session over exactly these sources. The caller must have verified the files.
 * @param database  shared by consecutive sessions, because opening a DuckDB costs tens of milliseconds
 */
export async function openSourcesSession(
  sources: readonly TableSource[],
  as_of: Micros,
  database?: MemoryDatabase,
): Promise<ReadSession> {
  const { connection, close } = await (database === undefined ? openSharedDatabase() : schemaOf(database))
  const prepare = viewsWhenNamed(connection, sources, as_of)
  return {
    as_of,
    query: async (sql, params) => {
      await prepare(sql)
      return readRows(connection, sql, params)
    },
    columns: async (sql, params) => {
      await prepare(sql)
      return readColumns(connection, sql, params)
    },
    close,
  }
}

/** Creates a schema for the session's views; closing drops it. */
async function schemaOf({ connection }: MemoryDatabase) {
  await connection.run('create schema session; use session')
  return {
    connection,
    close: async () => {
      await connection.run('use main; drop schema session cascade')
    },
  }
}

/**
 * Returns a function that creates the relations and views of a table before the first statement that names one of them: there
 * are over a hundred, each is planned on creation, and a session reads few. Creations are serialized because statements may run
 * concurrently.
 */
function viewsWhenNamed(
  connection: MemoryDatabase['connection'],
  sources: readonly TableSource[],
  as_of: Micros,
): (sql: string) => Promise<void> {
  const created = new Set<TableName>()
  const done = new Set<string>()
  let latest = Promise.resolve()
  const create = async (tables: readonly TableName[]) => {
    const missing = sources.filter(({ table }) => tables.includes(table) && !created.has(table))
    if (missing.length === 0) return
    const known = [...created, ...missing.map(({ table }) => table)]
    const relations = missing.flatMap((source) => tableRelations(source, as_of))
    for (const statement of [...relations, ...viewStatements(known, as_of)]) {
      if (done.has(statement)) continue
      await connection.run(statement)
      done.add(statement)
    }
    for (const { table } of missing) created.add(table)
  }
  return (sql) => {
    const creation = latest.then(() => create(tablesNamedIn(sql)))
    latest = creation.catch(() => undefined)
    return creation
  }
}

/** Creates the relations of every table and the public views over them. */
export async function createViews(
  connection: MemoryDatabase['connection'],
  sources: readonly TableSource[],
  as_of: Micros,
): Promise<void> {
  const relations = sources.flatMap((source) => tableRelations(source, as_of))
  const tables = sources.map((source) => source.table)
  for (const statement of [...relations, ...viewStatements(tables, as_of)]) await connection.run(statement)
}
