import { isServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros, utcDay } from '../../primitives/instants.ts'
import type { TableName } from '../tables.ts'
import type { AddFile } from './actions.ts'
import { checkpointCheck } from './check-checkpoint.ts'
import { checkDataFiles } from './check-data-files.ts'
import { type Commit, commitKey, parseCommit } from './commit-text.ts'
import { ARCHIVE_COMMITS, type ArchiveObject, archiveParts, listArchive, readArchive } from './log-archive.ts'
import type { LogContext } from './log-context.ts'
import { LogState } from './log-state.ts'
import type { LogViolation, Report } from './log-violation.ts'

export type LogVerification = {
  readonly table: TableName
  /** Commits and live data files checked, and the rows in them. */
  readonly commits: number
  readonly files: number
  readonly rows: number
  readonly violations: readonly LogViolation[]
}

/**
 * Checks a whole table from version 0, through the archive of its log and the log, without anything this process has cached: every
 * commit's own hash and the hash chain, the order of stamps and commit times, that no commit was stamped at or before a seal, the
 * checkpoint against the commits, and every live data file against its hash, its row count and its stamps.
 * @returns all violations, in the order of versions; it throws for none of them
 */
export async function verifyLog(context: LogContext): Promise<LogVerification> {
  const { table } = context
  const violations: LogViolation[] = []
  const report: Report = (version, file, rule, detail) => violations.push({ table, file, version, rule, detail })
  const checkpoint = await checkpointCheck(context, report)
  const archived = await archivedCommits(context, report)
  const state = new LogState(table)
  const origins = new Map<string, { readonly add: AddFile; readonly version: number }>()
  let sealed_through: Micros | null = null
  let version = 0
  for (; ; version++) {
    const commit = await commitAt(context, version, await archived(version), report)
    if (commit === null) break
    if (commit === 'damaged') continue
    checkCommit(table, commit, state, sealed_through, report)
    apply(commit, state)
    for (const action of commit.actions) if ('add' in action) origins.set(action.add.path, { add: action.add, version })
    sealed_through = commit.clock.sealed_through
    checkpoint.at(state)
  }
  checkpoint.end()
  await checkMissing(context, version, report)
  const live = [...origins.values()].filter(({ add }) => state.adds.has(add.path))
  await checkDataFiles(context, live, report)
  violations.sort((a, b) => a.version - b.version)
  return { table, commits: version, files: live.length, rows: state.snapshot().rows, violations }
}

type ArchivedText = { readonly key: string; readonly text: string | null }

/** Returns the text of a version in the archive; null: it is not archived. Reads each object once if the versions ascend. */
async function archivedCommits(
  context: LogContext,
  report: Report,
): Promise<(version: number) => Promise<ArchivedText | null>> {
  const longest = new Map<number, ArchiveObject>()
  const list = async () => {
    // A part of a merged object counts before the object that it replaced: it stays.
    for (const object of (await listArchive(context)).sort((a, b) => a.count - b.count))
      for (const part of archiveParts(object)) longest.set(part.first, part)
  }
  await list()
  let read: { readonly object: ArchiveObject; readonly texts: readonly string[] } | null = null
  return async (version) => {
    const find = () => {
      const object = longest.get(version - (version % ARCHIVE_COMMITS))
      return object === undefined || version >= object.first + object.count ? null : object
    }
    // A commit that is in neither may have been archived since the list was made.
    if (find() === null && (await context.store.stat(commitKey(context.table, version))) === null) await list()
    const object = find()
    if (object === null) return null
    if (read?.object.key !== object.key || read.object.first !== object.first) {
      const texts = await readArchive(context, object).catch(() => [])
      read = { object, texts: texts ?? [] }
      const seen = `it has ${read.texts.length} commits, its name says ${object.count}`
      if (read.texts.length !== object.count) report(object.first, object.key, 'LOG_ARCHIVE_DAMAGED', seen)
    }
    return { key: object.key, text: read.texts[version - object.first] ?? null }
  }
}

/** Reads a commit from the log or the archive, and compares the two where it is in both. */
async function commitAt(
  context: LogContext,
  version: number,
  archived: ArchivedText | null,
  report: Report,
): Promise<Commit | 'damaged' | null> {
  const in_log = await context.store.get(commitKey(context.table, version))
  const text = archived?.text ?? null
  if (in_log !== null && text !== null && in_log.toString() !== text) {
    report(version, archived!.key, 'LOG_ARCHIVE_DIFFERS', `its version ${version} is not the commit of the log`)
  }
  const key = in_log === null && archived !== null ? archived.key : commitKey(context.table, version)
  const bytes = in_log ?? (text === null ? null : Buffer.from(text))
  if (bytes === null) return archived === null ? null : 'damaged'
  try {
    return parseCommit(context.table, version, bytes)
  } catch (error) {
    report(version, key, 'LOG_FILE_DAMAGED', isServiceError(error) ? error.message : String(error))
    return 'damaged'
  }
}

function checkCommit(table: string, commit: Commit, state: LogState, sealed: Micros | null, report: Report): void {
  const { version, clock, info } = commit
  const file = commitKey(table, version)
  const expected = state.version < 0 ? null : state.clock.commit_sha256
  // The chain cannot be checked after a damaged version; the damage is already reported.
  if (state.version === version - 1 && clock.previous_sha256 !== expected) {
    report(version, file, 'HASH_CHAIN', `it follows ${clock.previous_sha256}, the version before is ${expected}`)
  }
  if (info.inCommitTimestamp <= state.clock.in_commit_ms) {
    report(
      version,
      file,
      'COMMIT_TIME_ORDER',
      `${info.inCommitTimestamp} ms is not after ${state.clock.in_commit_ms} ms`,
    )
  }
  if (sealed !== null && (clock.sealed_through === null || clock.sealed_through < sealed)) {
    report(version, file, 'SEAL_BROKEN', `it takes back the seal through ${formatMicros(sealed)}`)
  }
  checkAdds(table, commit, state, sealed, report)
}

function checkAdds(table: string, commit: Commit, state: LogState, sealed: Micros | null, report: Report): void {
  let [added, removed] = [0, 0]
  for (const action of commit.actions) {
    if ('remove' in action) removed += rowsOf(state.adds.get(action.remove.path))
    if (!('add' in action)) continue
    const { add } = action
    const [from, to] = [Number(add.tags['tidemark.stamp_min']), Number(add.tags['tidemark.stamp_max'])]
    const file = `${table}/${add.path}`
    added += add.dataChange ? 0 : rowsOf(add)
    if (utcDay(from) !== add.partitionValues.published_date || utcDay(to) !== add.partitionValues.published_date) {
      report(commit.version, file, 'STAMP_PARTITION', `its stamps do not lie in ${add.partitionValues.published_date}`)
    }
    if (!add.dataChange) continue
    if (sealed !== null && from <= sealed) {
      const seen = `it is stamped ${formatMicros(from)}, the table was sealed through ${formatMicros(sealed)}`
      report(commit.version, file, 'SEAL_BROKEN', seen)
    }
    if (from > to || to !== commit.clock.head_stamp) {
      report(
        commit.version,
        file,
        'STAMP_ORDER',
        `its last stamp is not the commit's head stamp ${commit.clock.head_stamp}`,
      )
    }
  }
  if (added !== removed) {
    report(commit.version, commitKey(table, commit.version), 'COMPACTION_ROWS', `${removed} rows became ${added}`)
  }
}

function rowsOf(add: AddFile | undefined): number {
  return add === undefined ? 0 : (JSON.parse(add.stats) as { numRecords: number }).numRecords
}

function apply(commit: Commit, state: LogState): void {
  state.clock = { ...state.clock, commit_sha256: commit.clock.previous_sha256 ?? '' } // a broken chain is already reported
  state.version = commit.clock.previous_sha256 === null ? -1 : commit.version - 1
  state.applyCommit(commit)
}

/** Reports versions after the first missing one: readers would silently ignore their commits. */
async function checkMissing(context: LogContext, first_missing: number, report: Report): Promise<void> {
  const beyond = commitKey(context.table, first_missing)
  for await (const { key } of context.store.list(`${context.table}/_delta_log`)) {
    if (!key.endsWith('.json') || key <= beyond) continue
    report(first_missing, beyond, 'LOG_FILE_MISSING', `it is missing, but ${key} is there`)
    return
  }
}
