import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NAMED_DATABASE } from '../../operations/backup/home-files.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { isEmbeddedUrl } from '../../trading/store/start-postgres.ts'
import type { Settings } from '../configuration.ts'

type Place = Pick<Settings, 'database_url' | 'home'>

/** Records in the home that its services use DATABASE_URL, without the address. A home that cannot be written stays as it is. */
export function recordNamed({ database_url, home }: Place): void {
  if (database_url === '' || isEmbeddedUrl(database_url)) return
  try {
    writeFileSync(join(home, NAMED_DATABASE), '{"format":1,"database":"DATABASE_URL"}\n', { flag: 'wx' })
  } catch {
    // Recorded before, or an API without a home of its own.
  }
}

/**
 * Refuses a home whose services use DATABASE_URL where it is not set: the embedded database there is another one, or none.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function refuseUnnamed({ database_url, home }: Place): void {
  const file = join(home, NAMED_DATABASE)
  if (database_url !== '' || !existsSync(file)) return
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `DATABASE_URL is not set, and has the trading database of the services of ${home}; allowed: DATABASE_URL as they have it, or delete ${file} to use an embedded database from now on`,
    { home },
  )
}
