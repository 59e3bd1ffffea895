import { quoteText } from '../sql/read-sql.ts'
import { placeOnce } from '../store/read-back.ts'
import type { StoredObject } from '../store/store.ts'
import { parquetOf } from './checkpoint.ts'
import {
  ARCHIVE_COMMITS,
  type ArchiveObject,
  expectTexts,
  listArchive,
  MERGED_COMMITS,
  mergedObject,
  textsOf,
} from './log-archive.ts'
import type { LogContext } from './log-context.ts'

/** Objects that one run writes at most: an archive of an earlier release has hundreds of small ones. */
const MERGES_MAX = 10

/**
 * Merges full archive objects whose commits are all before the first version of the log, ten into one, and verifies each as read back.
 * A run that is killed is completed by the next one.
 * @returns the objects that merged ones replace; the caller removes them
 * @throws {ServiceError} WAREHOUSE_CORRUPT: a merged object differs from one that it replaces
 */
export async function mergeArchive(context: LogContext, start: number): Promise<readonly StoredObject[]> {
  const { ports, store, table } = context
  const listed = await listArchive(context)
  const keys = new Set(listed.map(({ key }) => key))
  const replaced: StoredObject[] = []
  let written = 0
  for (const [first, parts] of fullObjects(listed)) {
    const merged = mergedObject(table, first)
    if (first + MERGED_COMMITS > start) continue
    if (!keys.has(merged.key)) {
      if (parts.length * ARCHIVE_COMMITS < MERGED_COMMITS || written === MERGES_MAX) continue
      await writeMerged(context, merged, parts)
      written += 1
      await ports.reach?.('archive-merged')
    }
    for (const part of parts) {
      const found = await store.stat(part.key)
      if (found === null || !(await isInMerged(context, merged, part))) continue
      replaced.push(found)
    }
  }
  return replaced
}

/** Groups full objects by the first version of the object that may replace them. */
function fullObjects(listed: readonly ArchiveObject[]): ReadonlyMap<number, readonly ArchiveObject[]> {
  const groups = new Map<number, ArchiveObject[]>()
  for (const object of listed) {
    if (object.count !== ARCHIVE_COMMITS) continue
    const first = object.first - (object.first % MERGED_COMMITS)
    groups.set(first, [...(groups.get(first) ?? []), object])
  }
  return groups
}

async function writeMerged(context: LogContext, merged: ArchiveObject, parts: readonly ArchiveObject[]): Promise<void> {
  const { store } = context
  try {
    const paths = await Promise.all(parts.map(async ({ key }) => quoteText(await store.localPath(key))))
    const query = `SELECT version, commit_text FROM read_parquet([${paths.join(', ')}]) ORDER BY version`
    await placeOnce(store, merged.key, await parquetOf(context, query))
  } catch (error) {
    if ((await store.stat(merged.key)) === null) throw error // else another process has merged and removed them
  }
}

/** Compares the commits of a part in the merged object. @returns false: another process has removed the part */
async function isInMerged(context: LogContext, merged: ArchiveObject, part: ArchiveObject): Promise<boolean> {
  const texts = await textsOf(context, part.key, part)
  if (texts === null) return false
  expectTexts(context, merged.key, await textsOf(context, merged.key, part), texts)
  return true
}
