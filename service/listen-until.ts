import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Address of a small server of a command: `http://host:port`. `closed` resolves once it has ended. */
export type Listening = { readonly url: string; readonly closed: Promise<unknown> }

export type ListenOptions = {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly signal: AbortSignal
}

/** Listens until the signal is aborted; then open connections are closed, too. */
export async function listenUntil(server: Server, { host, port, signal }: ListenOptions): Promise<Listening> {
  const closed = once(server, 'close')
  server.listen(port, host)
  await once(server, 'listening')
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const place = (server.address() as AddressInfo).port
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${place}`, closed }
}

/** Reads a body; null: it is longer than allowed. */
export async function bodyOf(request: IncomingMessage, bytes_max: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    read += chunk.length
    if (read > bytes_max) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
