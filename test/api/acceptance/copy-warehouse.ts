import { type Micros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { type TableName, tableSchema } from '../../../warehouse/tables.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'

const TABLES = [
  'methodology',
  'index_definition',
  'index_version',
  'index_link',
  'index_observation',
  'event',
  'market',
  'market_resolution',
  'market_quote',
  'market_mark',
  'public_trade',
] as const satisfies readonly TableName[]

/** Every row of a warehouse written into a new one under its own publication time, some of them changed on the way. */
export async function copyWarehouse(
  from: string,
  to: string,
  change: (table: TableName, row: Row) => Row,
): Promise<string> {
  const [source, target] = [await openWarehouse({ root: from }), await openWarehouse({ root: to, create: true })]
  const session = await openReadSession(source, { as_of: null })
  try {
    for (const table of TABLES) {
      const rows = await session.query(`select * from ${table}_history order by published_at, row_ordinal`)
      const commits = new Map<Micros, Row[]>()
      for (const row of rows) {
        const at = toMicros(row.published_at)
        commits.set(at, [...(commits.get(at) ?? []), row])
      }
      for (const [at, some] of commits) {
        const changed = some.map((row) => change(table, storedOnly(table, row)))
        const stamp = { kind: 'recorded', at } as const
        await target.append(table, changed, { app_id: 'copy', app_sequence: at, stamp, operation: 'TEST' })
      }
    }
  } finally {
    await session.close()
    await source.close()
    await target.close()
  }
  return to
}

/** Without what the views and the log add. */
function storedOnly(table: TableName, row: Row): Row {
  return Object.fromEntries(Object.keys(tableSchema(table).columns).map((column) => [column, row[column] ?? null]))
}
