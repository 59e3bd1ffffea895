import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createPool, type Pool } from '../../../trading/store/create-pool.ts'
import { embeddedUrl, type StartedPostgres, startPostgres } from '../../../trading/store/start-postgres.ts'

/** A database of one test: migrated, empty, dropped with its server after the last test of the file. */
export type TestDatabase = { readonly url: string; readonly pool: Pool }

/** Tests end processes, never the machine: what the system has buffered survives, and nothing waits for the disk. */
export const FAST = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB', autovacuum: 'off' }

type Server = { readonly started: StartedPostgres; readonly admin: Pool; readonly folder: string }
let server: Promise<Server> | null = null
let databases = 0
const pools: Pool[] = []

/**
 * Call it at the top of a test file: the file gets an embedded Postgres of its own, and each call of what it gives a fresh database
 * with the newest schema.
 */
export function withDatabase(): () => Promise<TestDatabase> {
  afterAll(stopServer)
  return freshDatabase
}

async function freshDatabase(): Promise<TestDatabase> {
  server ??= startTestServer()
  const { admin, started } = await server
  databases += 1
  const name = `test_${databases}`
  await admin.query(`CREATE DATABASE ${name} TEMPLATE tidemark STRATEGY file_copy`)
  const url = embeddedUrl(socketFolderOf(started.url), name)
  const pool = createPool({ url, name: 'test', onError: () => undefined })
  pools.push(pool)
  return { url, pool }
}

async function startTestServer(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-pg-'))
  const started = await startPostgres({ folder: join(folder, 'data'), settings: FAST })
  // A database is copied only while nobody is connected to it.
  await started.pool.end()
  const admin = createPool({ url: embeddedUrl(socketFolderOf(started.url), 'postgres'), size: 1 })
  return { started, admin, folder }
}

/** Folder of the socket that a URL of an embedded server names. */
export function socketFolderOf(url: string): string {
  return decodeURIComponent(new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('host')!)
}

async function stopServer(): Promise<void> {
  const { started, admin, folder } = (await server) ?? {}
  server = null
  await Promise.all(pools.splice(0).map((pool) => pool.end()))
  if (started === undefined || admin === undefined || folder === undefined) return
  await admin.end()
  await started.stop()
  rmSync(folder, { recursive: true, force: true })
}
