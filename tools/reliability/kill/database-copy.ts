import type { Pool } from '../../../trading/store/create-pool.ts'

/** An order as the database has it. */
export type StoredOrder = {
  readonly order_id: string
  readonly client_order_id: string
  readonly account_id: string
  readonly status: string
  readonly version: number
  readonly terminal_reason: string | null
  readonly replaced_by_order_id: string | null
}

/** Stored answer to a repeated write. */
export type StoredAnswer = {
  readonly account_id: string
  readonly path: string
  readonly idempotency_key: string
  readonly status: number
  readonly data: string | null
}

/** Database content that the clients' journals are compared with. */
export type DatabaseCopy = { readonly orders: readonly StoredOrder[]; readonly answers: readonly StoredAnswer[] }

const ORDERS = `
SELECT order_id, client_order_id, account_id, status, version, terminal_reason, replaced_by_order_id FROM trading.orders ORDER BY order_id`
const ANSWERS = `
SELECT account_id, path, idempotency_key, status, data FROM trading.idempotent_answer ORDER BY account_id, idempotency_key`

export async function copyDatabase(pool: Pool): Promise<DatabaseCopy> {
  const orders = await pool.query<StoredOrder>(ORDERS)
  const answers = await pool.query<StoredAnswer>(ANSWERS)
  return { orders: orders.rows, answers: answers.rows }
}
