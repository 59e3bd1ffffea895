import { setTimeout } from 'node:timers/promises'
import type { Micros } from '../../primitives/instants.ts'
import { type Commit, commitKey, parseCommit } from './commit-text.ts'
import type { LogContext } from './log-context.ts'
import { type LiveFile, liveFile } from './log-state.ts'
import { readCommit } from './read-commit.ts'
import { isOnLog, refresh } from './refresh.ts'

/** Interval at which a tail looks for the next version. */
const TAIL_INTERVAL_MS = 200

/** New version of a table, as its followers see it. */
export type TailedVersion = {
  readonly version: number
  readonly operation: string
  readonly sealed_through: Micros | null
  /** Hash of the commit, and of the one before; null: there is none. */
  readonly commit_sha256: string
  readonly previous_sha256: string | null
  /** Data files with new rows; none for a seal, and none for a compaction, which adds no rows. */
  readonly files: readonly LiveFile[]
}

export type TailOptions = {
  /** The last version already known; default: the newest. */
  readonly after_version?: number
  readonly interval_ms?: number
  /** Ends the tail. */
  readonly signal?: AbortSignal
}

/**
 * Yields every version of a table after `after_version`, each once and in order, then new ones as they are committed. While
 * nothing is new it costs one failed open per interval; folders are never listed.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names the log file
 */
export async function* tail(context: LogContext, options: TailOptions = {}): AsyncGenerator<TailedVersion> {
  let version = options.after_version ?? (await refresh(context)).version
  while (options.signal?.aborted !== true) {
    const next = await nextVersion(context, version)
    if (next === null) {
      await pause(options)
      continue
    }
    version = next.version
    yield next
  }
}

/**
 * Returns the version after a known one; null: it is not committed yet.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names the log file
 */
export async function nextVersion(context: LogContext, after_version: number): Promise<TailedVersion | null> {
  const commit = await commitAfter(context, after_version)
  if (commit === null) return null
  const { actions, clock, info, version } = commit
  const files = actions.flatMap((action) => {
    return 'add' in action && action.add.dataChange ? [liveFile(context.table, action.add)] : []
  })
  const { sealed_through, commit_sha256, previous_sha256 } = clock
  return { version, operation: info.operation, sealed_through, commit_sha256, previous_sha256, files }
}

async function commitAfter(context: LogContext, after_version: number): Promise<Commit | null> {
  const version = after_version + 1
  const bytes = await context.store.get(commitKey(context.table, version))
  if (!(await isOnLog(context, after_version)) || (bytes === null && after_version < 0))
    return readCommit(context, version)
  return bytes === null ? null : parseCommit(context.table, version, bytes)
}

async function pause(options: TailOptions): Promise<void> {
  const signal = options.signal === undefined ? {} : { signal: options.signal }
  await setTimeout(options.interval_ms ?? TAIL_INTERVAL_MS, undefined, signal).catch(() => undefined)
}
