import { randomUUID } from 'node:crypto'
import type { LogContext } from './log-context.ts'
import { refresh } from './refresh.ts'
import { tableDefinition } from './table-definition.ts'
import { tryCommit } from './try-commit.ts'

/**
 * Writes version 0 of a table unless it is there. Its commit timestamp is the epoch: before the first row, whatever clock
 * the rows will be stamped by, other engines' time travel finds the empty table.
 */
export async function createTable(context: LogContext): Promise<void> {
  const state = await refresh(context)
  if (state.version >= 0) return
  const created_ms = Math.floor((await context.store.now()) / 1000)
  await tryCommit(context, {
    operation: 'CREATE TABLE',
    in_commit_ms: 0,
    sealed_through: null,
    head_stamp: null,
    actions: tableDefinition(context.table, context.schema, randomUUID(), created_ms),
    new_files: [],
  })
  await refresh(context) // another process may have been first
}
