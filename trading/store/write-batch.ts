import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { BatchRow, ChangedRows } from '../projections/rows.ts'
import { copyRows } from './copy-rows.ts'
import type { EngineConnection } from './engine-connection.ts'
import { batchHash, GENESIS_HASH } from './hash-chain.ts'
import { prepared } from './read-sql.ts'
import { type RowsCopy, type RowsStatement, type StoredEvent, WRITTEN_TABLES } from './write-plan.ts'

export type BatchToWrite = {
  readonly epoch: number
  readonly lease_ms: number
  readonly at: Micros
  /** Previous batch; null for the first. */
  readonly previous: BatchRow | null
  readonly last_engine_sequence: number
  readonly last_ledger_sequence: number
  readonly rows: ChangedRows
}

/** Called at two points of a transaction once everything before is answered: for tests that end the process there. */
export type WriteHook = (point: 'mid-write' | 'before-commit') => Promise<void>

const BATCH = prepared('insert_batch')
const HOLD = { name: 'hold_lease', text: 'SELECT trading.hold_lease($1, $2)' }

/** SQLSTATE of a connection that does not exist. */
const NO_CONNECTION = '08003'

/** Error of a batch that was not committed: the transaction was rolled back, or never sent. */
export class BatchRefused extends Error {
  override readonly name = 'BatchRefused'
  /** SQLSTATE of the failed statement. */
  readonly sqlstate: string

  constructor(sqlstate: string, cause: unknown) {
    super(`the batch was rolled back: ${String(cause)}`, { cause })
    this.sqlstate = sqlstate
  }
}

/** A batch with all its statements built; its inputs may change from here on. */
export type PreparedBatch = {
  readonly row: BatchRow
  readonly beginning: readonly Sendable[]
  readonly tables: readonly Sendable[]
}
type Sendable = RowsCopy | RowsStatement | (typeof HOLD & { readonly values: readonly unknown[] })

/** Builds the batch's row, its link of the hash chain, and the statements of its events and of every changed table. */
export function prepareBatch(connection: EngineConnection, batch: BatchToWrite): PreparedBatch {
  const { row, events } = linkBatch(batch)
  const beginning = [
    { ...HOLD, values: [batch.epoch, batch.lease_ms] },
    { ...BATCH, values: batchValues(row) },
    ...connection.events.write(events),
  ]
  return { row, beginning, tables: [...statementsOf(connection, batch, row)] }
}

/** Prepares and writes a batch. */
export async function writeBatch(connection: EngineConnection, batch: BatchToWrite): Promise<BatchRow> {
  return await writePrepared(connection, prepareBatch(connection, batch))
}

/**
 * Writes one batch in one transaction: first the lease is renewed (a lost lease commits nothing), then the batch with its
 * link of the hash chain, its events, and the rows of every changed table. All is pipelined.
 * @returns the batch's row, once it is committed
 * @throws {BatchRefused} it was certainly rolled back, or the connection had ended before
 * @throws the connection's error: whether the batch was committed is unknown
 */
export async function writePrepared(
  connection: EngineConnection,
  { row, beginning, tables }: PreparedBatch,
  hook: WriteHook | null = null,
): Promise<BatchRow> {
  const { client } = connection
  if (connection.isBroken())
    throw new BatchRefused(NO_CONNECTION, new Error('the connection had ended; nothing was sent'))
  const sent = connection.together(() => [client.query('BEGIN'), ...beginning.map((one) => send(connection, one))])
  await reached(hook, 'mid-write', sent)
  const committed = connection.together(() => {
    sent.push(...tables.map((one) => send(connection, one)))
    return hook === null ? client.query('COMMIT') : null
  })
  await reached(hook, 'before-commit', sent)
  await commit(connection, sent, committed ?? client.query('COMMIT'))
  return row
}

function* statementsOf({ plan }: EngineConnection, { previous, rows }: BatchToWrite, { batch_sequence }: BatchRow) {
  const last_engine_sequence = previous?.last_engine_sequence ?? 0
  for (const table of WRITTEN_TABLES) {
    yield* plan.get(table)!.write(rowsOf(table, rows, batch_sequence), last_engine_sequence)
  }
}

function send({ client }: EngineConnection, statement: Sendable): Promise<unknown> {
  if ('rows' in statement) return copyRows(client, statement.text, statement.rows)
  return client.query({ ...statement, values: [...statement.values] })
}

async function reached(
  hook: WriteHook | null,
  point: Parameters<WriteHook>[0],
  sent: readonly Promise<unknown>[],
): Promise<void> {
  if (hook === null) return
  await Promise.all(sent)
  await hook(point)
}

async function commit(
  connection: EngineConnection,
  sent: readonly Promise<unknown>[],
  committed: Promise<{ command: string }>,
): Promise<void> {
  const results = await Promise.allSettled([...sent, committed])
  const failed = results.find((result) => result.status === 'rejected')
  if (failed === undefined) return
  const end = results.at(-1)!
  const { reason } = failed
  // After a failed statement the server answers COMMIT with ROLLBACK.
  const rolled_back = end.status === 'fulfilled' && (end.value as { command: string }).command === 'ROLLBACK'
  if (rolled_back && !connection.isBroken()) throw new BatchRefused(String(reason.code), reason)
  throw reason
}

function linkBatch({ epoch, at, previous, rows, last_engine_sequence, last_ledger_sequence }: BatchToWrite) {
  const batch_sequence = (previous?.batch_sequence ?? 0) + 1
  const previous_hash = previous?.hash ?? GENESIS_HASH
  const unlinked = { batch_sequence, epoch, at, last_engine_sequence, last_ledger_sequence, previous_hash }
  const events = rows.engine_event.map(
    ({ engine_sequence, kind, account_id, body }): StoredEvent => ({
      engine_sequence,
      batch_sequence,
      kind,
      account_id,
      body: JSON.stringify(body),
    }),
  )
  const row: BatchRow = { ...unlinked, hash: batchHash(unlinked, events, rows.operator_act) }
  return { row, events }
}

function batchValues({ at, ...row }: BatchRow): unknown[] {
  const { batch_sequence, epoch, last_engine_sequence, last_ledger_sequence, previous_hash, hash } = row
  return [batch_sequence, epoch, formatMicros(at), last_engine_sequence, last_ledger_sequence, previous_hash, hash]
}

function rowsOf(table: (typeof WRITTEN_TABLES)[number], rows: ChangedRows, batch_sequence: number): readonly object[] {
  if (table === 'operator_act') return rows.operator_act.map((act) => ({ ...act, batch_sequence }))
  return rows[table]
}
