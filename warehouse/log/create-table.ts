import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../primitives/errors.ts'
import type { TableSchema } from '../schema.ts'
import type { LogContext } from './log-context.ts'
import { refresh } from './refresh.ts'
import { deltaSchema, tableDefinition } from './table-definition.ts'
import { tryCommit } from './try-commit.ts'

/**
 * Writes version 0 of a table unless it is there, and adds the columns that this code knows and the table does not. The
 * commit timestamp of version 0 is the epoch: before the first row, whatever clock the rows will be stamped by, other
 * engines' time travel finds the empty table.
 * @throws {ServiceError} WAREHOUSE_SCHEMA_CHANGED when the table's columns are not these, or fewer of these
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
  await createTable(context) // another process may have been first, with this or with something else
}

type Fields = { readonly fields: readonly { readonly name: string; readonly type: unknown }[] }

/**
 * A table may get new columns, which are null in older rows; anything else would change what is published.
 * @param schema_string  the table's columns as its log has them
 * @throws {ServiceError} WAREHOUSE_SCHEMA_CHANGED names the first column that is not as this code knows it
 */
export function checkColumns(table: string, schema_string: string, schema: TableSchema): void {
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
