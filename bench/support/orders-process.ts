import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { OrdersServer } from './orders-server.ts'

export const SEALING = '5e'.repeat(32)
const LAUNCH = fileURLToPath(new URL('../../test/support/launch-child.mjs', import.meta.url))
const SERVER = fileURLToPath(new URL('./orders-server.ts', import.meta.url))

/** Runs `work` against an orders server in a process of its own; `work` gets the address and the process id. */
export async function withOrdersServer<T>(
  asked: Omit<OrdersServer, 'sealing'>,
  work: (base_url: string, pid: number) => Promise<T>,
): Promise<T> {
  const { child, base_url } = await startServer({ ...asked, sealing: SEALING })
  try {
    return await work(base_url, child.pid!)
  } finally {
    const gone = once(child, 'exit')
    child.disconnect()
    await gone
  }
}

/** Starts a server process, compiled like the product's. Its settings go by message, so that secrets are in no file and no process list. */
async function startServer(asked: OrdersServer): Promise<{ child: ChildProcess; base_url: string }> {
  const child = fork(LAUNCH, [SERVER], { execArgv: [] })
  await once(child, 'message')
  child.send(asked)
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, base_url: `http://127.0.0.1:${port}` }
}
