import { randomUUID } from 'node:crypto'
import type { Micros } from '../../primitives/instants.ts'
import { readBack } from '../store/read-back.ts'
import type { PutOutcome, StoreKey } from '../store/store.ts'
import type { Action, CommitInfo, TableClock } from './actions.ts'
import { CHECKPOINT_INTERVAL, writeCheckpoint } from './checkpoint.ts'
import { commitKey, commitText, parseCommit } from './commit-text.ts'
import type { LogContext } from './log-context.ts'
import { isOnLog } from './refresh.ts'
import { ENGINE } from './table-definition.ts'

/** Commit to write. */
export type CommitPlan = {
  /** Its version: one more than the state had when the plan was made. The state may have advanced since. */
  readonly version: number
  readonly operation: string
  readonly parameters?: CommitInfo['operationParameters']
  /** Wanted inCommitTimestamp; raised if the version before is not earlier. */
  readonly in_commit_ms: number
  readonly sealed_through: Micros | null
  readonly head_stamp: Micros | null
  /** New first version of the log; left out: that of the version before. */
  readonly log_start?: number
  readonly actions: readonly Action[]
  /** Data files this commit adds; removed if it fails. */
  readonly new_files: readonly StoreKey[]
}

/**
 * Tries to commit `plan` by one conditional write. Returns true if it succeeded, and applies the commit to the state; false if
 * another writer was first, and the caller reuses or discards the plan's files.
 *
 * @throws {ServiceError} OUTCOME_UNKNOWN: the commit may still appear, so its files are kept
 */
export async function tryCommit(context: LogContext, plan: CommitPlan): Promise<boolean> {
  const { state, store, table, ports } = context
  const { version } = plan
  const now_ms = Math.floor((await store.now()) / 1000)
  const info = commitInfo(context, plan, now_ms)
  const { text } = commitText(info, clockOf(context, plan, info), plan.actions)
  await ports.reach?.('before-link')
  if (!(await placeCommit(context, plan, info.txnId, text))) return false
  if (!(await isOnLog(context, version - 1))) {
    // This process slept while the log was cleaned beyond `version`: the name was free, but the version is taken.
    await store.delete(commitKey(table, version))
    return false
  }
  await ports.reach?.('after-link')
  if (state.version + 1 === version) state.applyCommit(parseCommit(table, version, Buffer.from(text)))
  if (version > 0 && version % CHECKPOINT_INTERVAL === 0) context.background(writeCheckpoint(context))
  return true
}

/**
 * Writes a commit; returns false if another writer was first. A name that is taken may be taken by this very write, repeated on its
 * way: the commit is ours if it has our transaction id.
 *
 * If the write fails after the name became visible, the files are kept and the error is passed on: the commit is perhaps not durable.
 * A retry with the same application sequence finds it.
 */
async function placeCommit(context: LogContext, plan: CommitPlan, txnId: string, text: string): Promise<boolean> {
  const { ports, store, table } = context
  const { version } = plan
  const key = commitKey(table, version)
  let outcome: PutOutcome
  try {
    outcome = await store.putIfAbsent(key, Buffer.from(text))
  } catch (error) {
    if (!(await isOurs(context, version, txnId))) await discard(context, plan.new_files)
    throw error
  }
  if (outcome === 'placed') return true
  const bytes = await readBack(store, key, ports.pause)
  return parseCommit(table, version, bytes).info.txnId === txnId
}

/** Removes data files that no version names. A file that cannot be removed is left to vacuum. */
export async function discard(context: LogContext, keys: readonly StoreKey[]): Promise<void> {
  for (const key of keys) await context.store.delete(key).catch(() => undefined)
}

function commitInfo(context: LogContext, plan: CommitPlan, now_ms: number): CommitInfo {
  const appends = plan.actions.every((action) => !('remove' in action))
  return {
    timestamp: now_ms,
    inCommitTimestamp: Math.max(plan.in_commit_ms, context.state.clock.in_commit_ms + 1),
    operation: plan.operation,
    operationParameters: plan.parameters ?? {},
    isBlindAppend: appends,
    engineInfo: ENGINE,
    txnId: randomUUID(),
  }
}

function clockOf(context: LogContext, plan: CommitPlan, info: CommitInfo): Omit<TableClock, 'commit_sha256'> {
  const { state } = context
  const log_start = plan.log_start ?? state.log_start
  return {
    sealed_through: plan.sealed_through,
    head_stamp: plan.head_stamp,
    in_commit_ms: info.inCommitTimestamp,
    previous_sha256: state.version < 0 ? null : state.clock.commit_sha256,
    ...(log_start === 0 ? {} : { log_start }),
    content_sha256: plan.actions.flatMap((action) => ('add' in action ? [action.add.tags['tidemark.sha256']] : [])),
  }
}

/** True also in doubt: a file that a version may name is never removed. */
async function isOurs(context: LogContext, version: number, txnId: string): Promise<boolean> {
  try {
    const bytes = await context.store.get(commitKey(context.table, version))
    return bytes !== null && parseCommit(context.table, version, bytes).info.txnId === txnId
  } catch {
    return true
  }
}
