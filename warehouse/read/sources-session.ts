import type { Micros } from '../../primitives/instants.ts'
import {
  type Connection,
  openSharedDatabase,
  readRows,
  type SharedDatabase,
  type SqlParameters,
} from '../duckdb/memory-database.ts'
import { type ColumnSet, readColumns } from '../duckdb/read/columns.ts'
import type { Row } from '../schema.ts'
import type { TableSource } from './table-source.ts'
import { queriesOver } from './views.ts'

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
 * @param database  shared by consecutive sessions, which keep what they learn of data files in it
 */
export async function openSourcesSession(
  sources: readonly TableSource[],
  as_of: Micros,
  database?: SharedDatabase,
): Promise<ReadSession> {
  const { connection, close } = await (database === undefined ? openSharedDatabase() : schemaOf(database))
  const { prepare, isEmpty } = viewsWhenNamed(connection, sources, as_of)
  let running = 0
  const run = async <T>(sql: string, read: (prepared: string) => Promise<T>): Promise<T> => {
    running += 1
    try {
      return await read(await prepare(sql))
    } finally {
      running -= 1
    }
  }
  return {
    as_of,
    query: (sql, params) => run(sql, (prepared) => readRows(connection, prepared, params)),
    columns: (sql, params) => run(sql, (prepared) => readColumns(connection, prepared, params)),
    close: () => close(isEmpty() && running === 0),
  }
}

/** Creates a schema for the session's views; closing drops it. */
async function schemaOf({ connection }: SharedDatabase) {
  await connection.run('create schema session; use session')
  return {
    connection,
    close: async () => {
      await connection.run('use main; drop schema session cascade')
    },
  }
}

/**
 * Makes the relations and views that a statement names, and returns the statement as it is to be run: there are over a hundred, each is
 * planned on creation, and a session reads few. Creations are serialized because statements may run concurrently.
 */
function viewsWhenNamed(
  connection: Connection,
  sources: readonly TableSource[],
  as_of: Micros,
): { readonly prepare: (sql: string) => Promise<string>; readonly isEmpty: () => boolean } {
  const queries = queriesOver(sources, as_of)
  const created = new Set<string>()
  const used = new Set<string>()
  let is_empty = true
  const prepare = async (sql: string): Promise<string> => {
    const named = namesIn(sql, queries)
    // Most sessions read a view once, and then none is created.
    const whole = named.some((name) => used.has(name)) ? null : withQueries(sql, named, queries)
    for (const name of named) used.add(name)
    if (whole !== null) return whole
    is_empty = false
    for (const name of named.filter((one) => !created.has(one))) {
      await connection.run(`create view ${name} as ${queries.get(name)!.query()}`)
      created.add(name)
    }
    return sql
  }
  let latest: Promise<unknown> = Promise.resolve()
  const inTurn = (sql: string) => {
    const prepared = latest.then(() => prepare(sql))
    latest = prepared.catch(() => undefined)
    return prepared
  }
  return { prepare: inTurn, isEmpty: () => is_empty }
}

/** Returns the relations and views that a statement names, each after the one that it reads; names are the same in capitals. */
function namesIn(sql: string, queries: ReturnType<typeof queriesOver>): readonly string[] {
  const found = new Set<string>()
  const add = (name: string): void => {
    const known = queries.get(name)
    if (known === undefined || found.has(name)) return
    if (known.reads !== null) add(known.reads)
    found.add(name)
  }
  for (const word of sql.toLowerCase().match(/\w+/g) ?? []) add(word)
  return [...found]
}

const BEGIN = /^\s*(?:with\s+(recursive\s+)?|(?=(?:select|from)\b))/i

/** Returns a statement after the queries that it names, each under its name; null: it cannot have them, or has such a name itself. */
function withQueries(sql: string, named: readonly string[], queries: ReturnType<typeof queriesOver>): string | null {
  const begin = BEGIN.exec(sql)
  if (begin === null || named.some((name) => definition(name).test(sql))) return null
  if (named.length === 0) return sql
  const texts = named.map((name) => `${name} as not materialized (${queries.get(name)!.query()})`)
  const [matched, recursive = ''] = begin
  const rest = sql.slice(matched.length)
  return `with ${recursive}${texts.join(', ')}${matched.trim() === '' ? ' ' : ', '}${rest}`
}

function definition(name: string): RegExp {
  return new RegExp(`\\b${name}"?\\s*(\\([^()]*\\)\\s*)?as\\s*(not\\s+)?(materialized\\s*)?\\(`, 'i')
}

/** Creates the relations and public views over these sources that a text names. */
export async function createViews(
  connection: Connection,
  sources: readonly TableSource[],
  { as_of, named_in }: { readonly as_of: Micros; readonly named_in: string },
): Promise<void> {
  const queries = queriesOver(sources, as_of)
  for (const name of namesIn(named_in, queries)) {
    await connection.run(`create view ${name} as ${queries.get(name)!.query()}`)
  }
}
