import { ServiceError } from '../../primitives/errors.ts'
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
