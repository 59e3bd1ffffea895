import { readFile } from 'node:fs/promises'
import { ServiceError } from '../../primitives/errors.ts'
import type { ServerAddress } from './server-file.ts'

/** Options of the SDK's connections, for clients and workers. */
export type ConnectionOptions = {
  readonly address: string
  readonly tls?: {
    readonly serverNameOverride?: string
    readonly serverRootCACertificate?: Buffer
    readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer }
  }
  readonly apiKey?: string
}

/**
 * Returns the connection options of a server.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: a TLS file cannot be read
 */
export async function connectionOptions({ address, security }: ServerAddress): Promise<ConnectionOptions> {
  if (security === undefined) return { address }
  const { server_ca_path, server_name, client, api_key } = security
  return {
    address,
    tls: {
      ...(server_name !== null && { serverNameOverride: server_name }),
      ...(server_ca_path !== null && { serverRootCACertificate: await read(server_ca_path) }),
      ...(client !== null && {
        clientCertPair: { crt: await read(client.cert_path), key: await read(client.key_path) },
      }),
    },
    ...(api_key !== null && { apiKey: api_key }),
  }
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const text = `the TLS file of Temporal is ${file}, which cannot be read; allowed: a PEM file`
    throw new ServiceError('VALIDATION_USAGE_INVALID', text, { value: file }, error)
  }
}
