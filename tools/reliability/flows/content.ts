import { join } from 'node:path'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'

/**
 * Tables compared row by row, and their columns that follow from when something was received or published: two undisturbed runs differ in
 * them. Marks of a chunk that was completed later have been revised, so their newest revisions count.
 */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  market_quote_history: ['record_id', 'supersedes_id', 'confirms_id'],
  public_trade_history: ['trade_id', 'supersedes_id'],
  market_resolution_history: ['resolution_id', 'supersedes_id', 'confirms_id', 'evidence'],
  market_history: ['created_at', 'updated_at', 'source_at'],
  event_history: ['created_at', 'updated_at', 'source_at'],
  market_mark: [
    ...['mark_id', 'revision', 'supersedes_id', 'correction_reason'],
    ...['midpoint_observation_ids', 'source_observation_ids'],
  ],
  index_observation_history: ['record_hash', 'published_at_ts_ms'],
}
const CLOCKED = ['received_at', 'published_at', 'calculated_at', 'row_ordinal']

/** Rows by table, one line each, in order. */
export type Content = Readonly<Record<string, readonly string[]>>

/** Reads every revision of every record, without when it was received and published. */
export function contentOf(home: string): Promise<Content> {
  return withWarehouseOf(home, async (warehouse) => {
    const session = await openReadSession(warehouse, { as_of: null })
    try {
      const content: Record<string, readonly string[]> = {}
      for (const [table, of_clocks] of Object.entries(TABLES)) {
        const rows = await session.query(`select * from ${table}`)
        const isCompared = (column: string) => !CLOCKED.includes(column) && !of_clocks.includes(column)
        content[table] = rows
          .map((row) => JSON.stringify(Object.entries(row).filter(([column]) => isCompared(column))))
          .sort()
      }
      return content
    } finally {
      await session.close()
    }
  })
}

/** Returns a sentence about each table that differs. */
export function differences(expected: Content, found: Content): string[] {
  return Object.entries(expected).flatMap(([table, lines]) => {
    const other = found[table] ?? []
    const place = Array.from({ length: Math.max(lines.length, other.length) }, (_, n) => n).find(
      (n) => lines[n] !== other[n],
    )
    if (place === undefined) return []
    const rows = `${lines.length} rows expected, ${other.length} found`
    return [`${table}: ${rows}; the first that differ: ${lines[place]} and ${other[place]}`]
  })
}

/** Returns what `tidemark audit` finds, one sentence each. */
export function auditFaults(home: string): Promise<string[]> {
  return withWarehouseOf(home, async (warehouse) => {
    const { violations } = await auditWarehouse({ warehouse })
    return violations.map((violation) => `audit: ${JSON.stringify(violation)}`)
  })
}

async function withWarehouseOf<T>(home: string, work: (warehouse: Warehouse) => Promise<T>): Promise<T> {
  const warehouse = await openWarehouse({ root: join(home, 'warehouse') })
  try {
    return await work(warehouse)
  } finally {
    await warehouse.close()
  }
}
