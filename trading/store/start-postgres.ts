import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { createPool, type Pool } from './create-pool.ts'
import { migrate } from './migrate.ts'
import { DATABASE_USER, startServer } from './postgres/embedded-server.ts'
import { existingData, serverPaths } from './postgres/server-paths.ts'

export type StartOptions = {
  /** URL of a running Postgres; '' or left out: an embedded server in `folder`. */
  readonly database_url?: string
  /** Data folder of the embedded server, created if missing. */
  readonly folder: string
  /** Postgres settings of the embedded server that override ours. */
  readonly settings?: Readonly<Record<string, string>>
  readonly pool_size?: number
  /** Set for reads of few rows from large tables, found by index. */
  readonly by_index?: boolean
  readonly onError?: (error: Error) => void
  /** Leaves the schema as it is found; for backups and checks before an upgrade. */
  readonly without_migration?: boolean
  /** Refuses a folder without data in place of making a new database; for reads and backups. */
  readonly only_existing?: boolean
}

export type StartedPostgres = {
  /** URL for further pools and other processes, psql included. */
  readonly url: string
  readonly pool: Pool
  /** Process id of the embedded server; null: not ours. */
  readonly server_pid: number | null
  /** Closes the pool and stops the embedded server, unless another process of ours uses it. */
  stop(): Promise<void>
}

/** Name of the database in an embedded server. */
export const DATABASE = 'tidemark'

const ANSWER_MS = 60_000
const LOOK_MS = 20

/**
 * Opens the trading database, migrated to the newest schema: at `database_url`, or in an embedded server.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: the server did not start or cannot be reached, or there is no data with
 *   `only_existing`; VALIDATION_USAGE_INVALID: another user owns the data
 */
export async function startPostgres(options: StartOptions): Promise<StartedPostgres> {
  const embedded = options.database_url ? null : await startEmbedded(options)
  const url = embedded?.url ?? options.database_url!
  const { pool_size, by_index = false, onError } = options
  const pool = createPool({
    url,
    by_index,
    ...(pool_size === undefined ? {} : { size: pool_size }),
    ...(onError === undefined ? {} : { onError }),
  })
  const stop = async () => {
    if (!pool.ended) await pool.end()
    await embedded?.stop()
  }
  try {
    if (options.without_migration !== true) await migrate(pool)
    else await pool.query('SELECT')
  } catch (error) {
    await stop()
    throw isServiceError(error) ? error : unreachable(error)
  }
  return { url, pool, server_pid: embedded?.pid ?? null, stop }
}

/** Builds the error without the URL, which may hold a password. */
function unreachable(error: unknown): ServiceError {
  const { code = 'no code', message } = error as Error & { code?: string }
  return new ServiceError('SERVICE_UNAVAILABLE', `the trading database cannot be used: ${message} (${code})`, {}, error)
}

function absent(folder: string): ServiceError {
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    `${folder} has no trading database; allowed: the home of a service that has one, or DATABASE_URL as the service has it`,
    { folder },
  )
}

/** Starts or joins the server, again if it does not answer: one being killed looks ready until it is gone. */
async function startEmbedded({ folder, settings, only_existing }: StartOptions) {
  if (only_existing === true && existingData(resolve(folder)) === null) throw absent(folder)
  const paths = serverPaths(resolve(folder))
  const end = Date.now() + ANSWER_MS
  for (;;) {
    const server = await startServer(paths, settings)
    try {
      await ensureDatabase(embeddedUrl(paths.socket_folder, 'postgres'))
      return { ...server, url: embeddedUrl(paths.socket_folder, DATABASE) }
    } catch (error) {
      if (isAnswer(error) || Date.now() > end) throw unreachable(error)
      await sleep(LOOK_MS)
    }
  }
}

/** Returns whether an error is an answer of a server that accepts connections, not of one starting, stopping or lost. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !error.code?.startsWith('57P')
}

/** Returns the URL of a database of an embedded server, reached through its socket. */
export function embeddedUrl(socket_folder: string, database: string): string {
  return `postgresql://${DATABASE_USER}@/${database}?host=${encodeURIComponent(socket_folder)}`
}

/** Returns whether a URL is that of an embedded server, as `tidemark up` passes it to its processes. */
export function isEmbeddedUrl(url: string): boolean {
  return url.startsWith(embeddedUrl('', DATABASE))
}

async function ensureDatabase(url: string): Promise<void> {
  const pool = createPool({ url, size: 1 })
  try {
    const { rowCount } = await pool.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (rowCount === 0) await pool.query(`CREATE DATABASE ${DATABASE}`).catch(ignoreExisting)
  } finally {
    await pool.end()
  }
}

/** Ignores "already exists": another process starting at the same time may have created it. */
function ignoreExisting(error: Error & { code?: string }): void {
  if (error.code !== '42P04') throw error
}
