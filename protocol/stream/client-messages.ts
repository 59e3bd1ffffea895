import Type, { type Static } from 'typebox'
import { WRITE_METHODS } from '../endpoints/private-endpoint.ts'
import { closed, idOf, Sequence, texts } from '../scalars.ts'
import { REQUEST_SIGNATURE_VERSION } from '../signing/canonical-request.ts'
import { PRIVATE_TOPIC_NAMES, type PrivateTopicName } from './private-topics.ts'
import { TOPIC_NAMES, type TopicName } from './topics.ts'

const RequestId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'chosen by the client, repeated in the response',
})

const only = <const T extends string>(value: T) => Type.Unsafe<T>(texts([value]))

/** Last message that a client received on a subscription: its epoch and seq. */
export const Resume = Type.Object(
  { epoch: Type.String({ minLength: 0, maxLength: 128 }), after_seq: Sequence },
  { ...closed, title: 'Resume' },
)
export type Resume = Static<typeof Resume>

/**
 * Authenticates a connection: the signature covers the canonical request with method WS, path /v1/ws, no query and no body.
 * The fields have the values of a request's SVC-Access headers.
 */
export const AuthMessage = Type.Object(
  {
    op: only('auth'),
    id: RequestId,
    key_id: Type.String({ minLength: 1, maxLength: 128, description: 'id of an API key' }),
    timestamp: Type.String({ pattern: '^[1-9]\\d{0,15}$', description: 'Unix epoch milliseconds as integer text' }),
    nonce: Type.String({ pattern: '^[A-Za-z0-9_-]{8,64}$', description: '8 to 64 of [A-Za-z0-9_-]' }),
    signature_version: only(REQUEST_SIGNATURE_VERSION),
    signature: Type.String({ minLength: 1, maxLength: 512, description: 'lower-case hex' }),
  },
  { ...closed, title: 'Auth' },
)
export type AuthMessage = Static<typeof AuthMessage>

export const SubscribeMessage = Type.Object(
  {
    op: only('subscribe'),
    id: RequestId,
    topic: Type.Unsafe<TopicName | PrivateTopicName>(texts([...TOPIC_NAMES, ...PRIVATE_TOPIC_NAMES])),
    index_id: Type.Optional(idOf('idx', 'index_id')),
    market_id: Type.Optional(idOf('mkt', 'market_id')),
    outcome_id: Type.Optional(idOf('out', 'outcome_id')),
    event_id: Type.Optional(idOf('evt', 'event_id')),
    severity_index_id: Type.Optional(idOf('svi', 'severity_index_id')),
    account_id: Type.Optional(idOf('acct', 'account_id')),
    resume: Type.Optional(Resume),
  },
  { ...closed, title: 'Subscribe' },
)
export type SubscribeMessage = Static<typeof SubscribeMessage>

const UnsubscribeMessage = Type.Object(
  { op: only('unsubscribe'), id: RequestId, sid: Type.String({ minLength: 1, maxLength: 400 }) },
  { ...closed, title: 'Unsubscribe' },
)
type UnsubscribeMessage = Static<typeof UnsubscribeMessage>

const HeaderText = Type.Optional(Type.String({ maxLength: 512, pattern: '^[\\x20-\\x7e]*$' }))

/**
 * A REST request that changes orders, signed as REST signs it: over method, path and the bytes of `body` in UTF-8. It needs no
 * `auth`, unless the message is longer than others may be.
 */
const RequestMessage = Type.Object(
  {
    op: only('request'),
    id: RequestId,
    method: texts(WRITE_METHODS),
    path: Type.String({ minLength: 1, maxLength: 512, description: 'path of a write of orders, with /v1' }),
    headers: Type.Object(
      {
        'SVC-Access-Key': HeaderText,
        'SVC-Access-Timestamp': HeaderText,
        'SVC-Access-Nonce': HeaderText,
        'SVC-Access-Signature': HeaderText,
        'SVC-Access-Signature-Version': HeaderText,
        'Idempotency-Key': HeaderText,
      },
      { ...closed, title: 'RequestHeaders' },
    ),
    body: Type.String({ description: 'JSON text, exactly as it was signed; empty for DELETE' }),
  },
  { ...closed, title: 'Request' },
)
export type RequestMessage = Static<typeof RequestMessage>

const PingMessage = Type.Object({ op: only('ping'), id: RequestId }, { ...closed, title: 'Ping' })
type PingMessage = Static<typeof PingMessage>

/** Messages that a client may send, each as one JSON text frame. */
export const CLIENT_MESSAGES = {
  auth: AuthMessage,
  subscribe: SubscribeMessage,
  unsubscribe: UnsubscribeMessage,
  ping: PingMessage,
  request: RequestMessage,
} as const
export type ClientMessage = AuthMessage | SubscribeMessage | UnsubscribeMessage | PingMessage | RequestMessage
