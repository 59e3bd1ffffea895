import type { Static } from 'typebox'
import { deriveId } from '../../primitives/ids.ts'
import type { Instant } from '../../primitives/instants.ts'
import type { CONTROL_MESSAGES } from '../../protocol/stream/server-messages.ts'
import { EVENT_SCHEMA_VERSION, type TopicName } from '../../protocol/stream/topics.ts'
import { millisOf } from '../resources/index-observation.ts'
import { textFrame } from './frame.ts'

/** One message on its way to a socket, ready to be written; data messages are shared by all sockets that get them. */
export type Message = {
  readonly bytes: Buffer
  /** null: an answer, or a notice of the connection itself. */
  readonly sid: string | null
  readonly seq: number
  readonly prev_seq: number
  /** A waiting message of the same name is replaced by this one; null: every message counts. */
  readonly latest_of: string | null
}

/** What a data message says beside its `data`. */
export type DataFacts = {
  readonly type: 'snapshot' | 'event'
  readonly sid: string
  readonly topic: TopicName
  readonly kind: string
  readonly event_id: string
  readonly epoch: string
  readonly prev_seq: number
  readonly seq: number
  readonly published_at: Instant
}

type OwnContent = Static<(typeof CONTROL_MESSAGES)[keyof typeof CONTROL_MESSAGES]>

/** A message of a connection's own: an object of protocol/stream/server-messages.ts. */
export function ownMessage(content: OwnContent): Message {
  return { bytes: textFrame(JSON.stringify(content)), sid: null, seq: 0, prev_seq: 0, latest_of: null }
}

/** A data message around the bytes of its resource. */
export function dataMessage(facts: DataFacts, data: Buffer, latest_of: string | null): Message {
  const { published_at, prev_seq, seq, epoch, event_id, ...address } = facts
  const { type, sid, topic, kind } = address
  const head = { type, sid, topic, kind, event_id, event_schema_version: EVENT_SCHEMA_VERSION, epoch, prev_seq, seq }
  const times = { published_at, published_at_ts_ms: millisOf(published_at) }
  const text = JSON.stringify({ ...head, ...times })
  return { bytes: textFrame(`${text.slice(0, -1)},"data":`, data, '}'), sid, seq, prev_seq, latest_of }
}

/**
 * The id by which repetitions of a message are known: of its topic, numbering and place. A snapshot has its own, with what it
 * is a snapshot of, because it may be sent beside the event of the same place.
 */
export function messageId(topic: TopicName, epoch: string, seq: number, snapshot_of?: readonly string[]): string {
  return snapshot_of === undefined
    ? deriveId('msg', topic, epoch, seq)
    : deriveId('msg', topic, epoch, seq, 'snapshot', ...snapshot_of)
}
