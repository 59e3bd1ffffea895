import { waitFor } from '../../operations/live/wait-for.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { awaitServing, isServing } from '../../workflows/server/await-serving.ts'
import { ensureServerBinary } from '../../workflows/server/ensure-binary.ts'
import { untilSpace } from '../../workflows/server/server-disk.ts'
import { readServerFile, type ServerAddress, serverFolder } from '../../workflows/server/server-file.ts'
import { startDevServer } from '../../workflows/server/start-dev-server.ts'
import type { Environment, Settings } from '../configuration.ts'
import { connectionSecurity } from './connection-security.ts'

/** A Temporal server to work with. */
export type OpenedTemporal = ServerAddress & {
  /** Whether it is of this process: then its schedules are this process's to make. */
  readonly is_own: boolean
  /** Ends it where this process started it. */
  close(): Promise<void>
}

export type OpenTemporalOptions = {
  readonly settings: Settings
  readonly environment: Environment
  readonly on_step: (step: string) => void
  readonly on_problem: (error: unknown) => void
  readonly signal: AbortSignal
}

/** Timeout for a configured server to answer. */
const NAMED_MS = 10_000
/** Least time between two starts on a disk that was full. */
const DISK_LOOK_MS = 5_000

/**
 * The Temporal server of the settings: the one that TEMPORAL_ADDRESS names, the one that another process of this home runs, or
 * one that is started now, which may take minutes the first time.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: none can be had, or the named one does not answer
 */
export async function openTemporal(options: OpenTemporalOptions): Promise<OpenedTemporal> {
  const running = await findTemporal(options.settings, options.signal)
  if (running !== null) return { ...running, close: async () => undefined }
  const { settings, environment, on_problem } = options
  const { path } = await ensureServerBinary({ ...binaryPlaces(settings, environment), ...options })
  const folder = serverFolder(settings.home)
  const server = await startDevServer({ binary: path, folder, namespace: settings.temporal_namespace, on_problem })
  return { ...server, is_own: true }
}

/**
 * The server that runs already: named by TEMPORAL_ADDRESS, or of another process of this home. null where there is none.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: the named one does not answer; what connectionSecurity throws
 */
async function findTemporal(
  settings: Settings,
  signal: AbortSignal,
): Promise<(ServerAddress & { readonly is_own: boolean }) | null> {
  const { temporal_address: address, temporal_namespace: namespace, home } = settings
  const beside = await readServerFile(serverFolder(home))
  if (address !== '') {
    // Processes of a home are told their server's address, which is of this machine: the security of others is not for it.
    const security = address === beside?.address ? null : connectionSecurity(settings)
    const server = { address, ui_url: null, namespace, ...(security !== null && { security }) }
    await awaitServing(server, NAMED_MS, signal)
    return { ...server, is_own: true }
  }
  return beside !== null && (await isServing(beside)) ? { ...beside, is_own: false } : null
}

/**
 * The server that runs already.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is none
 */
export async function requireTemporal(settings: Settings, signal: AbortSignal): Promise<ServerAddress> {
  const found = await findTemporal(settings, signal)
  if (found !== null) return found
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    `no Temporal server runs for ${settings.home}; allowed: TEMPORAL_ADDRESS, or a \`tidemark up\` or \`tidemark worker\` of this home`,
    { home: settings.home },
  )
}

/** Returns the places to look for a `temporal` program. */
export function binaryPlaces({ temporal_cli_path, cache }: Settings, environment: Environment) {
  return {
    cli_path: temporal_cli_path === '' ? null : temporal_cli_path,
    path: environment.PATH ?? '',
    cache,
  }
}

/** Waits until the disk of the server's folder has space, or until the signal. */
export async function untilDiskHasSpace({ settings, signal, on_problem }: OpenTemporalOptions): Promise<void> {
  await waitFor(DISK_LOOK_MS, signal)
  await untilSpace(serverFolder(settings.home), signal, on_problem)
}

/** Returns the note that no server is available and the in-process scheduler does the work. */
export function withoutTemporal(error: unknown): string {
  const reason = isServiceError(error) || error instanceof Error ? error.message : String(error)
  return `${reason}; using the scheduler of this process instead`
}
