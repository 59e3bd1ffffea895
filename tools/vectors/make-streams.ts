import { FollowedTopic, type TopicChange, type TopicMessage } from '../../client/trading/stream/followed-topic.ts'
import { vectorCase, vectorFile } from './vector-file.ts'

type FollowInput = {
  readonly topic: 'account.order'
  readonly resume: { readonly epoch: string; readonly after_seq: number } | null
  readonly messages: readonly TopicMessage[]
}

/** Follows messages; each answer says whether one was missing before, and what a listener heard. */
function followAnswer({ topic, resume, messages }: FollowInput) {
  const changes: TopicChange[] = []
  const followed = new FollowedTopic(topic, (change) => changes.push(change), { market_id: null, resume })
  const heard = messages.map((message) =>
    message.type === 'heartbeat' ? followed.hearPosition(lastSeq(message)) : followed.hear(message),
  )
  return { heard, changes: changes.map(changeFacts), resume: followed.resume }
}

function lastSeq({ subscriptions }: TopicMessage): number {
  return (subscriptions as readonly { readonly last_seq: number }[])[0]!.last_seq
}

function changeFacts(change: TopicChange) {
  if (change.type === 'snapshot')
    return { type: 'snapshot', seq: change.seq, order_ids: change.resources.map(({ order_id }) => order_id) }
  if (change.type === 'gap')
    return { type: 'gap', from_seq: change.from_seq, to_seq: change.to_seq, reason: change.reason }
  return {
    type: 'event',
    seq: change.seq,
    order_id: change.data.order_id,
    projection_version: change.projection_version,
  }
}

const SID = 's1'
const begun = (mode: 'snapshot' | 'resumed', seq: number, epoch = 'e1'): TopicMessage => ({
  ...{ type: 'subscribed', id: '1', sid: SID, topic: 'account.order', mode, epoch, seq, effective: {} },
})
const shown = (order_id: string, projection_version: number, seq = 5, epoch = 'e1'): TopicMessage => ({
  ...{ type: 'snapshot', sid: SID, epoch, prev_seq: 0, seq, projection_version, data: { order_id } },
})
const end = (seq: number, epoch = 'e1', count = 1): TopicMessage => ({
  ...{ type: 'snapshot_end', sid: SID, epoch, seq, count, complete: true },
})
const event = (
  prev_seq: number,
  seq: number,
  order_id: string,
  projection_version: number,
  epoch = 'e1',
): TopicMessage => ({
  ...{ type: 'event', kind: 'order.updated', sid: SID, epoch, event_id: `evt_${seq}`, prev_seq, seq },
  ...{ engine_sequence: seq * 10, projection_version, data: { order_id } },
})
const beat = (last_seq: number): TopicMessage => ({ type: 'heartbeat', subscriptions: [{ sid: SID, last_seq }] })
const lost = (from_seq: number, to_seq: number): TopicMessage => ({
  ...{ type: 'gap', sid: SID, from_seq, to_seq, reason: 'retention' },
})

const SNAPSHOT = [begun('snapshot', 5), shown('ord_1', 3), shown('ord_2', 1), end(5, 'e1', 2)]
const RUNS: Readonly<Record<string, readonly TopicMessage[]>> = {
  'a snapshot, then events in order': [...SNAPSHOT, event(5, 6, 'ord_1', 4), event(6, 9, 'ord_3', 1), beat(9)],
  'a repeated event is heard once': [
    ...SNAPSHOT,
    event(5, 6, 'ord_1', 4),
    event(5, 6, 'ord_1', 4),
    event(6, 7, 'ord_2', 2),
  ],
  'an older version of a resource is dropped, its place in the stream is not': [
    ...SNAPSHOT,
    event(5, 6, 'ord_1', 2),
    event(6, 7, 'ord_1', 4),
  ],
  'a missing event': [...SNAPSHOT, event(6, 7, 'ord_1', 5)],
  'a heartbeat ahead of the last event': [...SNAPSHOT, beat(6)],
  'a heartbeat while a snapshot is sent says nothing': [begun('snapshot', 5), shown('ord_1', 3), beat(9), end(5)],
  'a gap: the state is void, and a snapshot follows': [
    ...SNAPSHOT,
    event(5, 6, 'ord_1', 4),
    lost(7, 12),
    shown('ord_1', 9, 12),
    end(12),
    event(12, 13, 'ord_1', 10),
  ],
  'a snapshot that was not finished is asked for again': [begun('snapshot', 5), shown('ord_1', 3)],
  'another epoch begins from its own snapshot': [
    ...SNAPSHOT,
    begun('snapshot', 2, 'e2'),
    shown('ord_1', 1, 2, 'e2'),
    end(2, 'e2'),
    event(2, 3, 'ord_1', 2, 'e2'),
  ],
}

/** Makes streams.json: messages of a private topic, and what a follower makes of them. */
export function makeStreams() {
  const whole = Object.entries(RUNS).map(([name, messages]) =>
    vectorCase(name, 'follow', { topic: 'account.order', resume: null, messages }, followAnswer),
  )
  const resume = { epoch: 'e1', after_seq: 6 }
  const resumed = vectorCase(
    'resumed after 6: the repeated tail is dropped',
    'follow',
    {
      topic: 'account.order',
      resume,
      messages: [begun('resumed', 6), event(5, 6, 'ord_1', 4), event(6, 7, 'ord_1', 5)],
    },
    followAnswer,
  )
  const hole = vectorCase(
    'resumed after 6: the next one is missing',
    'follow',
    { topic: 'account.order', resume, messages: [begun('resumed', 6), event(7, 8, 'ord_1', 5)] },
    followAnswer,
  )
  return vectorFile('Messages of a private topic and what a follower makes of them (docs/stream.md).', [
    ...whole,
    resumed,
    hole,
  ])
}
