import type { Commit } from './commit-text.ts'
import type { CommittedTransaction, LogContext } from './log-context.ts'
import { readCommit } from './read-commit.ts'

/**
 * Returns the commit that brought `app_id` to at least `app_sequence`, or null if there is none yet. The state shows whether
 * it exists; its version is searched from the newest backwards, and each commit is read once.
 */
export async function findTransaction(
  context: LogContext,
  app_id: string,
  app_sequence: number,
): Promise<CommittedTransaction | null> {
  const highest = context.state.transactions.get(app_id)
  if (highest === undefined || highest.version < app_sequence) return null
  let found: CommittedTransaction | null = null
  for (let version = context.state.version; version >= 0; version--) {
    const seen = await transactionAt(context, version)
    if (seen === null || seen.app_id !== app_id) continue
    if (seen.app_sequence < app_sequence) break
    found = seen
    if (seen.app_sequence === app_sequence) break
  }
  return found
}

async function transactionAt(context: LogContext, version: number): Promise<CommittedTransaction | null> {
  const cached = context.transaction_cache.get(version)
  if (cached !== undefined) return cached
  const commit = await readCommit(context, version)
  const seen = commit === null ? null : transactionOf(commit)
  context.transaction_cache.set(version, seen)
  return seen
}

function transactionOf(commit: Commit): CommittedTransaction | null {
  for (const action of commit.actions) {
    if (!('txn' in action)) continue
    const rows = commit.actions.map((a) =>
      'add' in a ? (JSON.parse(a.add.stats) as { numRecords: number }).numRecords : 0,
    )
    return {
      app_id: action.txn.appId,
      app_sequence: action.txn.version,
      version: commit.version,
      published_at: commit.clock.head_stamp ?? 0,
      rows: rows.reduce((sum, count) => sum + count, 0),
    }
  }
  return null
}
