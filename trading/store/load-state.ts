import type { Rebuild } from '../engine/rebuild-state.ts'
import type { EngineState } from '../engine/state.ts'
import type { BatchRow, OrderRow, StateRows } from '../projections/rows.ts'
import type { EngineConnection } from './engine-connection.ts'
import { readCopied } from './read-copied.ts'
import { readSql } from './read-sql.ts'

/** Order in which the rows of each table are loaded. */
const ORDER_OF: { readonly [T in Exclude<keyof StateRows, 'last_batch'>]: string } = {
  asset: 'asset_id',
  account: 'created_at, account_id',
  fee_schedule: 'schedule_id, schedule_version',
  market: 'created_at, market_id',
  market_outcome: 'market_id, place',
  balance: 'account_id, asset_id',
  position: 'account_id, outcome_id',
  api_key: 'created_at, key_id',
  signer_authorization: 'at, authorization_id',
  mass_cancel: 'at, cancel_id',
  market_maker_protection: 'account_id, market_id',
}
/** Condition on the rows of a table that keeps finished ones too. */
const CONDITIONS: Readonly<Record<string, string>> = {
  mass_cancel: ' WHERE NOT is_done',
  market_maker_protection: ' WHERE is_active',
}

/** Columns that make up the engine's record of a resting order. */
const OF_RESTING = [
  'order_id',
  'account_id',
  'market_id',
  'outcome_id',
  'side',
  'limit_price',
  'original_quantity',
  'expires_at',
  'reduce_only',
  'schedule_id',
  'schedule_version',
  'accepted_sequence',
  'status',
  'version',
  'remaining_quantity',
  'filled_quantity',
  'canceled_quantity',
  'filled_notional',
  'reserve_fee_base',
  'proceeds_fee_base',
  'fees',
  'reserved_amount',
  'uncovered_quantity',
  'trimmed_quantity',
  'quote_set_id',
  'replaced_by_order_id',
  'engine_sequence',
] as const

const LAST_BATCH = readSql('last_batch')
const STATE_ROWS = Object.entries(ORDER_OF).map(
  ([table, order]) =>
    [table, readSql('state_rows', undefined, { table: `${table}${CONDITIONS[table] ?? ''}`, order })] as const,
)
const RESTING = readSql('resting_orders')

/** Loads everything an engine is rebuilt from, as of one instant. Orders are inserted while the next ones are read. */
export async function loadState(
  connection: Pick<EngineConnection, 'client'>,
  rebuild: (rows: StateRows) => Rebuild,
): Promise<{ readonly state: EngineState; readonly last_batch: BatchRow | null }> {
  const { client } = connection
  const begun = client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const last = client.query<BatchRow>(LAST_BATCH)
  const tables = STATE_ROWS.map(async ([table, text]) => [table, (await client.query(text)).rows] as const)
  const [, { rows }, entries] = await Promise.all([begun, last, Promise.all(tables)])
  const last_batch = rows[0] ?? null
  const others = Object.fromEntries(entries) as unknown as Omit<StateRows, 'last_batch'>
  const { addOrder, finish } = rebuild({ ...others, last_batch })
  await readCopied<OrderRow>(connection, 'trading.orders', OF_RESTING, RESTING, addOrder)
  await client.query('COMMIT')
  return { state: finish(), last_batch }
}
