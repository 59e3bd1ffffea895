import Type, { type Static, type TSchema } from 'typebox'
import { Count, closed, EpochMillis, Id, Instant, orNull, Sequence, Text, texts } from '../scalars.ts'
import { PRIVATE_TOPIC_NAMES, type PrivateTopic } from './private-topics.ts'
import { EVENT_SCHEMA_VERSION, TOPIC_NAMES, type Topic } from './topics.ts'

const WelcomeMessage = Type.Object(
  {
    type: texts(['welcome']),
    connection_id: Text,
    server_time_ms: EpochMillis,
    heartbeat_ms: Count,
    protocol: texts(['1']),
  },
  { ...closed, title: 'Welcome' },
)

/**
 * effective: the filters in use. sid: the same for the same topic and filters on every connection and server.
 * seq: covered so far: no event with this or a smaller seq follows, and the next event's prev_seq is at most this.
 */
const SubscribedMessage = Type.Object(
  {
    type: texts(['subscribed']),
    id: Text,
    sid: Text,
    topic: texts([...TOPIC_NAMES, ...PRIVATE_TOPIC_NAMES]),
    mode: texts(['snapshot', 'resumed']),
    epoch: Text,
    seq: Sequence,
    effective: Type.Record(Type.String(), Text),
  },
  { ...closed, title: 'Subscribed' },
)

/** Response to auth: the identity of the connection from now on. It is closed when the key is revoked, rotated out or expires. */
const AuthenticatedMessage = Type.Object(
  { type: texts(['authenticated']), id: Text, account_id: Id, key_id: Text, scopes: Type.Array(Text) },
  { ...closed, title: 'Authenticated' },
)

/**
 * Ends the snapshot of a private topic: `count` messages as at `seq`. complete: false if there are more resources than a
 * snapshot holds; read the rest from REST.
 */
const SnapshotEndMessage = Type.Object(
  {
    type: texts(['snapshot_end']),
    sid: Text,
    epoch: Text,
    seq: Sequence,
    count: Count,
    complete: Type.Boolean(),
  },
  { ...closed, title: 'SnapshotEnd' },
)

const UnsubscribedMessage = Type.Object(
  { type: texts(['unsubscribed']), id: Text, sid: Text },
  { ...closed, title: 'Unsubscribed' },
)

const PongMessage = Type.Object(
  { type: texts(['pong']), id: Text, server_time_ms: EpochMillis },
  { ...closed, title: 'Pong' },
)

/** Shows that the connection is alive: the last seq of each subscription, equal to the client's own if it missed nothing. */
const HeartbeatMessage = Type.Object(
  {
    type: texts(['heartbeat']),
    server_time_ms: EpochMillis,
    subscriptions: Type.Array(Type.Object({ sid: Text, last_seq: Sequence }, closed)),
  },
  { ...closed, title: 'Heartbeat' },
)

/** Messages between two seqs were lost; a fresh snapshot follows if the topic has one. */
const GapMessage = Type.Object(
  {
    type: texts(['gap']),
    sid: Text,
    from_seq: Sequence,
    to_seq: Sequence,
    reason: texts(['slow_consumer', 'retention', 'epoch_changed']),
  },
  { ...closed, title: 'Gap' },
)

const ClosingMessage = Type.Object(
  { type: texts(['closing']), reason: Text, deadline_ms: EpochMillis },
  { ...closed, title: 'Closing' },
)

/**
 * Rejection of a client's message. id: that of the message. sid: the subscription that ended because a message of it could not be
 * built; id is then null. retry_after_ms: wait after which the same message is accepted; absent where a limit of a number is met,
 * which ends when something of the client closes. server_time_ms: clock that a refused timestamp was compared with.
 */
const StreamErrorMessage = Type.Object(
  {
    type: texts(['error']),
    id: orNull(Text),
    sid: Type.Optional(Text),
    error: Type.Object(
      {
        ...{ code: Text, message: Text, retryable: Type.Boolean(), request_id: Text },
        ...{ retry_after_ms: Type.Optional(Count), server_time_ms: Type.Optional(Count) },
      },
      closed,
    ),
  },
  { ...closed, title: 'StreamError' },
)

/**
 * Fields of a data message, without `data`. A snapshot replaces what the client has, whatever its seq; its prev_seq is 0.
 * An event with seq <= the client's last seq is a repetition; one with prev_seq > last seq, on a `chained` topic, means that
 * messages are missing; any other sets the last seq. The numbers are the same in every process that serves the warehouse.
 */
const DATA_FIELDS = {
  sid: Text,
  topic: texts(TOPIC_NAMES),
  kind: Text,
  event_id: Text,
  event_schema_version: texts([EVENT_SCHEMA_VERSION]),
  epoch: Text,
  prev_seq: Sequence,
  seq: Sequence,
  published_at: Instant,
  published_at_ts_ms: EpochMillis,
} as const

/** Builds the schema of a topic's data message: `data` is the REST resource. */
export function dataMessage(topic: Topic): TSchema {
  const first = topic.snapshot ? ['snapshot'] : []
  return Type.Object(
    {
      type: texts([...first, 'event']),
      ...DATA_FIELDS,
      topic: texts([topic.topic]),
      kind: texts([...new Set([...first, ...topic.kinds])]),
      data: topic.data,
    },
    { ...closed, title: `${topic.topic} message` },
  )
}

/**
 * Builds the schema of a private topic's data message: `data` is the REST resource as at the event, or as at `seq` of a snapshot.
 * engine_sequence is that of the resource's last change, projection_version the resource's own: a message whose version is not
 * greater than the client's is a repetition.
 */
export function privateDataMessage(topic: PrivateTopic): TSchema {
  return Type.Object(
    {
      type: texts(['snapshot', 'event']),
      ...DATA_FIELDS,
      topic: texts([topic.topic]),
      kind: texts([...new Set(['snapshot', ...topic.kinds])]),
      engine_sequence: Sequence,
      projection_version: Sequence,
      data: topic.data,
    },
    { ...closed, title: `${topic.topic} message` },
  )
}

/** Response to a request: status, headers and body are those of the REST response. */
const ResponseMessage = Type.Object(
  {
    type: texts(['response']),
    id: Text,
    status: Type.Integer({ minimum: 100, maximum: 599 }),
    headers: Type.Record(Type.String(), Text),
    body: Type.Object({}, { additionalProperties: true, description: 'the envelope of the REST response' }),
  },
  { ...closed, title: 'Response' },
)

export const CONTROL_MESSAGES = {
  welcome: WelcomeMessage,
  authenticated: AuthenticatedMessage,
  subscribed: SubscribedMessage,
  snapshot_end: SnapshotEndMessage,
  unsubscribed: UnsubscribedMessage,
  pong: PongMessage,
  heartbeat: HeartbeatMessage,
  gap: GapMessage,
  closing: ClosingMessage,
  response: ResponseMessage,
  error: StreamErrorMessage,
} as const

export type Welcome = Static<typeof WelcomeMessage>
export type Subscribed = Static<typeof SubscribedMessage>
export type Heartbeat = Static<typeof HeartbeatMessage>
export type Gap = Static<typeof GapMessage>
export type StreamError = Static<typeof StreamErrorMessage>
