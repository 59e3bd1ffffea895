import { join } from 'node:path'
import { startPostgres } from '../../../trading/store/start-postgres.ts'
import { onceInRun } from './once-in-run.ts'

/** The Postgres of a test run: its database `tidemark` has the newest schema and is the template of every test's. */
export type RunPostgres = { readonly url: string; readonly server_pid: number }

export const POSTGRES = 'postgres'

/** Tests end processes, never the machine: what the system has buffered survives, and nothing waits for the disk. */
export const FAST = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB', autovacuum: 'off' }

/** Starts the run's Postgres in the first file that asks; global-setup.ts ends it. */
export function runPostgres(): Promise<RunPostgres> {
  return onceInRun(POSTGRES, async (folder) => {
    const settings = { ...FAST, max_connections: '300' }
    const { url, pool, server_pid } = await startPostgres({ folder: join(folder, 'data'), settings })
    // A database is copied only while nobody is connected to it.
    await pool.end()
    return { url, server_pid: server_pid! }
  })
}
