import type { RequestKey } from '../../../../client/signing/sign-request.ts'
import { signStreamAuth } from '../../../../client/signing/sign-stream-auth.ts'
import { invariant } from '../../../../primitives/errors.ts'
import type { Resume } from '../../../../protocol/stream/client-messages.ts'
import type { PrivateTopicName } from '../../../../protocol/stream/private-topics.ts'
import { type Said, StreamClient } from '../stream-client.ts'

/** A connection of a key, signed by the clock of the stream where that is not the true one. */
export async function openAccount(url: string, key: RequestKey, timestamp_ms = Date.now()): Promise<StreamClient> {
  const client = await StreamClient.open(url)
  const answer = await client.ask({ ...signStreamAuth(key, { id: 'auth', timestamp_ms }) })
  invariant(answer.type === 'authenticated', `the key is taken: ${JSON.stringify(answer)}`)
  return client
}

/** Subscribes, and waits for the whole snapshot where there is one. @returns the answer, with the place in what was said after it */
export async function follow(
  client: StreamClient,
  topic: PrivateTopicName,
  more: { readonly resume?: Resume; readonly market_id?: string } = {},
): Promise<Said & { readonly sid: string; readonly seq: number; readonly epoch: string }> {
  const id = `${topic} ${client.said.length}`
  const from = client.said.length
  const answer = await client.ask({ op: 'subscribe', id, topic, ...more })
  if (answer.type === 'subscribed' && answer.mode === 'snapshot')
    await client.next(({ type, sid }) => type === 'snapshot_end' && sid === answer.sid, from)
  return answer as never
}
