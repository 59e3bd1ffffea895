import { randomUUID } from 'node:crypto'
import { invariant } from '../../../primitives/errors.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, utcDay } from '../../../primitives/instants.ts'
import type { Connection } from '../../../warehouse/duckdb/memory-database.ts'
import type { Action, AddFile, RemoveFile } from '../../../warehouse/log/actions.ts'
import type { LogContext } from '../../../warehouse/log/log-context.ts'
import { statisticsOf } from '../../../warehouse/log/merge-files.ts'
import { type CommitPlan, tryCommit } from '../../../warehouse/log/try-commit.ts'
import { PARQUET_OPTIONS } from '../../../warehouse/parquet/parquet-engine.ts'
import { type ColumnType, duckdbType, LOG_COLUMNS } from '../../../warehouse/schema.ts'
import { quoteText, readSql } from '../../../warehouse/sql/read-sql.ts'
import { tableSchema } from '../../../warehouse/tables.ts'

/** Quotes of one simulated day: every outcome of every market in each round. */
export type DaySize = { readonly markets: number; readonly rounds: number }

export const OUTCOMES = ['YES', 'NO']

/** Commits of a day, whose files upkeep has merged. */
const COMMITS = 10
/** Rows of one merged file: about 20 MB. */
const FILE_ROWS_MAX = 1_250_000

/**
 * Appends one day of quotes to the log of `market_quote` as upkeep leaves it: a commit for each tenth of a day, whose small file was
 * merged and removed, then the merge with the files that stay. DuckDB writes these at once, sorted as a merge sorts them.
 * @param connection  has the table `instruments`
 */
export async function appendDay(
  context: LogContext,
  connection: Connection,
  size: DaySize,
  day: Micros,
): Promise<void> {
  const removes: Action[] = []
  for (let n = 0; n < COMMITS; n++) {
    const stamp = day + ((n + 1) * MICROS_PER_DAY) / COMMITS - 1_000_000
    const add = mergedAway(stamp, (size.markets * OUTCOMES.length * size.rounds) / COMMITS)
    removes.push({ remove: removeOf(add, stamp) })
    const txn = { appId: 'history', version: Math.floor(stamp / 1000), lastUpdated: Math.floor(stamp / 1000) }
    await commit(context, { stamp, operation: 'BENCH', actions: [{ txn }, { add }] })
  }
  const instruments = size.markets * OUTCOMES.length
  const parts = Math.ceil((instruments * size.rounds) / FILE_ROWS_MAX)
  const bound = (n: number) => Math.floor((n * instruments) / parts)
  const adds: Action[] = []
  for (let n = 0; n < parts; n++) {
    adds.push({ add: await writePart(context, connection, size, day, { from: bound(n), to: bound(n + 1) }) })
  }
  await commit(context, {
    stamp: day + MICROS_PER_DAY - 1_000_000,
    operation: 'OPTIMIZE',
    actions: [...removes, ...adds],
  })
}

type DayCommit = Pick<CommitPlan, 'operation' | 'actions'> & { readonly stamp: Micros }

async function commit(context: LogContext, { stamp, operation, actions }: DayCommit): Promise<void> {
  const version = context.state.version + 1
  const clock = { in_commit_ms: Math.floor(stamp / 1000), sealed_through: stamp, head_stamp: stamp }
  const placed = await tryCommit(context, { version, operation, ...clock, actions, new_files: [] })
  invariant(placed, `history: version ${version} is taken`)
}

/** Columns of a simulated quote; the others are null. */
const STATED = new Set([
  ...['record_id', 'revision', 'venue_id', 'source_market_id', 'market_id', 'outcome_id'],
  ...['bid', 'ask', 'bid_depth', 'ask_depth', 'source_at', 'received_at', 'published_at', 'row_ordinal'],
])
const SELECTED = Object.entries<ColumnType>({ ...tableSchema('market_quote').columns, ...LOG_COLUMNS })
  .map(([name, type]) => (STATED.has(name) ? name : `null::${duckdbType(type)} as ${name}`))
  .join(', ')

type Range = { readonly from: number; readonly to: number }

async function writePart(context: LogContext, connection: Connection, size: DaySize, day: Micros, range: Range) {
  const path = `published_date=${utcDay(day)}/part-${randomUUID()}.zstd.parquet`
  const query = readSql(import.meta.url, 'quotes_of_day.sql', {
    day: String(day),
    columns: SELECTED,
    commits: String(COMMITS),
    rounds_of_commit: String(size.rounds / COMMITS),
    round_us: String(Math.floor(MICROS_PER_DAY / size.rounds)),
    commit_us: String(MICROS_PER_DAY / COMMITS),
    instruments: String(size.markets * OUTCOMES.length),
    from: String(range.from),
    to: String(range.to),
  })
  let stats = ''
  const file = await context.store.putProduced(`${context.table}/${path}`, async (target) => {
    await connection.run(`COPY (${query}) TO ${quoteText(target)} ${PARQUET_OPTIONS}`)
    stats = await statisticsOf(context, target, (range.to - range.from) * size.rounds)
  })
  return addOf(path, { stats, day, size: file.size_bytes, sha256: file.sha256, last: day + MICROS_PER_DAY - 1_000_000 })
}

type Added = {
  readonly stats: string
  readonly day: Micros
  readonly size: number
  readonly sha256: string
  readonly last: Micros
}

function addOf(path: string, { stats, day, size, sha256, last }: Added): AddFile {
  const first = day + MICROS_PER_DAY / COMMITS - 1_000_000
  return {
    path,
    partitionValues: { published_date: utcDay(day) },
    size,
    modificationTime: Math.floor(last / 1000),
    dataChange: false,
    stats,
    tags: { 'tidemark.sha256': sha256, 'tidemark.stamp_min': String(first), 'tidemark.stamp_max': String(last) },
  }
}

/** File of one commit, which exists no more: the merge of its day has its rows. */
function mergedAway(stamp: Micros, rows: number): AddFile {
  const path = `published_date=${utcDay(stamp)}/part-${randomUUID()}.zstd.parquet`
  const bounds = JSON.stringify({ published_at: formatMicros(stamp) })
  return {
    path,
    partitionValues: { published_date: utcDay(stamp) },
    size: rows * 20,
    modificationTime: Math.floor(stamp / 1000),
    dataChange: true,
    stats: `{"numRecords":${rows},"minValues":${bounds},"maxValues":${bounds},"nullCount":{"published_at":0}}`,
    tags: {
      'tidemark.sha256': sha256Hex(path),
      'tidemark.stamp_min': String(stamp),
      'tidemark.stamp_max': String(stamp),
    },
  }
}

function removeOf({ path, partitionValues, size }: AddFile, stamp: Micros): RemoveFile {
  const deletionTimestamp = Math.floor(stamp / 1000)
  return { path, deletionTimestamp, dataChange: false, extendedFileMetadata: true, partitionValues, size }
}
