import { type Commit, commitKey, corrupt, parseCommit } from './commit-text.ts'
import { ARCHIVE_COMMITS, archiveObject, readArchive } from './log-archive.ts'
import type { LogContext } from './log-context.ts'
import { refresh } from './refresh.ts'

/** Archive objects whose texts are kept in memory. */
const KEPT_MAX = 4

/**
 * Returns a commit from the log or from its archive; null: it is not committed yet.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names the log file
 */
export async function readCommit(context: LogContext, version: number): Promise<Commit | null> {
  const text = await readCommitText(context, version)
  return text === null ? null : parseCommit(context.table, version, Buffer.from(text))
}

/** Returns the text of a commit, as `readCommit` finds it. */
export async function readCommitText(context: LogContext, version: number): Promise<string | null> {
  const { store, table } = context
  for (let searched: number | null = null; ; ) {
    const { version: head, log_start } = await refresh(context)
    if (version > head) return null
    // Clean-up has moved the commit if the log began later since the last search.
    if (searched === log_start) throw corrupt(table, version, 'it is missing')
    searched = log_start
    const found =
      version >= log_start
        ? (await store.get(commitKey(table, version)))?.toString()
        : (await archivedTexts(context, version, log_start))?.[version % ARCHIVE_COMMITS]
    if (found !== undefined) return found
  }
}

async function archivedTexts(
  context: LogContext,
  version: number,
  log_start: number,
): Promise<readonly string[] | null> {
  const object = archiveObject(context.table, version, log_start)
  const { archive_cache } = context
  const texts = archive_cache.get(object.key) ?? (await readArchive(context, object))
  archive_cache.delete(object.key)
  if (texts !== null) archive_cache.set(object.key, texts)
  if (archive_cache.size > KEPT_MAX) archive_cache.delete(archive_cache.keys().next().value!)
  return texts
}
