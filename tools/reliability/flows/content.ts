import { join } from 'node:path'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'

/** Tables compared row by row. Marks of a chunk that was completed later have been revised, so their newest revisions count. */
const TABLES = [
  'market_quote_history',
  'public_trade_history',
  'market_resolution_history',
  'market_history',
  'event_history',
  'market_mark',
] as const
/** Columns that say when something was received or published, and ids that follow from them. */
const CLOCKED = /^(row_ordinal|published_at|received_at|calculated_at|confirmed_at|.*_ids?|.*_hash|payload.*|file)$/
/** Columns of a mark that tell how often it was stated. */
const REVISED = /^(revision|correction_reason)$/

/** Rows by table, one line each, in order. */
export type Content = Readonly<Record<string, readonly string[]>>

/** Reads every revision of every record, without when it was received and published. */
export function contentOf(home: string): Promise<Content> {
  return withWarehouseOf(home, async (warehouse) => {
    const session = await openReadSession(warehouse, { as_of: null })
    try {
      const content: Record<string, readonly string[]> = {}
      for (const table of TABLES) {
        const rows = await session.query(`select * from ${table}`)
        const isCompared = (column: string) =>
          !CLOCKED.test(column) && !(table === 'market_mark' && REVISED.test(column))
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
    return [`${table}: ${lines.length} rows expected, ${other.length} found; first ${lines[place]} and ${other[place]}`]
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
