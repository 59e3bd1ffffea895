import type { Pool } from '../../../trading/store/create-pool.ts'

/**
 * Runs some work while nobody else can read a table of the trading schema: what reads it is under way until then, however fast the
 * machine is.
 */
export async function whileHeld<T>(pool: Pool, table: string, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(`LOCK TABLE trading.${table} IN ACCESS EXCLUSIVE MODE`)
    return await work()
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}
