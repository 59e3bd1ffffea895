import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../primitives/errors.ts'
import type { TableSchema } from '../schema.ts'
import type { LogContext } from './log-context.ts'
import { refresh } from './refresh.ts'
import { deltaSchema, tableDefinition } from './table-definition.ts'
import { tryCommit } from './try-commit.ts'

/**
 * Writes version 0 of a table unless it exists, and adds columns that this code knows and the table does not. The commit
 * timestamp of version 0 is the epoch, so that other engines' time travel finds the empty table before the first row,
 * whatever clock stamps the rows.
 * @throws {ServiceError} WAREHOUSE_SCHEMA_CHANGED: the table has a column that this code does not know as such
 */
export async function createTable(context: LogContext): Promise<void> {
  const state = await refresh(context)
  const schemaString = context.schema_text
  if (state.meta?.schemaString === schemaString) return
  const { clock, meta, version } = state
  if (meta !== null) checkColumns(context.table, meta.schemaString, context.schema)
  const created_ms = Math.floor((await context.store.now()) / 1000)
  await tryCommit(context, {
    version: version + 1,
    operation: meta === null ? 'CREATE TABLE' : 'ADD COLUMNS',
    in_commit_ms: 0,
    sealed_through: clock.sealed_through,
    head_stamp: clock.head_stamp,
    actions:
      meta === null
        ? tableDefinition(context.table, context.schema, randomUUID(), created_ms)
        : [{ metaData: { ...meta, schemaString } }],
    new_files: [],
  })
  await createTable(context) // another process may have been first, with the same or another change
}

/** Change that the next writer of this version makes to a table: its creation, or columns that it gets; neither: it has this schema. */
export type PendingChange = { readonly creates: boolean; readonly adds_columns: readonly string[] }

/**
 * Returns the change that `createTable` would make, and makes none.
 * @throws {ServiceError} WAREHOUSE_SCHEMA_CHANGED: the table has a column that this code does not know as such
 */
export async function pendingChange(context: LogContext): Promise<PendingChange> {
  const { meta } = await refresh(context)
  if (meta === null) return { creates: true, adds_columns: [] }
  checkColumns(context.table, meta.schemaString, context.schema)
  const there = new Set((JSON.parse(meta.schemaString) as Fields).fields.map(({ name }) => name))
  const known = (deltaSchema(context.schema) as Fields).fields.map(({ name }) => name)
  return { creates: false, adds_columns: known.filter((name) => !there.has(name)) }
}

type Fields = { readonly fields: readonly { readonly name: string; readonly type: unknown }[] }

/**
 * Checks that a table's columns are known to this code. A table may get new columns, which are null in older rows; any other
 * change would change what is published.
 * @param schema_string  the table's columns from its log
 * @throws {ServiceError} WAREHOUSE_SCHEMA_CHANGED names the first column that this code does not know as such
 */
function checkColumns(table: string, schema_string: string, schema: TableSchema): void {
  const known = new Map((deltaSchema(schema) as Fields).fields.map(({ name, type }) => [name, JSON.stringify(type)]))
  for (const { name, type } of (JSON.parse(schema_string) as Fields).fields) {
    const [there, here] = [JSON.stringify(type), known.get(name)]
    if (there === here) continue
    throw new ServiceError(
      'WAREHOUSE_SCHEMA_CHANGED',
      `column ${name} of table ${table} is ${there} in this warehouse and ${here ?? 'unknown'} to this version of tidemark; ` +
        'allowed: the same columns or fewer',
      { table, column: name, there, here: here ?? '' },
    )
  }
}
