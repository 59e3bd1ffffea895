import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The version that a download or a build gives. */
export const TEMPORAL_CLI_VERSION = '1.5.1'

/** A `temporal` program, whose `server start-dev` is a whole Temporal server. */
export type ServerBinary = {
  readonly path: string
  readonly source: 'TEMPORAL_CLI_PATH' | 'PATH' | 'cache' | 'download' | 'build'
  /** What it says of itself, such as `1.5.1 (Server 1.29.1, UI 2.42.1)`. */
  readonly version: string
}

/** Where a binary may be. */
export type BinaryPlaces = {
  /** Named by a person; wins. null = nothing named. */
  readonly cli_path: string | null
  /** The environment's PATH. */
  readonly path: string
  /** Folder of downloads and derived files. */
  readonly cache: string
}

const run = promisify(execFile)
const VERSION_MS = 10_000

/** Where the project keeps a binary that it made or fetched. */
export function cachedBinaryPath(cache: string): string {
  return join(cache, 'temporal', `temporal-${TEMPORAL_CLI_VERSION}`)
}

/** What a program says of its version; null where it is no `temporal`, cannot be run, or is not there. */
export async function binaryVersion(path: string): Promise<string | null> {
  try {
    const { stdout } = await run(path, ['--version'], { timeout: VERSION_MS })
    return /^temporal version (.+)$/m.exec(stdout)?.[1]?.trim() ?? null
  } catch {
    return null
  }
}

/** Whether a file can be run. */
export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
