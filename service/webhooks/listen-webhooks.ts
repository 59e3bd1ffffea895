import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type VerifiedWebhook, verifyWebhook } from '../../client/webhooks/verify-webhook.ts'
import { BODY_BYTES_MAX } from '../../protocol/limits.ts'

export type ReceiverOptions = {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Returns the secrets to verify with, one of which must match; asked for at each delivery. */
  readonly secrets: () => Promise<readonly string[]>
  readonly onDelivery: (delivery: VerifiedWebhook) => void
  readonly signal: AbortSignal
}

/** A receiver of webhooks on this machine. */
export type Receiver = { readonly url: string; readonly closed: Promise<unknown> }

/** Starts a receiver that verifies each delivery: 204 accepts it, 401 refuses it. It ends with the signal. */
export async function listenWebhooks({ host, port, secrets, onDelivery, signal }: ReceiverOptions): Promise<Receiver> {
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await bodyOf(request)
      const delivery =
        body === null
          ? ({ verified: false, reason: 'body_malformed' } as const)
          : verifyWebhook({ headers: request.headers, body, secret: await secrets() })
      onDelivery(delivery)
      response.writeHead(delivery.verified ? 204 : 401).end(delivery.verified ? undefined : delivery.reason)
    }
    answer().catch(() => response.writeHead(500).end())
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
  const place = (server.address() as AddressInfo).port
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${place}/`, closed }
}

/** Reads a body; null: it is longer than any event. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    read += chunk.length
    if (read > BODY_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
