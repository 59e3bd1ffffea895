import type { Rebuild } from '../engine/rebuild-state.ts'
import type { EngineState } from '../engine/state.ts'
import type { BatchRow, OrderRow, StateRows } from '../projections/rows.ts'
import type { EngineConnection } from './engine-connection.ts'
import { readCopied } from './read-copied.ts'
import { readSql } from './read-sql.ts'

/** Columns read from each table, in a fixed order. */
const SELECTS: { readonly [T in Exclude<keyof StateRows, 'last_batch'>]: string } = {
  asset: 'SELECT * FROM trading.asset ORDER BY asset_id',
  account: 'SELECT * FROM trading.account ORDER BY created_at, account_id',
  fee_schedule: 'SELECT * FROM trading.fee_schedule ORDER BY schedule_id, schedule_version',
  market: 'SELECT * FROM trading.market ORDER BY created_at, market_id',
  market_outcome: 'SELECT * FROM trading.market_outcome ORDER BY market_id, place',
  balance: 'SELECT * FROM trading.balance ORDER BY account_id, asset_id',
  position: 'SELECT * FROM trading.position ORDER BY account_id, outcome_id',
  api_key: 'SELECT * FROM trading.api_key ORDER BY created_at, key_id',
  signer_authorization: 'SELECT * FROM trading.signer_authorization ORDER BY at, authorization_id',
}

/** Working orders (partial index orders_working), oldest first: the order in which they rest at a price. */
const WORKING = "WHERE status IN ('open', 'partially_filled', 'suspended') ORDER BY accepted_sequence"

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
  'replaced_by_order_id',
  'engine_sequence',
] as const

const LAST_BATCH = readSql('last_batch')

/** Loads everything an engine is rebuilt from, as of one instant. Orders are inserted while the next ones are read. */
export async function loadState(
  connection: Pick<EngineConnection, 'client'>,
  rebuild: (rows: StateRows) => Rebuild,
): Promise<{ readonly state: EngineState; readonly last_batch: BatchRow | null }> {
  const { client } = connection
  const begun = client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const last = client.query<BatchRow>(LAST_BATCH)
  const tables = Object.entries(SELECTS).map(async ([table, text]) => [table, (await client.query(text)).rows] as const)
  const [, { rows }, entries] = await Promise.all([begun, last, Promise.all(tables)])
  const last_batch = rows[0] ?? null
  const others = Object.fromEntries(entries) as unknown as Omit<StateRows, 'last_batch'>
  const { addOrder, finish } = rebuild({ ...others, last_batch })
  await readCopied<OrderRow>(connection, 'trading.orders', OF_RESTING, WORKING, addOrder)
  await client.query('COMMIT')
  return { state: finish(), last_batch }
}
