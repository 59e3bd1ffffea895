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
import { isWorthStoring, restoreNewest, storeNewest } from './stored-newest.ts'
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
    const stored_to = await storedThrough(memory, snapshot, base, context)
    const files = snapshot.files.filter(({ stamp_max }) => stamp_max > (stored_to ?? Number.NEGATIVE_INFINITY))
    const paths = await context.verify(files)
    await loadBase(memory, { files, paths, stored_to }, base, context)
    const recent = paths.filter((_, n) => files[n]!.stamp_max > (base.stamp ?? -1))
    const lost = await loadRecent(memory, snapshot, recent, base, context)
    const known = { version: snapshot.version, stamp: snapshot.head_stamp ?? 0 }
    const takeIn = await rereadAssessments(memory, lost, paths, known, context)
    takeIn()
  }
  memory.version = snapshot.version
  memory.commit_sha256 = snapshot.commit_sha256
  memory.loaded = true
  memory.horizon = snapshot.head_stamp ?? 0
  memory.sealed_through = snapshot.sealed_through ?? 0
}

/** Returns the instant of publication through which memory needs no file, after it was restored from a stored state; null: none. */
async function storedThrough(memory: TableMemory, snapshot: Snapshot, { stamp }: Base, context: LoadContext) {
  if (stamp === null) return null
  if (isFiled(memory.table)) return stamp
  return isGrowing(memory.table) ? restoreNewest(memory, snapshot, stamp, context) : null
}

/** Files that are read at a start, and the instant of publication through which memory was restored. */
type LoadFiles = {
  readonly files: Snapshot['files']
  readonly paths: readonly string[]
  readonly stored_to: Micros | null
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

async function loadBase(memory: TableMemory, read: LoadFiles, base: Base, context: LoadContext): Promise<void> {
  const { stamp, version } = base
  const { table } = memory
  if (stamp === null || isFiled(table)) return
  if (isAssessment(table)) return loadAssessments(memory, table, read.paths, { version, stamp }, context)
  if (!isGrowing(table)) return loadReference(memory, read.paths, { version, stamp }, context)
  const load = read.stored_to === null ? loadNewest : loadSince
  const rows = await load(memory, read, { version, stamp }, context)
  // A stored state only saves time later; a reader may also have no right to write.
  const place = { table_id: memory.epoch, version, stamp }
  if (isWorthStoring(rows)) await storeNewest(memory, place, context).catch(() => undefined)
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

/** Adds the rows published after a stored state one by one, as if they had been followed; returns their number. */
async function loadSince(
  memory: TableMemory,
  { paths, stored_to }: LoadFiles,
  base: LoadBase,
  { connection, versions }: LoadContext,
): Promise<number> {
  let [count, version] = [0, -1]
  let published_at: Row[string] = null
  for await (const row of readNewRows(connection, memory.table, paths, stored_to)) {
    if (row.published_at !== published_at) {
      published_at = row.published_at
      if (toMicros(published_at) > base.stamp) break
      version = await versions.versionOf(toMicros(published_at), base.version)
    }
    memory.take(version, [row])
    count += 1
  }
  return count
}

/** Finds the newest rows in all files; returns the number of rows searched. */
async function loadNewest(
  memory: TableMemory,
  { files, paths }: LoadFiles,
  base: LoadBase,
  context: LoadContext,
): Promise<number> {
  const table = memory.table as GrowingTableName
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
  return files.reduce((sum, file) => sum + file.rows, 0)
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
  recent: readonly string[],
  base: Base,
  { connection, versions, now_ms }: LoadContext,
): Promise<readonly Row[]> {
  const lost = new Set<Row>()
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
