import { marketIdOf, outcomeIdOf } from '../../../pipelines/revisions/identity.ts'
import { MICROS_PER_DAY, type Micros } from '../../../primitives/instants.ts'
import { type Connection, openMemoryDatabase } from '../../../warehouse/duckdb/memory-database.ts'
import { writeCheckpoint } from '../../../warehouse/log/checkpoint.ts'
import { refresh } from '../../../warehouse/log/refresh.ts'
import { tableContext } from '../../../warehouse/log/table-log.ts'
import { createParquetEngine } from '../../../warehouse/parquet/parquet-engine.ts'
import { CommitVersions } from '../../../warehouse/reader/commit-versions.ts'
import { openIntakeEngine } from '../../../warehouse/reader/intake-engine.ts'
import { loadTable } from '../../../warehouse/reader/load-table.ts'
import { RECENT_LIMITS } from '../../../warehouse/reader/recent-commits.ts'
import { storeNewest } from '../../../warehouse/reader/stored-newest.ts'
import { TableMemory } from '../../../warehouse/reader/table-memory.ts'
import { fileVerifier } from '../../../warehouse/reader/verified-paths.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { appender, defineInvented } from '../define-invented.ts'
import { inventedIndex, inventedMarkets, VENUE } from '../invented-indexes.ts'
import { MINUTE, YEAR_START } from '../synthetic-books.ts'
import { appendDay, type DaySize, OUTCOMES } from './history-days.ts'

/** Indexes that tick on the simulated history; they read the first `markets` of its markets. */
export const INDEXES = { indexes: 1000, constituents: 20, markets: 400 }

/** Ports of a warehouse whose clock is set by hand. */
export function clockPorts(clock: { now: Micros }) {
  return { now: async () => clock.now, without_clock_guards: true }
}

/**
 * Makes a warehouse with definitions of indexes and days of quotes. The last day ends at YEAR_START.
 * @param root  folder or `s3://bucket/prefix`
 */
export async function makeHistory(root: string, size: DaySize, days: number): Promise<void> {
  const clock = { now: YEAR_START - 2 * MINUTE }
  const warehouse = await openWarehouse({ root, create: true, ports: clockPorts(clock) })
  try {
    const append = appender(warehouse)
    const files = Array.from({ length: INDEXES.indexes }, (_, i) => inventedIndex(i, INDEXES, YEAR_START))
    await append('market', inventedMarkets(size.markets, YEAR_START))
    await defineInvented(append, files)
    await appendDays(warehouse, size, days)
    if (days > FIRST_OPENED_DAYS_MAX) await storeFollowed(warehouse)
    // As upkeep leaves it, once everything is older than its retention.
    await warehouse.log('market_quote').vacuum({ retention_ms: 0 })
  } finally {
    await warehouse.close()
  }
}

/** Days of a history whose first opening is measured; it reads every row. */
export const FIRST_OPENED_DAYS_MAX = 40

/** Stores what a reader that has followed the history has stored. The last day is enough, because it has every instrument. */
async function storeFollowed({ log, store }: Warehouse): Promise<void> {
  const { commit, snapshot } = log('market_quote')
  const all = await snapshot()
  const first_published_at = Math.min(...all.files.map(({ stamp_min }) => stamp_min))
  const last_day = all.files
    .map(({ published_date }) => published_date)
    .toSorted()
    .at(-1)
  const files = all.files.filter(({ published_date }) => published_date === last_day)
  const memory = new TableMemory('market_quote', RECENT_LIMITS)
  const engine = await openIntakeEngine()
  await loadTable(
    memory,
    { ...all, files },
    {
      connection: await engine.connect(),
      versions: new CommitVersions('market_quote', commit),
      verify: fileVerifier(store),
      store: { ...store, putIfAbsent: async () => 'unknown' }, // so that loading stores no state of the last day alone
      commit,
      now_ms: Date.now(),
      recent_since_ms: Number.POSITIVE_INFINITY,
    },
  )
  engine.close()
  const state = memory.state().map((line) => ('newest' in line ? { ...line, first_published_at } : line))
  const place = { table_id: memory.epoch, version: memory.version, stamp: memory.horizon }
  await storeNewest(Object.assign(memory, { state: () => state }), place, { store, commit })
}

async function appendDays({ store }: Warehouse, size: DaySize, days: number): Promise<void> {
  const pending: Promise<unknown>[] = []
  const background = (work: Promise<unknown>) => void pending.push(work)
  const context = tableContext('market_quote', {
    store,
    engine: createParquetEngine(),
    ports: {},
    writable: true,
    background,
  })
  await refresh(context)
  const { connection, close } = await openMemoryDatabase({ threads: '1' }) // two threads take half as much CPU again
  try {
    await makeInstruments(connection, size.markets)
    for (let day = days; day >= 1; day--) {
      await appendDay(context, connection, size, YEAR_START - day * MICROS_PER_DAY)
      await Promise.all(pending.splice(0))
    }
    await writeCheckpoint(context)
  } finally {
    close()
  }
}

/** Creates the table of all outcomes, numbered in the order of the key of market_quote. */
async function makeInstruments(connection: Connection, markets: number): Promise<void> {
  const rows = Array.from({ length: markets }, (_, n) => `m${n}`).flatMap((source_market_id) => {
    const market_id = marketIdOf(VENUE, source_market_id)
    return OUTCOMES.map((label) => `('${source_market_id}', '${market_id}', '${outcomeIdOf(market_id, label)}')`)
  })
  await connection.run(
    `create table instruments as select row_number() over (order by market_id, outcome_id) - 1 as place, *,
      (hash(market_id) % 200000 * 1000)::bigint as phase_us
    from (values ${rows.join(', ')}) as t(source_market_id, market_id, outcome_id) order by place`,
  )
}
