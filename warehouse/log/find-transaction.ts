import type { Action, CommitInfo } from './actions.ts'
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
    const seen = (await transactionsAt(context, version)).find((one) => one.app_id === app_id)
    if (seen === undefined) continue
    if (seen.app_sequence < app_sequence) break
    found = seen
    if (seen.app_sequence === app_sequence) break
  }
  return found
}

async function transactionsAt(context: LogContext, version: number): Promise<readonly CommittedTransaction[]> {
  const cached = context.transaction_cache.get(version)
  if (cached !== undefined) return cached
  const commit = await readCommit(context, version)
  const seen = commit === null ? [] : transactionsOf(commit)
  context.transaction_cache.set(version, seen)
  return seen
}

/** Parameter of a commit with several transactions: the rows of each, in the order of their actions. */
const ROWS = 'transaction_rows'

/** Returns the parameters that state the rows of each transaction of a commit; none if there is one, which has all rows. */
export function transactionRows(rows: readonly number[]): CommitInfo['operationParameters'] {
  return rows.length === 1 ? {} : { [ROWS]: JSON.stringify(rows) }
}

function transactionsOf({ actions, clock, info, version }: Commit): CommittedTransaction[] {
  const stated = info.operationParameters[ROWS]
  const rows = stated === undefined ? [rowsAdded(actions)] : (JSON.parse(stated) as number[])
  const transactions = actions.flatMap((action) => ('txn' in action ? [action.txn] : []))
  return transactions.map(({ appId, version: app_sequence }, n) => {
    return { app_id: appId, app_sequence, version, published_at: clock.head_stamp ?? 0, rows: rows[n]! }
  })
}

function rowsAdded(actions: readonly Action[]): number {
  const rows = actions.map((action) =>
    'add' in action ? (JSON.parse(action.add.stats) as { numRecords: number }).numRecords : 0,
  )
  return rows.reduce((sum, count) => sum + count, 0)
}
