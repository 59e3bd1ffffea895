import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Returns a free port of an address. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
