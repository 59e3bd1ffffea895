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
import { resultRows } from './chunk-rows.ts'

/** A DuckDB of its own in memory, in UTC, which never loads an extension. */
export type MemoryDatabase = { readonly connection: DuckDBConnection; close(): void }

/** Values for `$name` places: texts, numbers, booleans, null, and lists of texts. */
export type SqlParameters = Readonly<Record<string, RowValue>>

/** Opens one; `settings` are added to those that keep it closed to the outside. */
export async function openMemoryDatabase(settings: Readonly<Record<string, string>> = {}): Promise<MemoryDatabase> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    ...settings,
  })
  const connection = await instance.connect()
  await connection.run("set timezone = 'UTC'")
  const close = () => {
    connection.closeSync()
    instance.closeSync()
  }
  return { connection, close }
}

/**
 * All rows of a query in the row form. A result that is asked for as a whole costs less than one that is streamed, and a query
 * without values less than a prepared one, which is planned twice.
 */
export async function readRows(connection: DuckDBConnection, sql: string, params: SqlParameters = {}): Promise<Row[]> {
  const { values, types } = bindings(params)
  const has_values = Object.keys(values).length > 0
  const result = has_values ? await connection.run(sql, values, types) : await connection.run(sql)
  const rows: Row[] = []
  for await (const some of resultRows(result)) for (const row of some) rows.push(row)
  return rows
}

/** Named values with their types: a list of texts needs its type said, because it may be empty. */
export function bindings(params: SqlParameters) {
  const values: Record<string, DuckDBValue> = {}
  const types: Record<string, DuckDBType | undefined> = {}
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) types[name] = LIST(VARCHAR)
    values[name] = Array.isArray(value) ? listValue(value as string[]) : ((value ?? null) as DuckDBValue)
  }
  return { values, types }
}
