import { ServiceError } from '../../primitives/errors.ts'
import { type BinaryPlaces, binaryVersion, type ServerBinary } from './binary.ts'
import { buildServerBinary, hasGo } from './build-binary.ts'
import { downloadServerBinary } from './download-binary.ts'
import { findServerBinary } from './find-binary.ts'

export type EnsureOptions = BinaryPlaces & {
  readonly on_step: (step: string) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns a `temporal` program: an existing one, else the SDK's download, else a build with Go. The last two take time once; the
 * result is cached.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: none available; VALIDATION_USAGE_INVALID: TEMPORAL_CLI_PATH is not one
 */
export async function ensureServerBinary(options: EnsureOptions): Promise<ServerBinary> {
  const { cache, on_step } = options
  const found = await findServerBinary(options)
  if (found !== null) return found
  const downloaded = await downloadServerBinary(cache, on_step)
  if (downloaded !== null) return described(downloaded, 'download')
  if (await hasGo()) return described(await buildServerBinary(options), 'build')
  throw new ServiceError('SERVICE_UNAVAILABLE', NO_SERVER)
}

const NO_SERVER =
  'there is no Temporal server: no `temporal` program on PATH, nothing can be downloaded and Go is not installed; allowed: TEMPORAL_ADDRESS, TEMPORAL_CLI_PATH, or one of these'

async function described(path: string, source: ServerBinary['source']): Promise<ServerBinary> {
  const version = await binaryVersion(path)
  if (version !== null) return { path, source, version }
  throw new ServiceError('SERVICE_UNAVAILABLE', `the Temporal server in ${path} cannot be run here`, { path })
}
