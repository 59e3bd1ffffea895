import { join } from 'node:path'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'

/**
 * Tables compared row by row, and their columns that follow from when something was received or published: two undisturbed runs differ in
 * them. Marks of a chunk that was completed later have been revised, so their newest revisions count, where a mark says anything new.
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
        const compared = rows.map((row) => Object.entries(row).filter(([column]) => isCompared(column)))
        content[table] = (
          table === 'market_mark' ? newMarks(compared) : compared.map((row) => JSON.stringify(row))
        ).sort()
      }
      return content
    } finally {
      await session.close()
    }
  })
}

type Fields = readonly (readonly [string, unknown])[]

/** Column of a mark that names its tick, and those that name its series. */
const TICK = 'tick_at'
const SERIES = ['venue_id', 'source_series_id', 'outcome_id']

/** Leaves out marks that repeat the one before: a mark holds until the next, and the ticks of a chunk read in parts may say it again. */
export function newMarks(rows: readonly Fields[]): string[] {
  const tickOf = (row: Fields) => String(row.find(([column]) => column === TICK)?.[1])
  const last = new Map<string, string>()
  return rows
    .toSorted((a, b) => (tickOf(a) < tickOf(b) ? -1 : 1))
    .flatMap((row) => {
      const series = JSON.stringify(row.filter(([column]) => SERIES.includes(column)))
      const said = JSON.stringify(row.filter(([column]) => column !== TICK))
      if (last.get(series) === said) return []
      last.set(series, said)
      return [JSON.stringify(row)]
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
