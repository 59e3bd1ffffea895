import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Connection } from '../duckdb/memory-database.ts'
import { commitKey, corrupt, parseCommit } from '../log/commit-text.ts'
import { readNewRows } from '../read/read-new-rows.ts'
import type { Row } from '../schema.ts'
import type { Store } from '../store/store.ts'
import type { LiveFile, Snapshot, TableLog, TailedVersion } from '../warehouse.ts'
import { CommitVersions } from './commit-versions.ts'
import { rereadAssessments } from './load-assessments.ts'
import { loadTable } from './load-table.ts'
import type { FeedCommit } from './reader.ts'
import type { RecentLimits } from './recent-commits.ts'
import type { Rounds } from './rounds.ts'
import { newestKeeper } from './stored-newest.ts'
import { TableMemory } from './table-memory.ts'
import type { VerifyFiles } from './verified-paths.ts'

/** Dependencies and callbacks of following a table. */
export type FollowPorts = {
  readonly log: TableLog
  readonly store: Store
  readonly connection: Connection
  readonly verify: VerifyFiles
  readonly signal: AbortSignal
  /** Rounds in which this table moves with all others. */
  readonly rounds: Rounds
  readonly limits: RecentLimits
  /** Commits before this time were published to nobody. */
  readonly published_since_ms: number
  /** The memory was filled and is served from now on. */
  readonly onLoaded: (memory: TableMemory) => void
  /** A commit is in memory. */
  readonly onCommit: (commit: FeedCommit) => void
  /** Reports that the table can be followed (null), or why not; called repeatedly. */
  readonly onHealth: (failure: unknown) => void
}

/**
 * Interval between checks that the last commit file exists: a table whose folder is gone looks like one without commits. In an object
 * store each check costs.
 */
const WATCH_MS = { folder: 1_000, object_store: 30_000 } as const
const RETRY_MS = { first: 200, last: 5000 } as const

/**
 * Loads a table and then adds every version as it is committed, until `signal` aborts. A failure is reported and retried with
 * increasing delay, while memory keeps its state; nothing is skipped.
 */
export async function followTable(ports: FollowPorts): Promise<void> {
  const { log, signal } = ports
  const versions = new CommitVersions(log.table, log.commit)
  const keepNewest = newestKeeper({ store: ports.store, commit: log.commit })
  let memory: TableMemory | null = null
  let retry_ms: number = RETRY_MS.first
  while (!signal.aborted) {
    try {
      const snapshot = await log.snapshot()
      memory ??= await load(snapshot, versions, ports)
      if (memory.version >= snapshot.version) ports.onHealth(null)
      const followed = memory
      await tailInto(followed, snapshot, versions, ports, (rows) => {
        retry_ms = RETRY_MS.first
        keepNewest(followed, rows)
      })
    } catch (error) {
      if (signal.aborted) return
      ports.onHealth(error)
      await sleep(retry_ms, undefined, { signal }).catch(() => undefined)
      retry_ms = Math.min(retry_ms * 2, RETRY_MS.last)
    }
  }
}

async function load(snapshot: Snapshot, versions: CommitVersions, ports: FollowPorts): Promise<TableMemory> {
  const { limits, connection, verify, published_since_ms } = ports
  const memory = new TableMemory(ports.log.table as TableMemory['table'], limits)
  const now_ms = Date.now()
  const recent_since_ms = Math.max(now_ms - limits.retention_ms, published_since_ms)
  const { store, log } = ports
  const context = { connection, versions, verify, store, commit: log.commit, now_ms, recent_since_ms }
  await loadTable(memory, snapshot, context)
  ports.onLoaded(memory)
  return memory
}

/** Adds the versions that follow, round by round; throws when the last one in memory is missing from the log. */
async function tailInto(
  memory: TableMemory,
  snapshot: Snapshot,
  versions: CommitVersions,
  ports: FollowPorts,
  onProgress: (rows: number) => void,
): Promise<void> {
  let failure: unknown = null
  const watch_ms = ports.store.remote === undefined ? WATCH_MS.folder : WATCH_MS.object_store
  const watch = setInterval(() => {
    requireCommit(memory, ports).catch((error: unknown) => {
      failure = error
    })
  }, watch_ms)
  try {
    await requireCommit(memory, ports)
    await ports.rounds.join(async () => {
      if (failure !== null) throw failure
      const version = await ports.log.next(memory.version)
      if (version === null) return null
      if (version.previous_sha256 !== memory.commit_sha256) throw replaced(memory)
      const rows = await rowsOf(version, ports)
      const take = await preparedTake(memory, version, rows, versions, ports)
      return {
        stamp: rows.length === 0 ? null : toMicros(rows.at(-1)!.published_at),
        take: () => {
          take()
          onProgress(rows.length)
          if (memory.version >= snapshot.version) ports.onHealth(null)
        },
      }
    })
  } finally {
    clearInterval(watch)
  }
}

/** Reads what memory needs beside the rows of a version, and returns the function that adds it in one turn. */
async function preparedTake(
  memory: TableMemory,
  version: TailedVersion,
  rows: readonly Row[],
  versions: CommitVersions,
  ports: FollowPorts,
): Promise<() => void> {
  const takeLost = await rereadLost(memory, version.version, rows, versions, ports)
  const epoch = memory.epoch === '' ? ((await ports.log.snapshot()).table_id ?? '') : memory.epoch
  return () => {
    memory.epoch = epoch
    const commit = memory.take(version.version, rows)
    takeLost()
    memory.version = version.version
    memory.commit_sha256 = version.commit_sha256
    memory.sealed_through = Math.max(memory.sealed_through, version.sealed_through ?? 0)
    if (rows.length === 0) return
    memory.horizon = toMicros(rows.at(-1)!.published_at)
    memory.recent.add(commit, Date.now(), Date.now())
    ports.onCommit(commit)
  }
}

/** Reads older records of series that lose their last one in memory, before readers can see the gap. */
async function rereadLost(
  memory: TableMemory,
  version: number,
  rows: readonly Row[],
  versions: CommitVersions,
  { log, connection, verify }: FollowPorts,
): Promise<() => void> {
  const lost = memory.assessments?.losing(rows) ?? []
  if (lost.length === 0) return () => undefined
  const { files } = await log.snapshot()
  const base = { version, stamp: toMicros(rows.at(-1)!.published_at) }
  return rereadAssessments(memory, lost, await verify(files), base, { connection, versions })
}

async function rowsOf({ files }: TailedVersion, ports: FollowPorts): Promise<Row[]> {
  try {
    return await rowsIn(files, null, ports)
  } catch (error) {
    const { files: live } = await ports.log.snapshot()
    const keys = new Set(live.map(({ key }) => key))
    if (files.every(({ key }) => keys.has(key))) throw error
    // While this process slept, the files were merged and removed. Stamps of commits do not overlap, so they find the rows.
    const first = Math.min(...files.map(({ stamp_min }) => stamp_min))
    const last = Math.max(...files.map(({ stamp_max }) => stamp_max))
    const holding = live.filter(({ stamp_min, stamp_max }) => stamp_max >= first && stamp_min <= last)
    const rows = await rowsIn(holding, first - 1, ports)
    return rows.filter(({ published_at }) => toMicros(published_at) <= last)
  }
}

async function rowsIn(
  files: readonly LiveFile[],
  after: Micros | null,
  { log, connection, verify }: FollowPorts,
): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of readNewRows(connection, log.table, await verify(files), after)) rows.push(row)
  return rows
}

/**
 * Checks that the last version in memory is the one in the log. A table whose folder is gone looks like one without new commits, and so
 * does one that was put back to an earlier state.
 */
async function requireCommit(memory: TableMemory, { log, store }: FollowPorts): Promise<void> {
  const { table, version, commit_sha256 } = memory
  if (version < 0) return
  const file = commitKey(table, version)
  const bytes = await store.get(file)
  // It is archived where this process slept meanwhile.
  const commit = bytes === null ? await log.commit(version).catch(() => null) : parseCommit(table, version, bytes)
  if (commit === null) throw new ServiceError('WAREHOUSE_CORRUPT', `log file ${file} is missing`, { table, file })
  if (commit.clock.commit_sha256 !== commit_sha256) throw replaced(memory)
}

function replaced({ table, version }: TableMemory): ServiceError {
  return corrupt(
    table,
    version,
    'it is not the commit that this process read: the warehouse was replaced or put back; start the process again',
  )
}
