import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool, type Pool } from '../../trading/store/create-pool.ts'
import { type StartedPostgres, startPostgres } from '../../trading/store/start-postgres.ts'

/** Runs work with an embedded Postgres as the product starts it (commits reach the disk), then stops and removes it. */
export async function withTradingDatabase<T>(work: (started: StartedPostgres) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const started = await startPostgres({ folder: join(home, 'postgres'), onError: () => undefined })
  try {
    return await work(started)
  } finally {
    await started.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Runs work with a separate copy of the seeded database. */
export type FreshDatabase = <T>(work: (database: { url: string; pool: Pool }) => Promise<T>) => Promise<T>

/** Like `withTradingDatabase`, for contestants that must each begin with the same tables. */
export function withSeededDatabases<T>(
  seed: (pool: Pool) => Promise<void>,
  work: (fresh: FreshDatabase) => Promise<T>,
): Promise<T> {
  return withTradingDatabase(async ({ url: seeded, pool: seeding }) => {
    const urlOf = (database: string) => seeded.replace('/tidemark?', `/${database}?`)
    await seed(seeding)
    await seeding.query('ANALYZE')
    // Postgres copies a database only while nobody is connected to it.
    await seeding.end()
    const admin = createPool({ url: urlOf('postgres'), size: 1 })
    let made = 0
    const fresh: FreshDatabase = async (measured) => {
      made += 1
      await admin.query(`CREATE DATABASE bench_${made} TEMPLATE tidemark`)
      const url = urlOf(`bench_${made}`)
      const pool = createPool({ url, onError: () => undefined })
      return measured({ url, pool }).finally(() => pool.end())
    }
    return work(fresh).finally(() => admin.end())
  })
}
