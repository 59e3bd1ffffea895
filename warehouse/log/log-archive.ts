import { ServiceError } from '../../primitives/errors.ts'
import { quoteText } from '../sql/read-sql.ts'
import { placeOnce } from '../store/read-back.ts'
import type { StoreKey } from '../store/store.ts'
import { jsonToParquet } from './checkpoint.ts'
import type { LogContext } from './log-context.ts'

/** Commits of one archive object. The last object has fewer, until one with more of them replaces it. */
export const ARCHIVE_COMMITS = 1000

/** Commits of a merged object, which replaces full ones. */
export const MERGED_COMMITS = 10 * ARCHIVE_COMMITS

export type Stored = Pick<LogContext, 'engine' | 'store' | 'table'>

const folderOf = (table: string) => `${table}/_log_archive`
const NAME = /\/(\d{20})-(\d{1,5})\.parquet$/

/** Archive object: the texts of `count` commits from version `first` on. */
export type ArchiveObject = { readonly key: string; readonly first: number; readonly count: number }

/**
 * Returns the archive object of a version. Objects begin at multiples of 1,000, so the first version of the log names them all.
 * @param log_start greater than `version`
 */
export function archiveObject(table: string, version: number, log_start: number): ArchiveObject {
  const first = version - (version % ARCHIVE_COMMITS)
  const count = Math.min(ARCHIVE_COMMITS, log_start - first)
  return objectAt(table, first, count)
}

/** Returns the merged object of a version. */
export function mergedObject(table: string, version: number): ArchiveObject {
  return objectAt(table, version - (version % MERGED_COMMITS), MERGED_COMMITS)
}

function objectAt(table: string, first: number, count: number): ArchiveObject {
  return { key: `${folderOf(table)}/${String(first).padStart(20, '0')}-${count}.parquet`, first, count }
}

/** Returns the parts of an object that are read at once, each with the object's key. */
export function archiveParts({ key, first, count }: ArchiveObject): ArchiveObject[] {
  return Array.from({ length: Math.ceil(count / ARCHIVE_COMMITS) }, (_, n) => {
    const before = n * ARCHIVE_COMMITS
    return { key, first: first + before, count: Math.min(ARCHIVE_COMMITS, count - before) }
  })
}

/** Returns the objects that together have every commit before the first version of the log. */
export async function archiveBefore(stored: Pick<LogContext, 'store' | 'table'>, log_start: number) {
  const listed = new Set((await listArchive(stored)).map(({ key }) => key))
  const objects: ArchiveObject[] = []
  for (let first = 0; first < log_start; first += objects.at(-1)!.count) {
    const merged = mergedObject(stored.table, first)
    const has_merged = merged.first === first && first + merged.count <= log_start && listed.has(merged.key)
    objects.push(has_merged ? merged : archiveObject(stored.table, first, log_start))
  }
  return objects
}

/** Lists the archive objects of a table; for clean-up, audit and backup only. */
export async function listArchive({ store, table }: Pick<LogContext, 'store' | 'table'>): Promise<ArchiveObject[]> {
  const objects: ArchiveObject[] = []
  for await (const { key } of store.list(folderOf(table))) {
    const [, first, count] = NAME.exec(key) ?? []
    if (first !== undefined) objects.push({ key, first: Number(first), count: Number(count) })
  }
  return objects
}

/**
 * Reads the texts of an object's commits from the store, in order of their versions; null: there is no such object. An object is removed
 * after the merged one is there, so a reader that looks in this order misses no commit.
 */
export async function readArchive(context: Stored, object: ArchiveObject): Promise<readonly string[] | null> {
  return (
    (await textsOf(context, object.key, object)) ??
    (await textsOf(context, mergedObject(context.table, object.first).key, object))
  )
}

/** Reads texts of the commits [first, first + count) from the object of a key; null: there is no such object. */
export async function textsOf(
  { engine, store }: Stored,
  key: StoreKey,
  { first, count }: Pick<ArchiveObject, 'first' | 'count'>,
): Promise<readonly string[] | null> {
  if ((await store.stat(key)) === null) return null
  try {
    const path = quoteText(await store.localPath(key))
    const within = `version >= ${first} AND version < ${first + count}`
    const rows = await engine.query(`SELECT commit_text FROM read_parquet(${path}) WHERE ${within} ORDER BY version`)
    return rows.map(({ commit_text }) => String(commit_text))
  } catch (error) {
    if ((await store.stat(key)) === null) return null // replaced meanwhile
    throw error
  }
}

/** Checks that texts read back are exactly those that were to be written. @throws {ServiceError} WAREHOUSE_CORRUPT */
export function expectTexts(
  { table }: Pick<LogContext, 'table'>,
  file: StoreKey,
  found: readonly string[] | null,
  texts: readonly string[],
): void {
  if (found?.length === texts.length && found.every((text, n) => text === texts[n])) return
  throw new ServiceError('WAREHOUSE_CORRUPT', `archive ${file} differs from the commits of its log`, { table, file })
}

/** Stores the texts of commits as an object, unless it is there. */
export async function writeArchive(
  context: Stored,
  { key, first }: ArchiveObject,
  texts: readonly string[],
): Promise<void> {
  const rows = texts.map((commit_text, n) => ({ version: first + n, commit_text }))
  const bytes = await jsonToParquet(context, { version: 'BIGINT', commit_text: 'VARCHAR' }, rows)
  await placeOnce(context.store, key, bytes)
}
