import { invariant } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { ChangedRows } from '../projections/rows.ts'

/** Tables that a batch writes beside its events. */
export type WrittenTable = Exclude<keyof ChangedRows, 'engine_event'>

type Rule = {
  /** Key of a table whose rows are replaced; null: its rows are only added. */
  readonly key: readonly string[] | null
  /** Facts of a replaced row that stay as they were written first. */
  readonly fixed?: readonly string[]
}

const ADDED: Rule = { key: null }

/** How each table is written, in this order. */
const RULES: { readonly [T in WrittenTable]: Rule } = {
  operator_act: ADDED,
  asset: ADDED,
  account: { key: ['account_id'] },
  account_policy: ADDED,
  fee_schedule: ADDED,
  market: { key: ['market_id'] },
  market_outcome: { key: ['outcome_id'] },
  orders: {
    key: ['order_id'],
    fixed: ['command_id', 'client_order_id', 'account_id', 'signer', 'order_nonce', 'order_signature', 'digest'],
  },
  trade: ADDED,
  fill: ADDED,
  prevented_match: ADDED,
  ledger_entry: ADDED,
  balance: { key: ['account_id', 'asset_id'] },
  position: { key: ['account_id', 'outcome_id'] },
  settlement: { key: ['settlement_id'] },
  settlement_attempt: { key: ['attempt_id'] },
  settlement_transition: ADDED,
  settlement_reversal: ADDED,
  resolution: { key: ['resolution_id'] },
  resolution_payout: ADDED,
  outcome_mark: ADDED,
  adjustment: ADDED,
  api_key: { key: ['key_id'] },
  api_key_audit: ADDED,
  signer_authorization: ADDED,
  request_nonce: ADDED,
  idempotent_answer: ADDED,
  order_nonce: ADDED,
}

export const WRITTEN_TABLES = Object.keys(RULES) as WrittenTable[]

/** One column as the catalogue tells it. */
export type Column = { readonly table_name: string; readonly column_name: string; readonly is_instant: boolean }

/** How the rows of one table are written: one statement with one parameter, the rows as a JSON array. */
export type TablePlan = {
  readonly name: string
  readonly text: string
  /** Text of the parameter; microseconds become timestamps. */
  readonly encode: (rows: readonly object[]) => string
}

/**
 * Makes the statements of all tables from the catalogue, so that a new column needs a migration and its row type alone. Rows as one
 * JSON parameter were the quickest of what was measured for small batches, and within a third of arrays a column for large ones.
 */
export function writePlan(columns: readonly Column[]): ReadonlyMap<WrittenTable, TablePlan> {
  return new Map(WRITTEN_TABLES.map((table) => [table, tablePlan(table, columns)]))
}

function tablePlan(table: WrittenTable, all: readonly Column[]): TablePlan {
  const columns = all.filter(({ table_name }) => table_name === table)
  invariant(columns.length > 0, `the table trading.${table} exists`)
  const instants = columns.filter(({ is_instant }) => is_instant).map(({ column_name }) => column_name)
  const names = columns.map(({ column_name }) => column_name)
  const rows = `SELECT * FROM json_populate_recordset(NULL::trading.${table}, $1)`
  const text = `INSERT INTO trading.${table} ${rows}${replacing(RULES[table], names)}`
  return { name: `write ${table}`, text, encode: (rows) => encodeRows(rows, instants) }
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
