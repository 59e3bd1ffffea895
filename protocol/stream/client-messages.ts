import Type, { type Static } from 'typebox'
import { closed, idOf, Sequence, texts } from '../scalars.ts'
import { TOPIC_NAMES, type TopicName } from './topics.ts'

const RequestId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'chosen by the client, repeated in the answer',
})

const only = <const T extends string>(value: T) => Type.Unsafe<T>(texts([value]))

/** Where a client left a subscription: the epoch and seq of the last message it took. */
export const Resume = Type.Object(
  { epoch: Type.String({ minLength: 0, maxLength: 128 }), after_seq: Sequence },
  { ...closed, title: 'Resume' },
)
export type Resume = Static<typeof Resume>

export const SubscribeMessage = Type.Object(
  {
    op: only('subscribe'),
    id: RequestId,
    topic: Type.Unsafe<TopicName>(texts(TOPIC_NAMES)),
    index_id: Type.Optional(idOf('idx', 'index_id')),
    market_id: Type.Optional(idOf('mkt', 'market_id')),
    outcome_id: Type.Optional(idOf('out', 'outcome_id')),
    resume: Type.Optional(Resume),
  },
  { ...closed, title: 'Subscribe' },
)
export type SubscribeMessage = Static<typeof SubscribeMessage>

export const UnsubscribeMessage = Type.Object(
  { op: only('unsubscribe'), id: RequestId, sid: Type.String({ minLength: 1, maxLength: 400 }) },
  { ...closed, title: 'Unsubscribe' },
)
export type UnsubscribeMessage = Static<typeof UnsubscribeMessage>

export const PingMessage = Type.Object({ op: only('ping'), id: RequestId }, { ...closed, title: 'Ping' })
export type PingMessage = Static<typeof PingMessage>

/** What a client may send: one JSON text frame each. */
export const CLIENT_MESSAGES = {
  subscribe: SubscribeMessage,
  unsubscribe: UnsubscribeMessage,
  ping: PingMessage,
} as const
export type ClientMessage = SubscribeMessage | UnsubscribeMessage | PingMessage
