import pg from 'pg'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Place } from '../../trading/engine/submission.ts'
import type { ChangedRows } from '../../trading/projections/rows.ts'
import { connectionOptions, type Pool } from '../../trading/store/create-pool.ts'
import { readSql } from '../../trading/store/read-sql.ts'
import type { Column, WrittenTable } from '../../trading/store/write-plan.ts'

/** One order with its rows when it is decided alone. */
export type DecidedOrder = { readonly place: Place; readonly rows: ChangedRows }

const ADDED = ['engine_event', 'orders', 'ledger_entry', 'request_nonce', 'idempotent_answer', 'order_nonce'] as const
const REPLACED = { balance: ['account_id', 'asset_id'], position: ['account_id', 'outcome_id'] } as const

/**
 * The design that most people would start with: one transaction per order on a pool of connections. It looks up the order's replay
 * keys, locks the account's money and position by SELECT ... FOR UPDATE, and writes the order's rows with one prepared statement per
 * table. It decides nothing: its rows are given, and so are the sequences, for which it would need locks.
 */
export class NaiveOrders {
  readonly #pool: Pool
  readonly #columns: ReadonlyMap<string, readonly Column[]>

  private constructor(pool: Pool, columns: readonly Column[]) {
    this.#pool = pool
    const tables = [...new Set(columns.map(({ table_name }) => table_name))]
    this.#columns = new Map(tables.map((table) => [table, columns.filter(({ table_name }) => table_name === table)]))
  }

  static async connect(url: string, connections: number): Promise<NaiveOrders> {
    const pool = new pg.Pool({ ...connectionOptions(url, 'naive'), max: connections, min: connections })
    const { rows } = await pool.query<Column>(readSql('written_columns'))
    return new NaiveOrders(pool, rows)
  }

  async place({ place, rows }: DecidedOrder, batch_sequence: number): Promise<void> {
    const client = await this.#pool.connect()
    try {
      await client.query('BEGIN')
      await this.#check(client, place)
      for (const table of ADDED) {
        const list =
          table === 'engine_event' ? rows.engine_event.map((row) => ({ ...row, batch_sequence })) : rows[table]
        if (list.length > 0) await this.#insert(client, table, list)
      }
      for (const [table, key] of Object.entries(REPLACED)) {
        for (const row of rows[table as 'balance' | 'position']) await this.#update(client, table, key, row)
      }
      await client.query('COMMIT')
    } finally {
      client.release()
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #check(client: pg.PoolClient, { identity, order: { intent, signature } }: Place): Promise<void> {
    const find = async (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
    const { key_id, nonce, account_id, method, path, idempotency_key } = identity
    await find('n', 'SELECT FROM trading.request_nonce WHERE key_id = $1 AND nonce = $2', [key_id, nonce])
    await find(
      'a',
      'SELECT * FROM trading.idempotent_answer WHERE account_id = $1 AND idempotency_key = $2 AND method = $3 AND path = $4',
      [account_id, idempotency_key, method, path],
    )
    await find('o', 'SELECT FROM trading.order_nonce WHERE account_id = $1 AND signer = $2 AND nonce = $3', [
      account_id,
      signature.signer,
      signature.order_nonce,
    ])
    await find('c', 'SELECT FROM trading.orders WHERE account_id = $1 AND client_order_id = $2', [
      account_id,
      intent.client_order_id,
    ])
    const balance = 'SELECT * FROM trading.balance WHERE account_id = $1 AND asset_id = $2 FOR UPDATE'
    await find('b', balance, [account_id, intent.settlement_asset_id])
    const position = 'SELECT * FROM trading.position WHERE account_id = $1 AND outcome_id = $2 FOR UPDATE'
    await find('p', position, [account_id, intent.outcome_id])
  }

  async #insert(client: pg.PoolClient, table: string, rows: readonly object[]): Promise<void> {
    const columns = this.#columns.get(table)!
    const places = rows.map((_, n) => `(${columns.map((_, k) => `$${n * columns.length + k + 1}`).join(', ')})`)
    const names = columns.map(({ column_name }) => column_name).join(', ')
    const text = `INSERT INTO trading.${table} (${names}) VALUES ${places.join(', ')}`
    await client.query({ name: `i${table}${rows.length}`, text, values: rows.flatMap((row) => valuesOf(columns, row)) })
  }

  async #update(client: pg.PoolClient, table: string, key: readonly string[], row: object): Promise<void> {
    const columns = this.#columns.get(table)!.filter(({ column_name }) => !key.includes(column_name))
    const set = columns.map(({ column_name }, k) => `${column_name} = $${k + 1}`)
    const where = key.map((name, k) => `${name} = $${columns.length + k + 1}`)
    const text = `UPDATE trading.${table} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`
    const values = [...valuesOf(columns, row), ...key.map((name) => (row as Record<string, unknown>)[name])]
    await client.query({ name: `u${table}`, text, values })
  }
}

function valuesOf(columns: readonly Column[], row: object): unknown[] {
  return columns.map(({ column_name, is_instant }) => {
    const value = (row as Record<string, unknown>)[column_name]
    if (value === null || value === undefined) return null
    if (is_instant) return formatMicros(value as Micros)
    return typeof value === 'object' ? JSON.stringify(value) : value
  })
}

/** Returns the total number of rows over all tables. */
export function countRows(rows: ChangedRows): number {
  const tables = Object.keys(rows) as (WrittenTable | 'engine_event')[]
  return tables.reduce((sum, table) => sum + rows[table].length, 0)
}
