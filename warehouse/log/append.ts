import { randomUUID } from 'node:crypto'
import { invariant } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros, utcDay } from '../../primitives/instants.ts'
import type { RowList } from '../schema.ts'
import type { TableName } from '../tables.ts'
import type { Action, AddFile } from './actions.ts'
import {
  checkWallClock,
  chooseStamp,
  type PublishedAt,
  type RowStamps,
  type Stamp,
  stampRange,
} from './choose-stamp.ts'
import { createTable } from './create-table.ts'
import { findTransaction } from './find-transaction.ts'
import type { LogContext } from './log-context.ts'
import { backOff, busy, TRIES_MAX } from './lost-race.ts'
import { refresh } from './refresh.ts'
import { PARTITION_COLUMN } from './table-definition.ts'
import { discard, tryCommit } from './try-commit.ts'

export type AppendOptions = {
  /** Identity of the writer and the number of its step: a retry with both is a no-op. */
  readonly app_id: string
  readonly app_sequence: number
  readonly stamp: Stamp | RowStamps
  /** Shown in the table's history, such as IMPORT. */
  readonly operation: string
  /** Writes nothing if rows were published after this instant, because the appended rows were decided without them. */
  readonly unless_published_after?: Micros
}

export type AppendResult = {
  readonly table: TableName
  readonly version: number
  /** The last stamp of the commit. */
  readonly published_at: Instant
  readonly rows: number
  /** true: an earlier call with this app_id and app_sequence committed; nothing was written now. */
  readonly already_done: boolean
  /** true: rows were published after `unless_published_after`; nothing was written. */
  readonly overtaken: boolean
}

/**
 * Appends rows in one commit: all of them become visible at once, or none.
 * @throws {InvariantError} a row does not fit the table; {ServiceError} VALIDATION_CLOCK_REFUSED, WAREHOUSE_CLOCK_SKEW,
 *   WAREHOUSE_STORE_FULL, WAREHOUSE_STORE_UNSUITABLE, WAREHOUSE_CORRUPT, WAREHOUSE_BUSY
 */
export function append(context: LogContext, rows: RowList, options: AppendOptions): Promise<AppendResult> {
  invariant(rows.length > 0, `append to ${context.table}: no rows given`)
  invariant(
    Number.isSafeInteger(options.app_sequence),
    `append to ${context.table}: app_sequence is ${options.app_sequence}; allowed: an integer`,
  )
  checkRowStamps(context.table, rows, options.stamp)
  return context.alone(async () => {
    await createTable(context)
    // Readers wait for announced commits, so that none appears behind an instant that they have published an answer of.
    const end = await context.store.announce(await (context.ports.now ?? context.store.now)())
    return commitRows(context, rows, options).finally(end)
  })
}

function checkRowStamps(table: TableName, rows: RowList, stamp: Stamp | RowStamps): void {
  if (stamp.kind !== 'recorded_rows') return
  const { at } = stamp
  const { first, last } = stampRange(at)
  invariant(at.length === rows.length, `append to ${table}: ${at.length} stamps for ${rows.length} rows`)
  invariant(utcDay(first) === utcDay(last), `append to ${table}: the stamps span several days`)
  const ascend = at.every((micros, row) => row === 0 || at[row - 1]! <= micros)
  invariant(ascend, `append to ${table}: the stamps do not ascend with the rows`)
}

async function commitRows(context: LogContext, rows: RowList, options: AppendOptions): Promise<AppendResult> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const version = context.state.version + 1 // read first: every decision below holds for this version or a later one
    const done = await findTransaction(context, options.app_id, options.app_sequence)
    if (done !== null) return result(context.table, done, { already_done: true })
    const { head_stamp } = context.state.clock
    if (head_stamp !== null && head_stamp > (options.unless_published_after ?? head_stamp))
      return result(context.table, { version: version - 1, published_at: head_stamp, rows: 0 }, { overtaken: true })
    const published_at = await nextStamp(context, options.stamp)
    if (await commitAt(context, version, rows, published_at, options)) {
      return result(context.table, { version, published_at: stampRange(published_at).last, rows: rows.length })
    }
    await backOff(tries)
    await refresh(context)
  }
  throw busy(context.table)
}

async function nextStamp(context: LogContext, stamp: Stamp | RowStamps): Promise<PublishedAt> {
  const { ports, store, state, table } = context
  const { sealed_through } = state.clock
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
  rows: RowList,
  published_at: PublishedAt,
  options: AppendOptions,
): Promise<boolean> {
  const { state, ports, store, table } = context
  const { first, last } = stampRange(published_at)
  const published_date = utcDay(last)
  const path = `${PARTITION_COLUMN}=${published_date}/part-${randomUUID()}.zstd.parquet`
  const key = `${table}/${path}`
  let stats = ''
  const file = await store.putProduced(key, async (local_path) => {
    stats = await context.engine.writeRows({ table, schema: context.schema, rows, published_at }, local_path)
  })
  await ports.reach?.('data-written')
  // Cheaper than a log entry that is certain to lose.
  if ((await refresh(context)).version !== version - 1) {
    await discard(context, [key])
    return false
  }
  const add: AddFile = {
    path,
    partitionValues: { published_date },
    size: file.size_bytes,
    modificationTime: Math.floor(file.modified_at / 1000),
    dataChange: true,
    stats,
    tags: {
      'tidemark.sha256': file.sha256,
      'tidemark.stamp_min': String(first),
      'tidemark.stamp_max': String(last),
    },
  }
  const now_ms = Math.floor((await store.now()) / 1000)
  const txn = { appId: options.app_id, version: options.app_sequence, lastUpdated: now_ms }
  const actions: Action[] = [{ txn }, { add }]
  const committed = await tryCommit(context, {
    version,
    operation: options.operation,
    in_commit_ms: Math.floor(last / 1000),
    sealed_through: Math.max(last, state.clock.sealed_through ?? last),
    head_stamp: Math.max(last, state.clock.head_stamp ?? last),
    actions,
    new_files: [key],
  })
  if (committed)
    context.verified.add(key) // its hash was computed from the stored bytes
  else await discard(context, [key])
  return committed
}

type Committed = { readonly version: number; readonly published_at: Micros; readonly rows: number }

function result(
  table: TableName,
  committed: Committed,
  { already_done = false, overtaken = false }: { already_done?: boolean; overtaken?: boolean } = {},
): AppendResult {
  const { version, rows } = committed
  return { table, version, published_at: formatMicros(committed.published_at), rows, already_done, overtaken }
}
