import { randomBytes } from 'node:crypto'
import { afterAll } from 'vitest'
import { createPool, type Pool } from '../../../trading/store/create-pool.ts'
import { embeddedUrl } from '../../../trading/store/start-postgres.ts'
import { runPostgres } from '../run/run-postgres.ts'

export { FAST } from '../run/run-postgres.ts'

/** A database of one test: migrated, empty, dropped after the last test of the file. */
export type TestDatabase = { readonly url: string; readonly pool: Pool }

/**
 * Call it at the top of a test file: each call of what it gives makes a fresh database with the newest schema, in the Postgres that
 * all files of a run share.
 */
export function withDatabase(): () => Promise<TestDatabase> {
  const pools = new Map<string, Pool>()
  let admin: Pool | null = null
  afterAll(async () => {
    await Promise.all([...pools.values()].map((pool) => pool.end()))
    for (const name of pools.keys()) await admin?.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin?.end()
  })
  return async () => {
    const folder = socketFolderOf((await runPostgres()).url)
    admin ??= createPool({ url: embeddedUrl(folder, 'postgres'), size: 1 })
    const name = `test_${randomBytes(8).toString('hex')}`
    await admin.query(`CREATE DATABASE ${name} TEMPLATE tidemark STRATEGY file_copy`)
    const url = embeddedUrl(folder, name)
    const pool = createPool({ url, name: 'test', onError: () => undefined })
    pools.set(name, pool)
    return { url, pool }
  }
}

/** Folder of the socket that a URL of an embedded server names. */
export function socketFolderOf(url: string): string {
  return decodeURIComponent(new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('host')!)
}
