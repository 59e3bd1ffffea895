import { createPool, type Pool } from '../../trading/store/create-pool.ts'
import { withTradingDatabase } from './trading-database.ts'

/** Runs work with the URL of a separate copy of the seeded database. */
export type Copies = <T>(work: (url: string) => Promise<T>) => Promise<T>

/** Makes copies of one seeded database, so that each contestant begins with the same tables. */
export function withSeededCopies<S, T>(
  seed: (pool: Pool) => Promise<S>,
  work: (copies: Copies, seeded: S) => Promise<T>,
): Promise<T> {
  return withTradingDatabase(async ({ url, pool }) => {
    const seeded = await seed(pool)
    // Postgres copies a database only while nobody is connected to it.
    await pool.end()
    const urlOf = (database: string): string => url.replace('/tidemark?', `/${database}?`)
    const admin = createPool({ url: urlOf('postgres'), size: 1 })
    let made = 0
    const copies: Copies = async (measured) => {
      made += 1
      await admin.query(`CREATE DATABASE copy_${made} TEMPLATE tidemark`)
      return measured(urlOf(`copy_${made}`))
    }
    return work(copies, seeded).finally(() => admin.end())
  })
}
