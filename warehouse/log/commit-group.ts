import { isServiceError } from '../../primitives/errors.ts'
import type { Action } from './actions.ts'
import { type AppendResult, appendResult, type Member, rowsTogether } from './append-member.ts'
import {
  checkWallClock,
  chooseStamp,
  type PublishedAt,
  type RowStamps,
  type Stamp,
  stampRange,
} from './choose-stamp.ts'
import { createTable } from './create-table.ts'
import { findTransaction, transactionRows } from './find-transaction.ts'
import type { LogContext } from './log-context.ts'
import { backOff, busy, TRIES_MAX } from './lost-race.ts'
import { refresh } from './refresh.ts'
import { closedThrough } from './seal-mark.ts'
import { discard, tryCommit } from './try-commit.ts'
import { DataFileFailed, writeDataFile } from './write-data-file.ts'

/**
 * Writes the rows of several appends as one data file and one commit, and answers each of them. If the file cannot be written, they
 * are committed one by one, so that an append fails by its own rows alone. Never rejects.
 */
export async function commitGroup(context: LogContext, members: readonly Member[]): Promise<void> {
  const answers: Answers = new Map()
  const failure = await commitAnnounced(context, members, answers).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  for (const answer of answers.values()) answer()
  if (failure === null) return
  const { error } = failure
  const left = members.filter((member) => !answers.has(member))
  if (error instanceof DataFileFailed && members.length > 1) for (const one of left) await commitGroup(context, [one])
  else for (const { reject } of left) reject(error instanceof DataFileFailed ? error.cause : error)
}

/** Answers to appends, given once the commit is no longer announced. */
type Answers = Map<Member, () => void>

async function commitAnnounced(context: LogContext, members: readonly Member[], answers: Answers): Promise<void> {
  await createTable(context)
  await endDecided(context)
  // Readers wait for announced commits, so that none appears behind an instant that they have published an answer of. Announced
  // before it is stamped: whoever raises the seal mark later sees it, and it sees a mark that was raised before.
  const end = await context.store.announce(context.table, await (context.ports.now ?? context.store.now)())
  try {
    await commitMembers(context, members, answers)
  } catch (error) {
    // The commit may still appear with its stamp: readers have to bar it by a seal before they answer as of a later instant.
    if (isServiceError(error, 'OUTCOME_UNKNOWN')) context.undecided.push({ version: context.state.version + 1, end })
    else await end()
    throw error
  }
  await end()
  await endDecided(context)
}

/** Ends the announcements of commits whose version is decided by now: either they are on the log, or they never will be. */
async function endDecided({ state, undecided }: LogContext): Promise<void> {
  for (const { version, end } of undecided.splice(0)) {
    if (version <= state.version) await end()
    else undecided.push({ version, end })
  }
}

async function commitMembers(context: LogContext, members: readonly Member[], answers: Answers): Promise<void> {
  let left = members
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const version = context.state.version + 1 // read first: every decision below holds for this version or a later one
    left = await undecided(context, left, answers)
    if (left.length === 0) return
    const stamp = await nextStamp(context, left[0]!.options.stamp)
    if (await commitAt(context, version, left, stamp)) {
      const published_at = stampRange(stamp).last
      for (const member of left) {
        const done = appendResult(context.table, { version, published_at, rows: member.rows.length })
        answers.set(member, () => member.resolve(done))
      }
      return
    }
    await backOff(tries)
    await refresh(context)
  }
  throw busy(context.table)
}

/** Answers the appends that need no commit; returns the others. */
async function undecided(context: LogContext, members: readonly Member[], answers: Answers): Promise<Member[]> {
  for (const member of members) {
    try {
      const done = await doneBefore(context, member)
      if (done !== null) answers.set(member, () => member.resolve(done))
    } catch (error) {
      answers.set(member, () => member.reject(error))
    }
  }
  const { version, clock } = context.state
  return members.filter((member) => {
    const after = member.options.unless_published_after
    if (answers.has(member)) return false
    if (clock.head_stamp === null || after === undefined || clock.head_stamp <= after) return true
    const published = { version, published_at: clock.head_stamp, rows: 0 }
    answers.set(member, () => member.resolve(appendResult(context.table, published, { overtaken: true })))
    return false
  })
}

async function doneBefore(context: LogContext, { options }: Member): Promise<AppendResult | null> {
  const done = await findTransaction(context, options.app_id, options.app_sequence)
  return done === null ? null : appendResult(context.table, done, { already_done: true })
}

async function nextStamp(context: LogContext, stamp: Stamp | RowStamps): Promise<PublishedAt> {
  const { ports, store, table } = context
  const sealed_through = await closedThrough(context)
  const writer = await (ports.now ?? store.now)()
  if (stamp.kind === 'wall' && ports.without_clock_guards !== true) {
    checkWallClock(table, { writer, store: await store.now(), sealed_through })
  }
  return chooseStamp(table, stamp, ports.without_seal_rule === true ? null : sealed_through, writer)
}

/** Writes the data file stamped `published_at` and tries to commit it as `version`; returns false if another writer was first. */
async function commitAt(
  context: LogContext,
  version: number,
  members: readonly Member[],
  published_at: PublishedAt,
): Promise<boolean> {
  const { state, ports, store } = context
  const { last } = stampRange(published_at)
  const { key, add } = await writeDataFile(context, rowsTogether(members), published_at)
  await ports.reach?.('data-written')
  // Cheaper than a log entry that is certain to lose.
  if ((await refresh(context)).version !== version - 1) {
    await discard(context, [key])
    return false
  }
  const lastUpdated = Math.floor((await store.now()) / 1000)
  const transactions = members.map(({ options }): Action => {
    return { txn: { appId: options.app_id, version: options.app_sequence, lastUpdated } }
  })
  const committed = await tryCommit(context, {
    version,
    operation: members[0]!.options.operation,
    parameters: transactionRows(members.map(({ rows }) => rows.length)),
    in_commit_ms: Math.floor(last / 1000),
    sealed_through: Math.max(last, state.clock.sealed_through ?? last),
    head_stamp: Math.max(last, state.clock.head_stamp ?? last),
    actions: [...transactions, { add }],
    new_files: [key],
  })
  if (committed)
    context.verified.add(key) // its hash was computed from the stored bytes
  else await discard(context, [key])
  return committed
}
