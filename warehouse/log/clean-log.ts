import { canonicalJson } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { StoredObject } from '../store/store.ts'
import { stateContents } from './check-checkpoint.ts'
import { checkpointKey, checkpointState, checkpointVersions } from './checkpoint.ts'
import { commitKey, corrupt, parseCommit } from './commit-text.ts'
import {
  ARCHIVE_COMMITS,
  type ArchiveObject,
  archiveObject,
  expectTexts,
  listArchive,
  readArchive,
  writeArchive,
} from './log-archive.ts'
import type { LogContext } from './log-context.ts'
import { LogState } from './log-state.ts'
import { backOff, busy, TRIES_MAX } from './lost-race.ts'
import { mergeArchive } from './merge-archive.ts'
import { readCommitText } from './read-commit.ts'
import { refresh } from './refresh.ts'
import { tryCommit } from './try-commit.ts'

export type CleanLogOptions = { readonly retention_ms: number; readonly dry_run: boolean }

/**
 * Moves old commits of a table from its log to its archive, so that the log does not grow for ever. Commits before the newest
 * checkpoint that is older than the retention are archived; the chain of what was archived is verified as read back; a commit states
 * the new first version of the log; only then are the files removed, in ascending order. So readers and writers that are anywhere in
 * the log find each commit in one of the two, and a run that is killed between any two steps is completed by the next one.
 * At last full archive objects are merged.
 * @returns the files removed
 * @throws {ServiceError} WAREHOUSE_CORRUPT: the checkpoint or the archive differs from the commits; what differs is not removed
 */
export async function cleanLog(context: LogContext, options: CleanLogOptions): Promise<readonly StoredObject[]> {
  const { ports, store, table } = context
  const listed: StoredObject[] = []
  for await (const object of store.list(`${table}/_delta_log`)) listed.push(object)
  const { log_start } = await refresh(context)
  const old_at = (await store.now()) - options.retention_ms * 1000
  const start = newestOldCheckpoint(table, listed, old_at, log_start)
  if (start > log_start && !options.dry_run) {
    await checkCheckpoint(context, log_start, start)
    await archiveCommits(context, log_start, start)
    await ports.reach?.('archived')
    await context.alone(() => stateStart(context, start))
    await ports.reach?.('start-stated')
  }
  const removed = [...removable(table, listed, start), ...(await replacedObjects(context, start))]
  if (options.dry_run) return removed
  await removeAll(context, removed)
  const merged = await mergeArchive(context, start)
  await removeAll(context, merged)
  return [...removed, ...merged]
}

async function removeAll({ ports, store }: LogContext, objects: readonly StoredObject[]): Promise<void> {
  for (const { key } of objects) {
    await store.delete(key)
    await ports.reach?.('log-file-removed')
  }
}

/** Commits that one run archives at most, unless its checkpoints are further apart: a log of years is cleaned in several runs. */
const COMMITS_MAX = 10_000

/** Returns the newest checkpoint that is old, as its commit is, and that a newer one follows; without one, the start of the log. */
function newestOldCheckpoint(
  table: string,
  listed: readonly StoredObject[],
  old_at: number,
  log_start: number,
): number {
  const written_at = new Map(listed.map(({ key, modified_at }) => [key, modified_at]))
  const isOld = (key: string) => (written_at.get(key) ?? Number.POSITIVE_INFINITY) <= old_at
  const versions = checkpointVersions([...written_at.keys()]).slice(0, -1)
  const old = versions.filter((v) => v > log_start && isOld(checkpointKey(table, v)) && isOld(commitKey(table, v)))
  const within = old.filter((version) => version <= log_start + COMMITS_MAX)
  return within.at(-1) ?? old[0] ?? log_start
}

/** Checks that a checkpoint is the state of the commits that it will replace. */
async function checkCheckpoint(context: LogContext, log_start: number, start: number): Promise<void> {
  const { table } = context
  const state = log_start === 0 ? new LogState(table) : await checkpointState(context, log_start)
  for (let version = state.version + 1; version <= start; version++) state.applyCommit(await commitOf(context, version))
  const found = await checkpointState(context, start).catch(() => null)
  if (found !== null && canonicalJson(stateContents(found)) === canonicalJson(stateContents(state))) return
  const file = checkpointKey(table, start)
  throw new ServiceError('WAREHOUSE_CORRUPT', `checkpoint ${file} differs from the commits of its log`, { table, file })
}

async function commitOf(context: LogContext, version: number) {
  return parseCommit(context.table, version, Buffer.from(await textOf(context, version)))
}

async function textOf(context: LogContext, version: number): Promise<string> {
  const text = await readCommitText(context, version)
  if (text === null) throw corrupt(context.table, version, 'it is missing')
  return text
}

async function archiveCommits(context: LogContext, log_start: number, start: number): Promise<void> {
  const { table } = context
  let previous: string | null = null
  for (let version = log_start - (log_start % ARCHIVE_COMMITS); version < start; version += ARCHIVE_COMMITS) {
    const object = archiveObject(table, version, start)
    const texts: string[] = []
    for (let n = 0; n < object.count; n++) texts.push(await textOf(context, object.first + n))
    await writeArchive(context, object, texts)
    previous = await chainEnd(context, object, texts, previous)
  }
  const { clock } = await commitOf(context, start)
  if (clock.previous_sha256 !== previous) throw corrupt(table, start, 'it does not continue the archive of its log')
}

/** Reads an object back and checks that it has exactly these commits, in one chain. @returns the hash of the last one */
async function chainEnd(
  context: LogContext,
  object: ArchiveObject,
  texts: readonly string[],
  previous: string | null,
): Promise<string> {
  const { table } = context
  const { first } = object
  const found = await readArchive(context, object)
  expectTexts(context, object.key, found, texts)
  let last = previous
  for (const [n, text] of texts.entries()) {
    const { clock } = parseCommit(table, first + n, Buffer.from(text))
    const is_start = n === 0 && previous === null // what precedes this object was checked when it was archived
    if (!is_start && clock.previous_sha256 !== last)
      throw corrupt(table, first + n, 'it does not continue the hash chain')
    last = clock.commit_sha256
  }
  return last!
}

/** Commits the new first version of the log, unless another process has stated a later one. */
async function stateStart(context: LogContext, start: number): Promise<void> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const { clock, log_start, version } = await refresh(context)
    if (log_start >= start) return
    const stated = await tryCommit(context, {
      version: version + 1,
      operation: 'ARCHIVE LOG',
      in_commit_ms: 0, // one millisecond after the version before: it publishes nothing
      sealed_through: clock.sealed_through,
      head_stamp: clock.head_stamp,
      log_start: start,
      actions: [],
      new_files: [],
    })
    if (stated) return
    await backOff(tries)
  }
  throw busy(context.table)
}

/** Commits and checkpoints before the start of the log, in the order in which they are removed. */
function removable(table: string, listed: readonly StoredObject[], start: number): StoredObject[] {
  const end = [commitKey(table, start), checkpointKey(table, start)]
  const commits = listed.filter(({ key }) => key.endsWith('.json') && key < end[0]!)
  const checkpoints = listed.filter(({ key }) => key.endsWith('.checkpoint.parquet') && key < end[1]!)
  const byKey = (a: StoredObject, b: StoredObject) => (a.key < b.key ? -1 : 1)
  return [...commits.sort(byKey), ...checkpoints.sort(byKey)]
}

/** Archive objects whose commits are in a longer one. */
async function replacedObjects(context: LogContext, start: number): Promise<StoredObject[]> {
  const replaced: StoredObject[] = []
  for (const { key, first, count } of await listArchive(context)) {
    if (first >= start || count >= archiveObject(context.table, first, start).count) continue
    const found = await context.store.stat(key)
    if (found !== null) replaced.push(found)
  }
  return replaced
}
