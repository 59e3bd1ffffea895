import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from '../../trading/store/create-pool.ts'
import { startPostgres } from '../../trading/store/start-postgres.ts'
import { endedWith } from './ended-with.ts'

/**
 * Carries out `work` with a Postgres of its own, which is stopped and removed however the work ends.
 * @param work gets an empty folder too, removed with the database
 */
export async function withDatabase<T>(work: (pool: Pool, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-lane-'))
  const starting = startPostgres({ folder: join(folder, 'postgres') })
  const close = async () => {
    await starting.then((postgres) => postgres.stop())
    rmSync(folder, { recursive: true, force: true })
  }
  return await endedWith(close, async () => work((await starting).pool, folder))
}
