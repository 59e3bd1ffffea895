import type { Client, Connection } from '@temporalio/client'
import { ServiceError } from '../../primitives/errors.ts'
import { HOW_TO_SERVE } from '../server/await-serving.ts'
import { connectionOptions } from '../server/connection-options.ts'
import type { ServerAddress } from '../server/server-file.ts'

/** Client of a Temporal server; its opener must close it. */
export type TemporalClient = {
  readonly client: Client
  readonly server: ServerAddress
  close(): Promise<void>
}

const CONNECT_MS = 5_000

/**
 * Connects to a running server.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: no answer; VALIDATION_USAGE_INVALID: a TLS file cannot be read
 */
export async function connectTemporal(server: ServerAddress): Promise<TemporalClient> {
  const { Client, Connection } = await import('@temporalio/client')
  const { address, namespace } = server
  const options = await connectionOptions(server)
  let connection: Connection
  try {
    connection = await Connection.connect({ ...options, connectTimeout: CONNECT_MS })
  } catch (error) {
    const text = `Temporal does not answer at ${address}; ${HOW_TO_SERVE}`
    throw new ServiceError('SERVICE_UNAVAILABLE', text, { address }, error)
  }
  return { client: new Client({ connection, namespace }), server, close: () => connection.close() }
}
