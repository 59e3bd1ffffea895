import { delimiter, join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { type BinaryPlaces, binaryVersion, cachedBinaryPath, isExecutable, type ServerBinary } from './binary.ts'

/**
 * Finds a `temporal` program: the configured one, the first on PATH, or the project's own from an earlier download or build;
 * null if there is none.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: TEMPORAL_CLI_PATH is not a `temporal` program
 */
export async function findServerBinary({ cli_path, path, cache }: BinaryPlaces): Promise<ServerBinary | null> {
  if (cli_path !== null) return namedBinary(cli_path)
  for (const folder of path.split(delimiter).filter((name) => name !== '')) {
    const found = await usable(join(folder, 'temporal'), 'PATH')
    if (found !== null) return found
  }
  return usable(cachedBinaryPath(cache), 'cache')
}

async function namedBinary(path: string): Promise<ServerBinary> {
  const found = await usable(path, 'TEMPORAL_CLI_PATH')
  if (found !== null) return found
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `TEMPORAL_CLI_PATH is ${path}; allowed: the path of a \`temporal\` program, or none`,
    { field: 'TEMPORAL_CLI_PATH', value: path },
  )
}

/** Skips other programs of the same name. */
async function usable(path: string, source: ServerBinary['source']): Promise<ServerBinary | null> {
  if (!(await isExecutable(path))) return null
  const version = await binaryVersion(path)
  return version === null ? null : { path, source, version }
}
