import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { listen } from '../api/admin/listen.ts'

/** Address of a small server of a command: `http://host:port`. `closed` resolves once it has ended. */
export type Listening = { readonly url: string; readonly closed: Promise<unknown> }

export type ListenOptions = {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly signal: AbortSignal
}

/**
 * Listens until the signal is aborted; then open connections are closed, too.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the address is taken or may not be listened at
 */
export async function listenUntil(server: Server, { host, port, signal }: ListenOptions): Promise<Listening> {
  const place = await listen(server, () => once(server.listen(port, host), 'listening'), { name: 'port', host, port })
  const closed = once(server, 'close')
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return { url: `http://${place}`, closed }
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
