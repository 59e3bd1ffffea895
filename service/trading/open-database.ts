import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { serverPaths } from '../../trading/store/postgres/server-paths.ts'
import {
  DATABASE,
  embeddedUrl,
  type StartedPostgres,
  type StartOptions,
  startPostgres,
} from '../../trading/store/start-postgres.ts'
import type { Settings } from '../configuration.ts'
import { homeError, openHome } from '../usable-home.ts'

type Place = Pick<Settings, 'database_url' | 'home'>
/** Read mode of the pool, and whether the schema is left as it is found. */
export type Reading = Pick<StartOptions, 'by_index' | 'without_migration'>

/** Returns the folder of the embedded database in a home. */
export function databaseFolder(home: string): string {
  return join(home, 'postgres')
}

/**
 * Opens the trading database: DATABASE_URL, else the embedded one of the home, which is started unless it runs.
 * @throws {ServiceError} SERVICE_UNAVAILABLE; VALIDATION_USAGE_INVALID: the home cannot be written;
 *   WAREHOUSE_STORE_FULL: its disk is full
 */
export async function openDatabase({ database_url, home }: Place, reading: Reading = {}): Promise<StartedPostgres> {
  const start = () => startPostgres({ database_url, folder: databaseFolder(home), ...reading })
  if (database_url !== '') return start()
  await openHome(home, async () => undefined)
  return start().catch((error: unknown) => Promise.reject(homeError(error, home)))
}

/**
 * Returns the address of the trading database, also before it is started.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: no Postgres is installed
 */
export function databaseUrl({ database_url, home }: Place): string {
  return database_url === ''
    ? embeddedUrl(serverPaths(resolve(databaseFolder(home))).socket_folder, DATABASE)
    : database_url
}

/** Returns the address of the trading database; null if none is configured and the home has no embedded one. */
export function knownDatabase(settings: Place): string | null {
  const { database_url, home } = settings
  if (database_url !== '') return database_url
  return existsSync(databaseFolder(home)) ? databaseUrl(settings) : null
}
