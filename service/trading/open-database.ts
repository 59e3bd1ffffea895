import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { existingData, serverPaths } from '../../trading/store/postgres/server-paths.ts'
import {
  DATABASE,
  embeddedUrl,
  type StartedPostgres,
  type StartOptions,
  startPostgres,
} from '../../trading/store/start-postgres.ts'
import type { Settings } from '../configuration.ts'
import { homeError, openHome } from '../usable-home.ts'
import { refuseUnnamed } from './named-database.ts'

type Place = Pick<Settings, 'database_url' | 'home'>
/** Read mode of the pool, and whether the schema is left as it is found and a missing database is refused. */
export type Reading = Pick<StartOptions, 'by_index' | 'without_migration' | 'only_existing'>

/** Returns the folder of the embedded database in a home. */
export function databaseFolder(home: string): string {
  return join(home, 'postgres')
}

/**
 * Opens the trading database: DATABASE_URL, else the embedded one of the home, which is started unless it runs.
 * @throws {ServiceError} SERVICE_UNAVAILABLE; VALIDATION_USAGE_INVALID: the home cannot be written, or its services use another
 *   database; WAREHOUSE_STORE_FULL: its disk is full
 */
export async function openDatabase(place: Place, reading: Reading = {}): Promise<StartedPostgres> {
  const { database_url, home } = place
  refuseUnnamed(place)
  const start = () => startPostgres({ database_url, folder: databaseFolder(home), ...reading })
  if (database_url !== '') return start()
  if (reading.only_existing !== true) await openHome(home, async () => undefined)
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

/**
 * Returns the address of the trading database; null if none is configured and the home has no embedded one.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: another user owns it, or the services of the home use another one
 */
export function knownDatabase(settings: Place): string | null {
  const { database_url, home } = settings
  refuseUnnamed(settings)
  if (database_url !== '') return database_url
  const folder = databaseFolder(home)
  // An engine that has just begun has an empty folder.
  return existsSync(folder) || hasDatabase(settings) ? databaseUrl(settings) : null
}

/** Returns whether there is a trading database to read: at DATABASE_URL, or an embedded one with data. */
export function hasDatabase({ database_url, home }: Place): boolean {
  return database_url !== '' || existingData(resolve(databaseFolder(home))) !== null
}
