import type { Pool } from './create-pool.ts'
import { readSql } from './read-sql.ts'

/** What was ordered and matched: counts, and a hash over every column of every row in a fixed order. */
export type FactHash = {
  readonly orders: number
  readonly fills: number
  readonly order_hash: string
  readonly fill_hash: string
}

/**
 * The hash over all order and fill rows. Settlement never changes one (O11): taken before and after, with no order, cancel or
 * adjustment between, it is the same.
 */
export async function factHash(pool: Pool): Promise<FactHash> {
  const { rows } = await pool.query<FactHash>(readSql('fact_hash'))
  return rows[0]!
}
