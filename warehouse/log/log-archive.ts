import { quoteText } from '../sql/read-sql.ts'
import { placeOnce } from '../store/read-back.ts'
import { jsonToParquet } from './checkpoint.ts'
import type { LogContext } from './log-context.ts'

/** Commits of one archive object. The last object has fewer, until one with more of them replaces it. */
export const ARCHIVE_COMMITS = 1000

type Stored = Pick<LogContext, 'engine' | 'store' | 'table'>

const folderOf = (table: string) => `${table}/_log_archive`
const NAME = /\/(\d{20})-(\d{1,4})\.parquet$/

/** Archive object: the texts of `count` commits from version `first` on. */
export type ArchiveObject = { readonly key: string; readonly first: number; readonly count: number }

/**
 * Returns the archive object of a version. Objects begin at multiples of 1,000, so the first version of the log names them all.
 * @param log_start greater than `version`
 */
export function archiveObject(table: string, version: number, log_start: number): ArchiveObject {
  const first = version - (version % ARCHIVE_COMMITS)
  const count = Math.min(ARCHIVE_COMMITS, log_start - first)
  return { key: `${folderOf(table)}/${String(first).padStart(20, '0')}-${count}.parquet`, first, count }
}

/** Lists the archive objects of a table; for clean-up and audit only. */
export async function listArchive({ store, table }: Pick<LogContext, 'store' | 'table'>): Promise<ArchiveObject[]> {
  const objects: ArchiveObject[] = []
  for await (const { key } of store.list(folderOf(table))) {
    const [, first, count] = NAME.exec(key) ?? []
    if (first !== undefined) objects.push({ key, first: Number(first), count: Number(count) })
  }
  return objects
}

/** Reads the texts of an object's commits from the store, in order of their versions; null: there is no such object. */
export async function readArchive(
  { engine, store }: Stored,
  { key }: ArchiveObject,
): Promise<readonly string[] | null> {
  if ((await store.stat(key)) === null) return null
  try {
    const path = quoteText(await store.localPath(key))
    const rows = await engine.query(`SELECT commit_text FROM read_parquet(${path}) ORDER BY version`)
    return rows.map(({ commit_text }) => String(commit_text))
  } catch (error) {
    if ((await store.stat(key)) === null) return null // replaced meanwhile
    throw error
  }
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
