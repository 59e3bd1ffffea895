import { invariant } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { ChangedRows, OrderRow, SettlementRow } from '../projections/rows.ts'
import { binaryArrays, binaryRows, isArrayable } from './binary-rows.ts'
import type { HashedEvent } from './hash-chain.ts'

/** Tables that a batch writes besides its events. */
export type WrittenTable = Exclude<keyof ChangedRows, 'engine_event'>

type Rule = {
  /** Key of a table whose rows are replaced; null: rows are only added. */
  readonly key: readonly string[] | null
  /** Columns of a replaced row that keep their first value. */
  readonly fixed?: readonly string[]
  /** Whether a row of a replaced table is its first, after the events of earlier batches; left out: unknown. */
  readonly isFirst?: (row: never, last_engine_sequence: number) => boolean
}

const ADDED: Rule = { key: null }

/** Write rules per table, in writing order. */
const RULES: { readonly [T in WrittenTable]: Rule } = {
  operator_act: ADDED,
  operator_key: { key: ['operator_key_id'] },
  asset: ADDED,
  account: { key: ['account_id'] },
  account_policy: ADDED,
  fee_schedule: ADDED,
  market: { key: ['market_id'] },
  market_outcome: { key: ['outcome_id'] },
  orders: {
    key: ['order_id'],
    fixed: [
      'command_id',
      'client_order_id',
      'account_id',
      'signer',
      'order_nonce',
      'order_signature',
      'digest',
      'received_at',
      'quote_set_id',
    ],
    isFirst: ({ accepted_sequence }: OrderRow, last) => accepted_sequence > last,
  },
  mass_cancel: { key: ['cancel_id'] },
  trade: ADDED,
  fill: ADDED,
  prevented_match: ADDED,
  ledger_entry: ADDED,
  balance: { key: ['account_id', 'asset_id'] },
  position: { key: ['account_id', 'outcome_id'] },
  settlement: {
    key: ['settlement_id'],
    isFirst: ({ projection_version, engine_sequence }: SettlementRow, last) =>
      projection_version === 1 && engine_sequence > last,
  },
  settlement_attempt: { key: ['attempt_id'] },
  settlement_transition: ADDED,
  settlement_reversal: ADDED,
  resolution: { key: ['resolution_id'] },
  resolution_payout: ADDED,
  outcome_mark: ADDED,
  adjustment: ADDED,
  transfer: { key: ['transfer_id'] },
  market_maker_protection: { key: ['account_id', 'market_id'] },
  api_key: { key: ['key_id'] },
  api_key_audit: ADDED,
  signer_authorization: ADDED,
  request_nonce: ADDED,
  idempotent_answer: ADDED,
  order_nonce: ADDED,
}

export const WRITTEN_TABLES = Object.keys(RULES) as WrittenTable[]

/** One column of the database catalogue. */
export type Column = {
  readonly table_name: string
  readonly column_name: string
  readonly udt_name: string
  readonly is_instant: boolean
}

/** A statement with its rows: one array per column, or all of them as one JSON array. */
export type RowsStatement = {
  readonly name: string
  readonly text: string
  readonly values: readonly Buffer[] | readonly [string]
}
/** A COPY with its rows. */
export type RowsCopy = { readonly text: string; readonly rows: Buffer }

/** Writer of one table's rows. */
export type TablePlan = {
  /** Returns the statements that write rows of a batch; empty without rows. */
  readonly write: (rows: readonly object[], last_engine_sequence: number) => readonly (RowsStatement | RowsCopy)[]
}

/**
 * Builds the statements of all tables from the catalogue, so a new column needs only a migration and its row type. New rows are
 * copied in binary, cheaper for the server than JSON even for one row, and by far for many; replaced
 * rows are binary arrays, one per column, of a prepared statement, or JSON where a column is itself an array.
 */
export function writePlan(columns: readonly Column[]): ReadonlyMap<WrittenTable, TablePlan> {
  return new Map(WRITTEN_TABLES.map((table) => [table, tablePlan(table, columns)]))
}

function tablePlan(table: WrittenTable, all: readonly Column[]): TablePlan {
  const columns = all.filter(({ table_name }) => table_name === table)
  invariant(columns.length > 0, `the table trading.${table} exists`)
  const { key, isFirst } = RULES[table]
  const put = putPlan(table, columns)
  if (key !== null && isFirst === undefined) return { write: (rows) => (rows.length === 0 ? [] : [put(rows)]) }
  const copy = copyPlan(table, columns)
  return {
    write: (rows, last) => {
      const added = isFirst === undefined ? rows : rows.filter((row) => isFirst(row as never, last))
      const others = added.length === rows.length ? [] : rows.filter((row) => !isFirst!(row as never, last))
      return [...(added.length === 0 ? [] : [copy(added)]), ...(others.length === 0 ? [] : [put(others)])]
    },
  }
}

/** Writer of events, with their bodies as the hashed text; empty without events. */
export type EventPlan = { readonly write: (events: readonly StoredEvent[]) => readonly RowsCopy[] }
export type StoredEvent = HashedEvent & { readonly batch_sequence: number }

/** Builds the statements of the event table. */
export function eventPlan(columns: readonly Column[]): EventPlan {
  const of_events = columns.filter(({ table_name }) => table_name === 'engine_event')
  // Bodies are JSON text already and are sent as they are.
  const copy = copyPlan(
    'engine_event',
    of_events.map(({ column_name, udt_name }) => ({ column_name, udt_name: udt_name === 'json' ? 'text' : udt_name })),
  )
  return { write: (events) => (events.length === 0 ? [] : [copy(events)]) }
}

/** Builds the COPY of new rows. */
function copyPlan(
  table: string,
  columns: readonly Pick<Column, 'column_name' | 'udt_name'>[],
): (rows: readonly object[]) => RowsCopy {
  const names = columns.map(({ column_name }) => column_name).join(', ')
  const text = `COPY trading.${table} (${names}) FROM STDIN (FORMAT binary)`
  const encode = binaryRows(columns)
  return (rows) => ({ text, rows: encode(rows) })
}

function putPlan(table: WrittenTable, columns: readonly Column[]): (rows: readonly object[]) => RowsStatement {
  const names = columns.map(({ column_name }) => column_name)
  const name = `write ${table}`
  const put = (rows: string) =>
    `INSERT INTO trading.${table} (${names.join(', ')}) SELECT * FROM ${rows}${replacing(RULES[table], names)}`
  if (columns.every(isArrayable)) {
    const text = put(`unnest(${columns.map(({ udt_name }, n) => `$${n + 1}::${udt_name}[]`).join(', ')})`)
    const encode = binaryArrays(columns)
    return (rows) => ({ name, text, values: encode(rows) })
  }
  const text = put(`json_populate_recordset(NULL::trading.${table}, $1)`)
  const instants = columns.filter(({ is_instant }) => is_instant).map(({ column_name }) => column_name)
  return (rows) => ({ name, text, values: [encodeRows(rows, instants)] })
}

function replacing({ key, fixed = [] }: Rule, names: readonly string[]): string {
  if (key === null) return ''
  const changing = names.filter((name) => !key.includes(name) && !fixed.includes(name))
  return ` ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}`
}

function encodeRows(rows: readonly object[], instants: readonly string[]): string {
  if (instants.length === 0) return JSON.stringify(rows)
  return JSON.stringify(rows.map((row) => withInstants(row as Record<string, unknown>, instants)))
}

function withInstants(row: Readonly<Record<string, unknown>>, instants: readonly string[]): Record<string, unknown> {
  const written = { ...row }
  for (const name of instants) {
    const value = row[name] as Micros | null | undefined
    if (value !== null && value !== undefined) written[name] = formatMicros(value)
  }
  return written
}
