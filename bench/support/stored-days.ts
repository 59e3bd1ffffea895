import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Micros } from '../../primitives/instants.ts'
import { processEnvironment, readSettings } from '../../service/configuration.ts'
import { openMemoryDatabase } from '../../warehouse/duckdb/memory-database.ts'
import { stampRange } from '../../warehouse/log/choose-stamp.ts'
import { openTableLog } from '../../warehouse/log/table-log.ts'
import { createParquetEngine, PARQUET_OPTIONS, type ParquetEngine } from '../../warehouse/parquet/parquet-engine.ts'
import { duckdbType, LOG_COLUMNS } from '../../warehouse/schema.ts'
import { quoteText } from '../../warehouse/sql/read-sql.ts'
import { openLocalStore } from '../../warehouse/store/local-store.ts'
import { type TableName, tableSchema } from '../../warehouse/tables.ts'

export const MINUTES_A_DAY = 1440
export const MINUTE: Micros = 60_000_000
export const FIRST_DAY: Micros = Date.UTC(2025, 0, 1) * 1000
export const DAY: Micros = MINUTES_A_DAY * MINUTE

/** Rows of one table, a file a day; DuckDB makes them, because 10 million would take too long as objects. */
export type StoredTable = {
  readonly table: TableName
  /** SELECT with every column of the rows of a day, in the order of the table. */
  readonly rowsOf: (day: number) => string
  /** Statistics of the file of a day. */
  readonly statisticsOf: (day: number) => string
  /** First and last publication of a day. */
  readonly stampsOf: (day: number) => readonly [Micros, Micros]
}

/**
 * Returns the folder of a warehouse with days of rows as a table log with compacted days, made once and kept in the cache folder
 * (TIDEMARK_CACHE).
 * @param name names the rows and their form: other rows need another name
 */
export async function storedDays(name: string, days: number, tables: readonly StoredTable[]): Promise<string> {
  const root = join(readSettings({}, processEnvironment()).cache, 'bench', `${name}-${days}-days`)
  if (existsSync(root)) return root
  await mkdir(dirname(root), { recursive: true })
  const making = await mkdtemp(`${root}-`)
  process.stderr.write(`making ${days} days of ${name} in ${root}\n`)
  await openLocalStore(making).putIfAbsent('warehouse.json', Buffer.from('{"format":1,"warehouse_id":"bench"}\n'))
  for (const table of tables) await storeTable(making, days, table)
  await rename(making, root)
  return root
}

async function storeTable(root: string, days: number, { table, rowsOf, statisticsOf, stampsOf }: StoredTable) {
  const { connection, close } = await openMemoryDatabase()
  const pending: Promise<unknown>[] = []
  const real = createParquetEngine()
  const engine: ParquetEngine = {
    async writeRows({ published_at }, path) {
      const day = Math.floor((stampRange(published_at).last - FIRST_DAY) / DAY)
      await connection.run(`copy (${rowsOf(day)}) to ${quoteText(path)} ${PARQUET_OPTIONS}`)
      return statisticsOf(day)
    },
    query: real.query,
  }
  const log = openTableLog(table, {
    store: openLocalStore(root),
    engine,
    ports: {},
    writable: true,
    background: (work) => pending.push(work),
  })
  for (let day = 0; day < days; day += 1) {
    const stamp = { kind: 'recorded_rows', at: [...stampsOf(day)] } as const
    await log.append([{}, {}], { app_id: 'bench', app_sequence: day, stamp, operation: 'BENCH' })
  }
  await Promise.all(pending)
  close()
}

/** Returns the columns of a table for a SELECT: the given expressions, and null for every other. */
export function rowColumns(table: TableName, known: Readonly<Record<string, string>>): string {
  return Object.entries({ ...tableSchema(table).columns, ...LOG_COLUMNS })
    .map(([name, type]) => `(${known[name] ?? 'null'})::${duckdbType(type)} as "${name}"`)
    .join(', ')
}
