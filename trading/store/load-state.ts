import type { BatchRow, OrderRow, StateRows } from '../projections/rows.ts'
import type { EngineConnection } from './engine-connection.ts'
import { readPacked } from './read-packed.ts'
import { readSql } from './read-sql.ts'

/** What is read of each table, in an order that does not change from one reading to the next. */
const SELECTS: { readonly [T in Exclude<keyof StateRows, 'last_batch' | 'orders'>]: string } = {
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

/** Orders that work (those of the partial index orders_working), oldest first: the order in which they rest at a price. */
const WORKING = "WHERE status IN ('open', 'partially_filled', 'suspended') ORDER BY accepted_sequence"

const LAST_BATCH = readSql('last_batch')

/** Everything that an engine is made of again, as of one instant. */
export async function loadState(connection: Pick<EngineConnection, 'client'>): Promise<StateRows> {
  const { client } = connection
  const begun = client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const last_batch = client.query<BatchRow>(LAST_BATCH)
  const tables = Object.entries(SELECTS).map(async ([table, text]) => [table, (await client.query(text)).rows] as const)
  const orders = await readPacked<OrderRow>(connection, 'trading.orders', WORKING)
  const ended = client.query('COMMIT')
  const [, { rows }, entries] = await Promise.all([begun, last_batch, Promise.all(tables), ended])
  const others = Object.fromEntries(entries) as unknown as Omit<StateRows, 'last_batch' | 'orders'>
  return { ...others, orders, last_batch: rows[0] ?? null }
}
