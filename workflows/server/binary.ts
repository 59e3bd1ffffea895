import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Version that is downloaded or built. */
export const TEMPORAL_CLI_VERSION = '1.5.1'

/** A `temporal` program, whose `server start-dev` runs a whole Temporal server. */
export type ServerBinary = {
  readonly path: string
  readonly source: 'TEMPORAL_CLI_PATH' | 'PATH' | 'cache' | 'download' | 'build'
  /** Its version text, such as `1.5.1 (Server 1.29.1, UI 2.42.1)`. */
  readonly version: string
}

/** Places to search for a binary. */
export type BinaryPlaces = {
  /** Configured path, which takes precedence; null: none. */
  readonly cli_path: string | null
  /** The environment's PATH. */
  readonly path: string
  /** Folder of downloads and derived files. */
  readonly cache: string
}

const run = promisify(execFile)
const VERSION_MS = 10_000

/** Returns the path of the project's own downloaded or built binary. */
export function cachedBinaryPath(cache: string): string {
  return join(cache, 'temporal', `temporal-${TEMPORAL_CLI_VERSION}`)
}

/** Returns a program's version; null if it is not `temporal`, cannot be run or does not exist. */
export async function binaryVersion(path: string): Promise<string | null> {
  try {
    const { stdout } = await run(path, ['--version'], { timeout: VERSION_MS })
    return /^temporal version (.+)$/m.exec(stdout)?.[1]?.trim() ?? null
  } catch {
    return null
  }
}

/** Returns true if a file is executable. */
export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
