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

type Place = Pick<Settings, 'database_url' | 'home'>
/** How the pool is read. */
export type Reading = Pick<StartOptions, 'by_index'>

/** Folder of the embedded database below a home. */
export function databaseFolder(home: string): string {
  return join(home, 'postgres')
}

/**
 * The trading database of the settings: DATABASE_URL, else the embedded one of the home, which is joined where it runs and started
 * where it does not.
 * @throws {ServiceError} SERVICE_UNAVAILABLE
 */
export function openDatabase({ database_url, home }: Place, reading: Reading = {}): Promise<StartedPostgres> {
  return startPostgres({ database_url, folder: databaseFolder(home), ...reading })
}

/**
 * Where the trading database is, or will be once it is started.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: no Postgres is installed
 */
export function databaseUrl({ database_url, home }: Place): string {
  return database_url === ''
    ? embeddedUrl(serverPaths(resolve(databaseFolder(home))).socket_folder, DATABASE)
    : database_url
}

/** Where the trading database of the settings is; null: none is named, and no engine has made one below the home. */
export function knownDatabase(settings: Place): string | null {
  const { database_url, home } = settings
  if (database_url !== '') return database_url
  return existsSync(databaseFolder(home)) ? databaseUrl(settings) : null
}
