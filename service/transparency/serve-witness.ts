import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Witness } from '../../operations/transparency/witness.ts'

export type ServeWitnessOptions = {
  readonly witness: Witness
  /** Text of the witness's key, served at /vkey. */
  readonly vkey: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly signal: AbortSignal
}

/** Longest request: 63 hashes and a checkpoint with 64 signatures. */
const BODY_BYTES_MAX = 32_768

/** Serves a witness until the signal is aborted. */
export async function serveWitness(options: ServeWitnessOptions): Promise<{ url: string; closed: Promise<unknown> }> {
  const { witness, vkey, host, port, signal } = options
  const server = createServer((request, response) => {
    const answer = async () => {
      if (request.method === 'GET' && request.url === '/vkey')
        return { status: 200, type: 'text/plain', body: `${vkey}\n` }
      if (request.method !== 'POST' || request.url !== '/add-checkpoint') {
        return { status: 404, type: 'text/plain', body: 'allowed: POST /add-checkpoint, GET /vkey\n' }
      }
      const body = await bodyOf(request)
      if (body === null) return { status: 413, type: 'text/plain', body: `allowed: at most ${BODY_BYTES_MAX} bytes\n` }
      return witness.addCheckpoint(body)
    }
    answer().then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  const closed = once(server, 'close')
  server.listen(port, host)
  await once(server, 'listening')
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, closed }
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    read += chunk.length
    if (read > BODY_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
