import type { BatchRow, StateRows } from '../projections/rows.ts'
import type { EngineConnection } from './engine-connection.ts'
import { readSql } from './read-sql.ts'

/** What is read of each table, in an order that does not change from one reading to the next. */
const SELECTS: { readonly [T in Exclude<keyof StateRows, 'last_batch'>]: string } = {
  asset: 'SELECT * FROM trading.asset ORDER BY asset_id',
  account: 'SELECT * FROM trading.account ORDER BY created_at, account_id',
  fee_schedule: 'SELECT * FROM trading.fee_schedule ORDER BY schedule_id, schedule_version',
  market: 'SELECT * FROM trading.market ORDER BY created_at, market_id',
  market_outcome: 'SELECT * FROM trading.market_outcome ORDER BY market_id, place',
  orders: readSql('working_orders'),
  balance: 'SELECT * FROM trading.balance ORDER BY account_id, asset_id',
  position: 'SELECT * FROM trading.position ORDER BY account_id, outcome_id',
  api_key: 'SELECT * FROM trading.api_key ORDER BY created_at, key_id',
  signer_authorization: 'SELECT * FROM trading.signer_authorization ORDER BY at, authorization_id',
}

const LAST_BATCH = readSql('last_batch')

/** Everything that an engine is made of again, as of one instant. */
export async function loadState({ client }: EngineConnection): Promise<StateRows> {
  const begun = client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const last_batch = client.query<BatchRow>(LAST_BATCH)
  const tables = Object.entries(SELECTS).map(async ([table, text]) => [table, (await client.query(text)).rows] as const)
  const ended = client.query('COMMIT')
  const [, { rows }, entries] = await Promise.all([begun, last_batch, Promise.all(tables), ended])
  return { ...(Object.fromEntries(entries) as unknown as Omit<StateRows, 'last_batch'>), last_batch: rows[0] ?? null }
}
