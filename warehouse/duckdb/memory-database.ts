import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api'
import type { Row, RowValue } from '../schema.ts'
import { resultRows } from './read/chunk-rows.ts'

export type Connection = DuckDBConnection

/** A private in-memory DuckDB in UTC. */
export type MemoryDatabase = { readonly connection: Connection; close(): void }

/** A database in the instance that is shared by the process. */
export type SharedDatabase = {
  readonly connection: Connection
  /** @param is_empty  nothing was made in it and no setting was changed, so that it can be used again */
  close(is_empty?: boolean): Promise<void>
}

/** Values for `$name` parameters: texts, numbers, booleans, null, and lists of texts. */
export type SqlParameters = Readonly<Record<string, RowValue>>

type Settings = Readonly<Record<string, string>>

/**
 * Opens a DuckDB that never loads an extension and caches no file: DuckDB's cache keeps parts of every file that was ever read, also
 * of those that a merge has replaced, until four fifths of the machine's memory are full.
 * @param path `:memory:` or a database file
 */
export function openInstance(path: string, settings: Settings): Promise<DuckDBInstance> {
  return DuckDBInstance.create(path, {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    enable_external_file_cache: 'false',
    ...settings,
  })
}

/** Opens a connection in UTC; it runs one query at a time. */
export async function connect(instance: DuckDBInstance): Promise<Connection> {
  const connection = await instance.connect()
  await connection.run("set timezone = 'UTC'")
  return connection
}

/** Opens an in-memory DuckDB with one connection and, in contrast to a shared one, settings of its own. */
export async function openMemoryDatabase(settings: Settings = {}): Promise<MemoryDatabase> {
  const instance = await openInstance(':memory:', settings)
  const connection = await connect(instance)
  const close = () => {
    connection.closeSync()
    instance.closeSync()
  }
  return { connection, close }
}

/** Counts the databases that were opened in the shared instance, for their names. */
let opened = 0
let shared: Promise<DuckDBInstance> | null = null

type AttachedDatabase = { readonly connection: Connection; readonly name: string }

/** Empty databases for the next users, so that a short read neither attaches nor detaches one. */
const idle: AttachedDatabase[] = []
const IDLE_MAX = 8

/**
 * Opens a database of its own, with one connection, in an instance that stays open for the life of the process: an instance costs
 * 20 ms of CPU, a database in it 1 ms. Settings are the instance's, so the caller changes none. Files are not cached, because a
 * cache would outlive the reader that verified them.
 */
export async function openSharedDatabase(): Promise<SharedDatabase> {
  const database = idle.pop() ?? (await attachDatabase())
  const { connection, name } = database
  let is_open = true
  const close = async (is_empty = false) => {
    if (!is_open) return
    is_open = false
    if (is_empty && idle.length < IDLE_MAX) return void idle.push(database)
    await connection.run(`use memory; detach ${name}`)
    connection.closeSync()
  }
  return { connection, close }
}

async function attachDatabase(): Promise<AttachedDatabase> {
  shared ??= openInstance(':memory:', {})
  const connection = await connect(await shared)
  opened += 1
  const name = `database_${opened}`
  await connection.run(`attach ':memory:' as ${name}; use ${name}`)
  return { connection, name }
}

/**
 * Returns all rows of a query in the row form. Fetching a result whole costs less than streaming it, and a query without
 * values costs less than a prepared one, which is planned twice.
 */
export async function readRows(connection: Connection, sql: string, params: SqlParameters = {}): Promise<Row[]> {
  const { values, types } = bindings(params)
  const has_values = Object.keys(values).length > 0
  const result = has_values ? await connection.run(sql, values, types) : await connection.run(sql)
  const rows: Row[] = []
  for await (const some of resultRows(result)) for (const row of some) rows.push(row)
  return rows
}

/** Returns the values with their types: a list of texts is typed explicitly, because it may be empty. */
export function bindings(params: SqlParameters) {
  const values: Record<string, DuckDBValue> = {}
  const types: Record<string, DuckDBType | undefined> = {}
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) types[name] = LIST(VARCHAR)
    values[name] = Array.isArray(value) ? listValue(value as string[]) : ((value ?? null) as DuckDBValue)
  }
  return { values, types }
}
