import { startState } from './checkpoint.ts'
import { commitKey, corrupt, parseCommit } from './commit-text.ts'
import type { LogContext } from './log-context.ts'
import { LogState } from './log-state.ts'

/** Versions that are read at once by a state that is behind: an object store answers each only after a while. */
const AHEAD_MAX = 16

/**
 * Brings the state of one table up to its newest version by opening N+1 until it does not exist, without listing the folder. A new
 * state starts from the last intact checkpoint, or else from version 0; so does a state that is older than the log, because this
 * process slept while the log was cleaned.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names the log file
 */
export function refresh(context: LogContext): Promise<LogState> {
  return context.refreshing(async () => {
    const { state, store, table } = context
    if (state.version < 0) await startState(context, state)
    for (let ahead = 1; ; ) {
      const { version } = state
      const keys = Array.from({ length: ahead }, (_, n) => commitKey(table, version + 1 + n))
      const found = await Promise.all(keys.map((key) => store.get(key)))
      const count = found.indexOf(null) < 0 ? ahead : found.indexOf(null)
      if (!(await isOnLog(context, version))) await restart(context)
      else if (count === 0) return state
      else if (state.version === version) {
        for (const [n, bytes] of found.slice(0, count).entries())
          state.applyCommit(parseCommit(table, version + 1 + n, bytes!))
        if (count < ahead) return state
      }
      ahead = Math.min(2 * ahead, AHEAD_MAX)
    }
  })
}

/**
 * Reports whether the next version is to be looked for in the log. Clean-up removes commits in ascending order and never the last one:
 * while the commit of a version is there, nothing after it was removed, and files that were read before this check are the next commits.
 */
export async function isOnLog(
  { store, table }: Pick<LogContext, 'store' | 'table'>,
  version: number,
): Promise<boolean> {
  return version < 0 || (await store.stat(commitKey(table, version))) !== null
}

/** Continues from a checkpoint that is newer than the state. */
async function restart(context: LogContext): Promise<void> {
  const { state, table } = context
  const later = new LogState(table)
  await startState(context, later)
  if (later.version <= state.version) throw corrupt(table, state.version, 'it is missing')
  state.adopt(later)
}
