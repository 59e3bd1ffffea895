import type { Static } from 'typebox'
import { deriveId } from '../../primitives/ids.ts'
import type { Instant } from '../../primitives/instants.ts'
import type { CONTROL_MESSAGES } from '../../protocol/stream/server-messages.ts'
import { EVENT_SCHEMA_VERSION, type TopicName } from '../../protocol/stream/topics.ts'
import { millisOf } from '../resources/index-observation.ts'
import { textFrame } from './frame.ts'

/** A message ready to be written; all sockets that receive a data message share it. */
export type Message = {
  readonly bytes: Buffer
  /** null: a response, or a notice about the connection. */
  readonly sid: string | null
  readonly seq: number
  readonly prev_seq: number
  /** Conflation key: this message replaces a waiting one with the same key; null: never replaced. */
  readonly latest_of: string | null
}

/** Fields of a data message beside `data`. */
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

/** Builds a message about the connection itself: an object of protocol/stream/server-messages.ts. */
export function ownMessage(content: OwnContent): Message {
  return { bytes: textFrame(JSON.stringify(content)), sid: null, seq: 0, prev_seq: 0, latest_of: null }
}

/** Builds a data message around the bytes of its resource. */
export function dataMessage(facts: DataFacts, data: Buffer, latest_of: string | null): Message {
  const { published_at, prev_seq, seq, epoch, event_id, ...address } = facts
  const { type, sid, topic, kind } = address
  const head = { type, sid, topic, kind, event_id, event_schema_version: EVENT_SCHEMA_VERSION, epoch, prev_seq, seq }
  const times = { published_at, published_at_ts_ms: millisOf(published_at) }
  const text = JSON.stringify({ ...head, ...times })
  return { bytes: textFrame(`${text.slice(0, -1)},"data":`, data, '}'), sid, seq, prev_seq, latest_of }
}

/**
 * Returns the id that identifies repetitions of a message, from its topic, epoch and seq. The id of a snapshot includes its key,
 * because it may be sent beside the event with the same seq.
 */
export function messageId(topic: TopicName, epoch: string, seq: number, snapshot_of?: readonly string[]): string {
  return snapshot_of === undefined
    ? deriveId('msg', topic, epoch, seq)
    : deriveId('msg', topic, epoch, seq, 'snapshot', ...snapshot_of)
}
