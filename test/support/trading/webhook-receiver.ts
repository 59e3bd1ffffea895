import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type VerifiedWebhook, verifyWebhook } from '../../../client/webhooks/verify-webhook.ts'
import type { WebhookEvent } from '../../../protocol/resources/webhook.ts'

/** One delivery as it arrived. */
export type Arrival = {
  readonly verified: VerifiedWebhook
  readonly event: WebhookEvent
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Status that it was answered with. */
  readonly status: number
}

export type TestReceiver = {
  readonly url: string
  readonly arrivals: Arrival[]
  /** Secrets that deliveries are verified with. */
  secrets: string[]
  /** Greatest number of deliveries at once. */
  readonly at_once_max: () => number
  /** Decides the answer: a status, or an answer of its own, after which 0 is noted. */
  answer: (event: WebhookEvent, response: ServerResponse) => Promise<number> | number
  /** Events that were accepted, each once, in the order of their first acceptance. */
  accepted(): WebhookEvent[]
  close(): Promise<void>
}

/** Starts a receiver on this machine, which accepts everything until it is told otherwise. */
export async function startReceiver(): Promise<TestReceiver> {
  const arrivals: Arrival[] = []
  let [at_once, at_once_max] = [0, 0]
  const server = createServer(async (request, response) => {
    at_once += 1
    at_once_max = Math.max(at_once_max, at_once)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const event = JSON.parse(body) as WebhookEvent
    const verified = verifyWebhook({ headers: request.headers, body, secret: receiver.secrets })
    const status = await receiver.answer(event, response)
    arrivals.push({ verified, event, headers: request.headers, body, status })
    at_once -= 1
    if (status > 0) response.writeHead(status).end(`answer ${status}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    secrets: [],
    at_once_max: () => at_once_max,
    answer: () => 200,
    accepted: () => {
      const accepted = arrivals.filter(({ status }) => status >= 200 && status < 300).map(({ event }) => event)
      return [...new Map(accepted.map((event) => [event.event_id, event])).values()]
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close').catch(() => undefined)
    },
  }
  return receiver
}
