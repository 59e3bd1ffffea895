import { once } from 'node:events'
import { createServer } from 'node:net'
import { addressRefused } from '../../api/address-refused.ts'

/**
 * Refuses a port that cannot be listened at before anything is started or deleted for it.
 * @param port 0: any
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export async function requirePort(host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (error) {
    throw addressRefused({ name: 'port', host, port }, error as Error)
  }
  server.close()
  await once(server, 'close')
}
