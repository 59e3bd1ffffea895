import type { Micros } from '../../primitives/instants.ts'
import { type MemoryDatabase, openSharedDatabase, readRows, type SqlParameters } from '../duckdb/memory-database.ts'
import { type ColumnSet, readColumns } from '../duckdb/read/columns.ts'
import type { Row } from '../schema.ts'
import type { TableSource } from './table-source.ts'
import { creationsOver } from './views.ts'

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
 * Returns a function that creates the relations and views that a statement names, before it is run: there are over a hundred, each is
 * planned on creation, and a session reads few. Creations are serialized because statements may run concurrently.
 */
function viewsWhenNamed(
  connection: MemoryDatabase['connection'],
  sources: readonly TableSource[],
  as_of: Micros,
): (sql: string) => Promise<void> {
  const creations = creationsOver(sources, as_of)
  const created = new Set<string>()
  const create = async (name: string): Promise<void> => {
    const creation = creations.get(name)
    if (creation === undefined || created.has(name)) return
    if (creation.after !== null) await create(creation.after)
    await connection.run(creation.statement())
    created.add(name)
  }
  let latest = Promise.resolve()
  return (sql) => {
    const creation = latest.then(async () => {
      for (const name of wordsOf(sql)) await create(name)
    })
    latest = creation.catch(() => undefined)
    return creation
  }
}

/** Returns the words of a statement, each once; names in SQL are the same in capitals. */
function wordsOf(sql: string): ReadonlySet<string> {
  return new Set(sql.toLowerCase().match(/\w+/g))
}

/** Creates the relations and public views over these sources that a text names. */
export async function createViews(
  connection: MemoryDatabase['connection'],
  sources: readonly TableSource[],
  { as_of, named_in }: { readonly as_of: Micros; readonly named_in: string },
): Promise<void> {
  await viewsWhenNamed(connection, sources, as_of)(named_in)
}
