import { readFileSync } from 'node:fs'
import type { Pool } from '../../../trading/store/create-pool.ts'

const SQL = readFileSync(new URL('./fact_hash.sql', import.meta.url), 'utf8')

/** Numbers of orders and fills, each with a hash over every column of every row in a fixed order. */
export type FactHash = {
  readonly orders: number
  readonly fills: number
  readonly order_hash: string
  readonly fill_hash: string
}

/**
 * Hashes all order and fill rows. Settlement changes none (O11): before and after it the hashes are equal, unless an order, cancel
 * or adjustment was made in between.
 */
export async function factHash(pool: Pool): Promise<FactHash> {
  const { rows } = await pool.query<FactHash>(SQL)
  return rows[0]!
}
