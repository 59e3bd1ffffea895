import { createServer } from 'node:http'
import { type VerifiedWebhook, verifyWebhook } from '../../client/webhooks/verify-webhook.ts'
import { BODY_BYTES_MAX } from '../../protocol/limits.ts'
import { bodyOf, type Listening, type ListenOptions, listenUntil } from '../listen-until.ts'

export type ReceiverOptions = ListenOptions & {
  /** Returns the secrets to verify with, one of which must match; asked for at each delivery. */
  readonly secrets: () => Promise<readonly string[]>
  readonly onDelivery: (delivery: VerifiedWebhook) => void
}

/** Starts a receiver that verifies each delivery: 204 accepts it, 401 refuses it. It ends with the signal. */
export async function listenWebhooks({ secrets, onDelivery, ...listen }: ReceiverOptions): Promise<Listening> {
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await bodyOf(request, BODY_BYTES_MAX)
      const delivery =
        body === null
          ? ({ verified: false, reason: 'body_malformed' } as const)
          : verifyWebhook({ headers: request.headers, body, secret: await secrets() })
      onDelivery(delivery)
      response.writeHead(delivery.verified ? 204 : 401).end(delivery.verified ? undefined : delivery.reason)
    }
    answer().catch(() => response.writeHead(500).end())
  })
  const { url, closed } = await listenUntil(server, listen)
  return { url: `${url}/`, closed }
}
