import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Faults of the answers of an object store. */
export const STORE_FAULTS = ['lost', 'silent', 'refused', 'doubled', 'late', 'busy'] as const
type StoreFault = (typeof STORE_FAULTS)[number]

/** Proxy in front of an object store. It passes everything on until it has a fault. */
export type FaultyStore = {
  readonly address: string
  /** Chooses the fault of a request; null: none. */
  fault: (method: string, path: string) => StoreFault | null
  close(): Promise<void>
}

const LATE_MS = 2_000

type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}
type Answered = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

/**
 * Starts the proxy of a store at `target`. Signatures hold, because host, path and body are passed as they are.
 * - lost: nothing is passed on and nothing is answered; silent: it is passed on, and nothing is answered
 * - refused: a conditional write is passed on and answered with 412; doubled: the request is passed on twice
 * - late: it is passed on after two seconds; busy: 503, nothing is passed on
 */
export async function startFaultyStore(host: string, target: { host: string; port: number }): Promise<FaultyStore> {
  const agent = new Agent({ keepAlive: true })
  const send = ({ method, path, headers, body }: Asked) =>
    new Promise<Answered>((resolve, reject) => {
      const asked = request({ ...target, method, path, headers, agent, setHost: false }, async (response) => {
        resolve({ status: response.statusCode!, headers: response.headers, body: await bytesOf(response) })
      })
      asked.on('error', reject)
      asked.end(body)
    })
  const own: FaultyStore = { address: '', fault: () => null, close }

  async function answer(asked: Asked, fault: StoreFault | null): Promise<Answered | null> {
    if (fault === 'lost') return null
    if (fault === 'busy') return { status: 503, headers: {}, body: Buffer.from('<Code>SlowDown</Code>') }
    if (fault === 'late') await sleep(LATE_MS)
    const first = await send(asked)
    if (fault === 'silent') return null
    const is_conditional = asked.headers['if-none-match'] !== undefined
    if (fault === 'refused' && is_conditional)
      return { status: 412, headers: first.headers, body: Buffer.from('<Code>PreconditionFailed</Code>') }
    return fault === 'doubled' ? send(asked) : first
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = incoming
    const asked = { method, path, headers, body: await bytesOf(incoming) }
    const answered = await answer(asked, own.fault(method, path))
    if (answered === null) return void response.destroy()
    const { 'transfer-encoding': _, ...passed } = answered.headers
    const length = method === 'HEAD' ? passed['content-length'] : `${answered.body.length}`
    response.writeHead(answered.status, { ...passed, ...(length === undefined ? {} : { 'content-length': length }) })
    response.end(answered.body)
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy())
  })
  async function close(): Promise<void> {
    server.closeAllConnections()
    agent.destroy()
    server.close()
    await once(server, 'close')
  }
  server.listen(0, host)
  await once(server, 'listening')
  return Object.assign(own, { address: `${host}:${(server.address() as AddressInfo).port}` })
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
