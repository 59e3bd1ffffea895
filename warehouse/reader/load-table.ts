import { type Micros, toMicros } from '../../primitives/instants.ts'
import { type Connection, readRows } from '../duckdb/memory-database.ts'
import { IS_TRADE } from '../read/is-trade.ts'
import { readNewRows } from '../read/read-new-rows.ts'
import { columnList, dataRelation, instantLiteral } from '../read/table-relations.ts'
import type { Row } from '../schema.ts'
import { quoteName, quoteText, readSql } from '../sql/read-sql.ts'
import type { Snapshot } from '../warehouse.ts'
import { type GrowingTableName, isAssessment, isFiled, isGrowing, NEWEST } from './followed-tables.ts'
import { loadAssessments, rereadAssessments } from './load-assessments.ts'
import { type LoadBase, type LoadContext, seqOfRow } from './load-context.ts'
import { type NewestTrades, TRADES_KEPT } from './newest-trades.ts'
import type { TableMemory } from './table-memory.ts'

/** Most rows of commits read again at start, so that a restarted process can resume streams. */
const RECENT_ROWS_MAX = 20_000
const RECENT_COMMITS_MAX = 5000

/**
 * Fills an empty memory from one snapshot: one query for everything committed before the time kept for resuming, then the
 * commits since one by one, as if they had been followed.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names a damaged file
 */
export async function loadTable(memory: TableMemory, snapshot: Snapshot, context: LoadContext): Promise<void> {
  memory.epoch = snapshot.table_id ?? ''
  if (snapshot.rows > 0) {
    const base = await baseOf(snapshot, context)
    const paths = await context.verify(snapshot.files)
    await loadBase(memory, paths, base, context)
    const lost = await loadRecent(memory, snapshot, paths, base, context)
    const known = { version: snapshot.version, stamp: snapshot.head_stamp ?? 0 }
    const takeIn = await rereadAssessments(memory, lost, paths, known, context)
    takeIn()
  }
  memory.version = snapshot.version
  memory.loaded = true
  memory.horizon = snapshot.head_stamp ?? 0
  memory.sealed_through = snapshot.sealed_through ?? 0
}

/** Base version; stamp null: nothing was published up to it. */
type Base = { readonly version: number; readonly stamp: Micros | null }

async function baseOf(snapshot: Snapshot, { versions, recent_since_ms }: LoadContext): Promise<Base> {
  let [version, rows] = [snapshot.version, 0]
  for (; version >= 0; version -= 1) {
    const time = await versions.timeOf(version)
    rows += time.rows
    const full = rows > RECENT_ROWS_MAX || snapshot.version - version >= RECENT_COMMITS_MAX
    if (full || time.committed_ms < recent_since_ms) return { version, stamp: time.head_stamp }
  }
  return { version, stamp: null }
}

async function loadBase(memory: TableMemory, paths: readonly string[], base: Base, context: LoadContext) {
  const { stamp, version } = base
  if (stamp === null || isFiled(memory.table)) return
  if (isGrowing(memory.table)) await loadNewest(memory, memory.table, paths, { version, stamp }, context)
  else if (isAssessment(memory.table)) await loadAssessments(memory, memory.table, paths, { version, stamp }, context)
  else await loadReference(memory, paths, { version, stamp }, context)
}

async function loadReference(memory: TableMemory, paths: readonly string[], base: LoadBase, context: LoadContext) {
  const { connection, versions } = context
  const last = new Map<string, Row>()
  for await (const row of readNewRows(connection, memory.table, paths, null)) {
    if (toMicros(row.published_at) > base.stamp) break
    memory.reference!.add(row)
    last.set(memory.feedKey(row), row)
  }
  for (const row of last.values()) memory.setLast(row, await seqOfRow(row, base.version, versions))
}

async function loadNewest(
  memory: TableMemory,
  table: GrowingTableName,
  paths: readonly string[],
  base: LoadBase,
  context: LoadContext,
): Promise<void> {
  const { connection, versions } = context
  const { key, order } = NEWEST[table]
  const rows = dataRelation(table, paths)
  const names = (columns: readonly string[]) => columns.map(quoteName).join(', ')
  const addresses = await readRows(
    connection,
    readSql(import.meta.url, 'sql/newest_row_addresses.sql', {
      key: names(key),
      order: structOf([...order, 'published_at', 'row_ordinal']),
      rows,
      shown: table === 'public_trade' ? IS_TRADE : 'true',
      as_of: instantLiteral(base.stamp),
    }),
  )
  if (memory.trades !== null) await loadTrades(memory.trades, rows, base, connection)
  const first = new Map<string, Micros>()
  for (const address of addresses) {
    const last = address.last_order as Row
    memory.setLast(address, await seqOfRow(last, base.version, versions))
    const newest = address.newest_order as Row
    first.set(`${newest.published_at} ${newest.row_ordinal}`, toMicros(address.first_published_at))
  }
  const keys = [...first.keys()].map((text) => text.split(' '))
  const known = `published_at <= ${instantLiteral(base.stamp)}`
  const newest = await readRows(
    connection,
    readSql(import.meta.url, 'sql/rows_by_address.sql', { columns: columnList(table), rows, known }),
    {
      stamps: keys.map(([stamp]) => stamp!),
      ordinals: keys.map(([, ordinal]) => ordinal!),
    },
  )
  for (const row of newest) {
    const since = first.get(`${row.published_at} ${row.row_ordinal}`)
    memory.newest!.add(row, await seqOfRow(row, base.version, versions), since)
  }
}

async function loadTrades(trades: NewestTrades, rows: string, base: LoadBase, connection: Connection): Promise<void> {
  const outcomes = await readRows(
    connection,
    readSql(import.meta.url, 'sql/newest_trade_addresses.sql', {
      rows,
      is_trade: IS_TRADE,
      as_of: instantLiteral(base.stamp),
      kept: String(TRADES_KEPT),
    }),
  )
  const addresses = outcomes.flatMap(({ newest }) => (newest ?? []) as readonly Row[])
  const known = `published_at <= ${instantLiteral(base.stamp)}`
  const found = await readRows(
    connection,
    readSql(import.meta.url, 'sql/rows_by_address.sql', { columns: columnList('public_trade'), rows, known }),
    {
      stamps: addresses.map(({ published_at }) => String(published_at)),
      ordinals: addresses.map(({ row_ordinal }) => String(row_ordinal)),
    },
  )
  for (const row of found) trades.add(row)
  for (const { market_id, outcome_id, first_published_at, changed_at } of outcomes) {
    trades.note({ market_id, outcome_id }, toMicros(first_published_at), toMicros(changed_at))
  }
}

function structOf(columns: readonly string[]): string {
  return `{${columns.map((column) => `${quoteText(column)}: ${quoteName(column)}`).join(', ')}}`
}

/** @returns series of assessments that must be refilled */
async function loadRecent(
  memory: TableMemory,
  snapshot: Snapshot,
  paths: readonly string[],
  base: Base,
  { connection, versions, now_ms }: LoadContext,
): Promise<readonly Row[]> {
  const lost = new Set<Row>()
  const recent = paths.filter((_, n) => snapshot.files[n]!.stamp_max > (base.stamp ?? -1))
  const rows = readNewRows(connection, memory.table, recent, base.stamp)
  let next = await rows.next()
  for (let version = base.version + 1; version <= snapshot.version; version += 1) {
    const { head_stamp, committed_ms } = await versions.timeOf(version)
    const of_version: Row[] = []
    for (; next.done !== true && toMicros(next.value.published_at) <= (head_stamp ?? 0); next = await rows.next()) {
      of_version.push(next.value)
    }
    for (const key of memory.assessments?.losing(of_version) ?? []) lost.add(key)
    if (of_version.length > 0) memory.recent.add(memory.take(version, of_version), committed_ms, now_ms)
  }
  return [...lost]
}
