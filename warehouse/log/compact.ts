import { randomUUID } from 'node:crypto'
import { invariant } from '../../primitives/errors.ts'
import { utcDay } from '../../primitives/instants.ts'
import type { Action, AddFile, RemoveFile } from './actions.ts'
import type { LogContext } from './log-context.ts'
import type { LiveFile } from './log-state.ts'
import { backOff, busy, TRIES_MAX } from './lost-race.ts'
import { mergeFiles } from './merge-files.ts'
import { refresh } from './refresh.ts'
import { PARTITION_COLUMN } from './table-definition.ts'
import { discard, tryCommit } from './try-commit.ts'
import { verifiedPaths } from './verified-files.ts'

/** The open day is compacted only once it has more small files than this. */
const OPEN_DAY_FILES_MAX = 100

/** Number of smallest files that are merged regardless of size. */
const TOGETHER_MIN = OPEN_DAY_FILES_MAX / 2

/** Files of at least this size are not merged again. */
const SMALL_FILE_BYTES_MAX = 64 << 20

export type CompactOptions = {
  /** One published day, YYYY-MM-DD, closed or open; default: every day that is due. */
  readonly published_date?: string
}

/** Result of compacting one day. */
export type CompactedDay = {
  readonly published_date: string
  readonly files_before: number
  readonly files_after: number
  readonly rows: number
  /** false: another compactor had replaced some of these files; nothing was done. */
  readonly committed: boolean
}

/**
 * Merges the small data files of a published day into one. Every row keeps its values, its published_at and its
 * row_ordinal, so no answer changes: before the commit the new file is compared with the old ones row by row. The old files
 * stay for readers of older versions until `vacuum`.
 *
 * A concurrent append is no conflict. Of two compactors of the same file the later one discards its work.
 * @throws {ServiceError} WAREHOUSE_CORRUPT, WAREHOUSE_STORE_FULL, WAREHOUSE_BUSY
 */
export async function compact(context: LogContext, options: CompactOptions = {}): Promise<CompactedDay[]> {
  const { files, sealed_through } = (await refresh(context)).snapshot()
  const open_day = sealed_through === null ? null : utcDay(sealed_through)
  const done: CompactedDay[] = []
  for (const [day, of_day] of filesByDay(files)) {
    if (options.published_date !== undefined && day !== options.published_date) continue
    // A day is closed once something later is published or sealed: no commit can be stamped in it.
    const is_closed = open_day !== null && day < open_day
    const due = is_closed || options.published_date !== undefined ? of_day : smallestOf(of_day)
    if (due.length > 1) done.push(await compactDay(context, day, due))
  }
  return done
}

/**
 * Returns the files of an open day to merge, if it has many: those with the fewest rows, and each next one with no more rows than
 * all before it. So a row is rewritten only after as many rows were added, however often small files are merged.
 */
function smallestOf(files: readonly LiveFile[]): readonly LiveFile[] {
  if (files.length <= OPEN_DAY_FILES_MAX) return []
  const sorted = files.toSorted((a, b) => a.rows - b.rows)
  let before = 0
  const larger = sorted.findIndex(({ rows }, rank) => {
    const is_larger = rank >= TOGETHER_MIN && rows > before
    before += rows
    return is_larger
  })
  return larger < 0 ? sorted : sorted.slice(0, larger)
}

function filesByDay(files: readonly LiveFile[]): Map<string, LiveFile[]> {
  const days = new Map<string, LiveFile[]>()
  for (const file of files) {
    if (file.size_bytes >= SMALL_FILE_BYTES_MAX) continue
    const of_day = days.get(file.published_date)
    if (of_day === undefined) days.set(file.published_date, [file])
    else of_day.push(file)
  }
  return days
}

async function compactDay(context: LogContext, day: string, files: readonly LiveFile[]): Promise<CompactedDay> {
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  // Hashed again even if checked before: damage must not get a new, valid hash.
  for (const file of files) context.verified.delete(file.key)
  const sources = await verifiedPaths(context, files)
  const path = `${PARTITION_COLUMN}=${day}/part-${randomUUID()}.zstd.parquet`
  const key = `${context.table}/${path}`
  let stats = ''
  const produced = await context.store.putProduced(key, async (target) => {
    const merged = await mergeFiles(context, sources, target)
    invariant(merged.rows === rows, `compaction of ${context.table} ${day}: ${merged.rows} rows, the log says ${rows}`)
    stats = merged.stats
  })
  const add: AddFile = {
    path,
    partitionValues: { published_date: day },
    size: produced.size_bytes,
    modificationTime: Math.floor(produced.modified_at / 1000),
    dataChange: false,
    stats,
    tags: {
      'tidemark.sha256': produced.sha256,
      'tidemark.stamp_min': String(Math.min(...files.map((file) => file.stamp_min))),
      'tidemark.stamp_max': String(Math.max(...files.map((file) => file.stamp_max))),
    },
  }
  const committed = await context.alone(() => commitMerge(context, files, add, key))
  return { published_date: day, files_before: files.length, files_after: committed ? 1 : files.length, rows, committed }
}

async function commitMerge(
  context: LogContext,
  files: readonly LiveFile[],
  add: AddFile,
  key: string,
): Promise<boolean> {
  const deletion_ms = Math.floor((await context.store.now()) / 1000)
  const removes = files.map((file): Action => ({ remove: removeOf(file, deletion_ms) }))
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const { adds, clock, version } = await refresh(context)
    if (!files.every((file) => adds.has(file.path))) {
      await discard(context, [key])
      return false
    }
    const committed = await tryCommit(context, {
      version: version + 1,
      operation: 'OPTIMIZE',
      in_commit_ms: 0, // one millisecond after the version before: a compaction publishes nothing
      sealed_through: clock.sealed_through,
      head_stamp: clock.head_stamp,
      actions: [...removes, { add }],
      new_files: [key],
    })
    if (committed) return true
    await backOff(tries)
  }
  await discard(context, [key])
  throw busy(context.table)
}

function removeOf(file: LiveFile, deletion_ms: number): RemoveFile {
  return {
    path: file.path,
    deletionTimestamp: deletion_ms,
    dataChange: false,
    extendedFileMetadata: true,
    partitionValues: { published_date: file.published_date },
    size: file.size_bytes,
  }
}
