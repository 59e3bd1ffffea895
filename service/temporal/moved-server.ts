import { waitFor } from '../../operations/live/wait-for.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { isUnknown } from '../../workflows/client/start-or-join.ts'
import { readServerFile, type ServerAddress, serverFolder } from '../../workflows/server/server-file.ts'
import type { Settings } from '../configuration.ts'

/**
 * Checks that the Temporal server of a home is still the one that a command works with. A `tidemark up` that was killed and started
 * again has a server at another address, for which a command would wait for ever.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: another one runs for this home
 */
export async function requireUnmoved({ home, temporal_address }: Settings, { address }: ServerAddress): Promise<void> {
  if (temporal_address !== '') return
  const now = await readServerFile(serverFolder(home))
  if (now === null || now.address === address) return
  const text = `the Temporal server at ${address} ended, and ${home} has another one at ${now.address}; allowed: the same command again, which goes on where this one ended`
  throw new ServiceError('SERVICE_UNAVAILABLE', text, { address: now.address })
}

/** Time between two looks at the server of the home. */
const LOOK_MS = 2_000

/**
 * Waits for the result of a workflow as long as the server that runs it is there.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: another one runs for this home, or it has lost the workflow; errors of the result
 */
export async function whileUnmoved<T>(
  { workflow_id, result }: { readonly workflow_id: string; result(): Promise<T> },
  settings: Settings,
  server: ServerAddress,
): Promise<T> {
  const ended = new AbortController()
  try {
    return await Promise.race([result(), lossOf(settings, server, ended.signal)])
  } catch (error) {
    if (!isUnknown(error)) throw error
    const text = `the Temporal server at ${server.address} does not know ${workflow_id} any more; allowed: the same command again`
    throw new ServiceError('SERVICE_UNAVAILABLE', text, { address: server.address }, error)
  } finally {
    ended.abort()
  }
}

/** Rejects once another server runs for the home. */
async function lossOf(settings: Settings, server: ServerAddress, ended: AbortSignal): Promise<never> {
  while (!ended.aborted) {
    await requireUnmoved(settings, server)
    await waitFor(LOOK_MS, ended)
  }
  return new Promise(() => undefined)
}
