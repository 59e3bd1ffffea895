import type { Client, Connection } from '@temporalio/client'
import { connectionOptions } from '../server/connection-options.ts'
import { serverAway } from '../server/server-away.ts'
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
  const { namespace } = server
  const options = await connectionOptions(server)
  let connection: Connection
  try {
    connection = await Connection.connect({ ...options, connectTimeout: CONNECT_MS })
  } catch (error) {
    throw serverAway(server, error)
  }
  return { client: new Client({ connection, namespace }), server, close: () => connection.close() }
}
