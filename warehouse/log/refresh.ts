import { startState } from './checkpoint.ts'
import { commitKey, corrupt, parseCommit } from './commit-text.ts'
import type { LogContext } from './log-context.ts'
import { LogState } from './log-state.ts'

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
    for (;;) {
      const { version } = state
      const bytes = await store.get(commitKey(table, version + 1))
      if (!(await isOnLog(context, version))) await restart(context)
      else if (bytes === null) return state
      else if (state.version === version) state.applyCommit(parseCommit(table, version + 1, bytes))
    }
  })
}

/**
 * Reports whether the next version is to be looked for in the log. Clean-up removes commits in ascending order and never the last one:
 * while the commit of a version is there, nothing after it was removed, and a file that was read before this check is the next commit.
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
