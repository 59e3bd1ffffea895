import { loadLastCheckpoint } from './checkpoint.ts'
import { commitKey, parseCommit } from './commit-text.ts'
import type { LogContext } from './log-context.ts'
import type { LogState } from './log-state.ts'

/**
 * Brings the state of one table up to its newest version by opening N+1 until it does not exist, never by listing. A new
 * state starts from the last intact checkpoint, or else from version 0.
 * @throws {ServiceError} WAREHOUSE_CORRUPT names the log file
 */
export function refresh(context: LogContext): Promise<LogState> {
  return context.refreshing(async () => {
    const { state, store, table } = context
    if (state.version < 0) await loadLastCheckpoint(context, state)
    for (;;) {
      const next = state.version + 1
      const bytes = await store.get(commitKey(table, next))
      if (bytes === null) return state
      if (state.version + 1 === next) state.applyCommit(parseCommit(table, next, bytes))
    }
  })
}
