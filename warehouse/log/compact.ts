import { randomUUID } from 'node:crypto'
import { toMicros, utcDay } from '../../primitives/instants.ts'
import type { Action, AddFile, RemoveFile } from './actions.ts'
import type { LogContext } from './log-context.ts'
import type { LiveFile } from './log-state.ts'
import { backOff, busy, TRIES_MAX } from './lost-race.ts'
import { mergeFiles, type Produce, type PutFile, piecesOf, putPieces } from './merge-files.ts'
import { refresh } from './refresh.ts'
import { PARTITION_COLUMN } from './table-definition.ts'
import { discard, tryCommit } from './try-commit.ts'
import { verifiedPaths } from './verified-files.ts'

/** The open day is compacted only once it has more small files than this. */
const OPEN_DAY_FILES_MAX = 100

/** Number of smallest files that are merged regardless of size. */
const TOGETHER_MIN = OPEN_DAY_FILES_MAX / 2

/** Largest data file that a merge writes. Larger files, which earlier releases wrote, are not merged again. */
const FILE_BYTES_MAX = 64 << 20

export type CompactOptions = {
  /** One published day, YYYY-MM-DD, closed or open; default: every day that is due. */
  readonly published_date?: string
  /** Only for tests. */
  readonly file_bytes_max?: number
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
 * Merges the small data files of a published day into one, or into as few as may hold them. Every row keeps its values, its published_at and its
 * row_ordinal, so no answer changes: before the commit the new files are compared with the old ones row by row. The old files
 * stay for readers of older versions until `vacuum`.
 *
 * A concurrent append is no conflict. Of two compactors of the same file the later one discards its work.
 * @throws {ServiceError} WAREHOUSE_CORRUPT, WAREHOUSE_STORE_FULL, WAREHOUSE_BUSY
 */
export async function compact(context: LogContext, options: CompactOptions = {}): Promise<CompactedDay[]> {
  const { published_date, file_bytes_max = FILE_BYTES_MAX } = options
  const { files, sealed_through } = (await refresh(context)).snapshot()
  const open_day = sealed_through === null ? null : utcDay(sealed_through)
  const done: CompactedDay[] = []
  for (const [day, of_day] of filesByDay(files, file_bytes_max)) {
    if (published_date !== undefined && day !== published_date) continue
    // A day is closed once something later is published or sealed: no commit can be stamped in it.
    const is_closed = open_day !== null && day < open_day
    const due = is_closed || published_date !== undefined ? of_day : smallestOf(of_day)
    if (due.length > piecesOf(bytesOf(due), file_bytes_max))
      done.push(await compactDay(context, day, due, file_bytes_max))
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

function bytesOf(files: readonly LiveFile[]): number {
  return files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
}

function filesByDay(files: readonly LiveFile[], file_bytes_max: number): Map<string, LiveFile[]> {
  const days = new Map<string, LiveFile[]>()
  for (const file of files) {
    if (file.size_bytes >= file_bytes_max) continue
    const of_day = days.get(file.published_date)
    if (of_day === undefined) days.set(file.published_date, [file])
    else of_day.push(file)
  }
  return days
}

async function compactDay(
  context: LogContext,
  day: string,
  files: readonly LiveFile[],
  file_bytes_max: number,
): Promise<CompactedDay> {
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  // Hashed again even if checked before: damage must not get a new, valid hash.
  for (const file of files) context.verified.delete(file.key)
  const sources = await verifiedPaths(context, files)
  const adds: AddFile[] = []
  const put: PutFile = async (produce) => {
    const add = await putMerged(context, day, produce)
    const fits = add.size <= file_bytes_max
    if (fits) adds.push(add)
    else await discard(context, keysOf(context, [add]))
    return fits
  }
  try {
    const is_one = piecesOf(bytesOf(files), file_bytes_max) === 1
    if (!is_one || !(await put((target) => mergeFiles(context, sources, rows, target))))
      await putPieces(context, sources, rows, file_bytes_max, put)
  } catch (error) {
    await discard(context, keysOf(context, adds))
    throw error
  }
  const committed = await context.alone(() => commitMerge(context, files, adds))
  const files_after = committed ? adds.length : files.length
  return { published_date: day, files_before: files.length, files_after, rows, committed }
}

function keysOf({ table }: LogContext, adds: readonly AddFile[]): string[] {
  return adds.map(({ path }) => `${table}/${path}`)
}

/** Writes a merged file of a day to the store. @param produce writes it and returns its statistics */
async function putMerged({ store, table }: LogContext, day: string, produce: Produce): Promise<AddFile> {
  const path = `${PARTITION_COLUMN}=${day}/part-${randomUUID()}.zstd.parquet`
  let stats = ''
  const produced = await store.putProduced(`${table}/${path}`, async (target) => {
    stats = await produce(target)
  })
  const { minValues, maxValues } = JSON.parse(stats) as Record<'minValues' | 'maxValues', { published_at: string }>
  return {
    path,
    partitionValues: { published_date: day },
    size: produced.size_bytes,
    modificationTime: Math.floor(produced.modified_at / 1000),
    dataChange: false,
    stats,
    tags: {
      'tidemark.sha256': produced.sha256,
      'tidemark.stamp_min': String(toMicros(minValues.published_at)),
      'tidemark.stamp_max': String(toMicros(maxValues.published_at)),
    },
  }
}

async function commitMerge(
  context: LogContext,
  files: readonly LiveFile[],
  added: readonly AddFile[],
): Promise<boolean> {
  const new_files = keysOf(context, added)
  const adds = added.map((add): Action => ({ add }))
  const deletion_ms = Math.floor((await context.store.now()) / 1000)
  const removes = files.map((file): Action => ({ remove: removeOf(file, deletion_ms) }))
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const { adds: live, clock, version } = await refresh(context)
    if (!files.every((file) => live.has(file.path))) {
      await discard(context, new_files)
      return false
    }
    const committed = await tryCommit(context, {
      version: version + 1,
      operation: 'OPTIMIZE',
      in_commit_ms: 0, // one millisecond after the version before: a compaction publishes nothing
      sealed_through: clock.sealed_through,
      head_stamp: clock.head_stamp,
      actions: [...removes, ...adds],
      new_files,
    })
    if (committed) return true
    await backOff(tries)
  }
  await discard(context, new_files)
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
