import { deriveId } from '../../../primitives/ids.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { EVENT_SCHEMA_VERSION } from '../../../protocol/stream/topics.ts'
import { textFrame } from '../frame.ts'
import type { Message } from '../message.ts'
import type { Content } from './content.ts'

/** Where a message goes, and its place there. */
export type Address = {
  readonly type: 'snapshot' | 'event'
  readonly sid: string
  readonly epoch: string
  readonly prev_seq: number
}

/** A data message of a private topic. Every connection gets the same for the same event: its event_id is of topic, epoch and place. */
export function privateMessage({ type, sid, epoch, prev_seq }: Address, content: Content): Message {
  const { topic, kind, seq, at, engine_sequence, projection_version } = content
  const event_id =
    type === 'event'
      ? deriveId('msg', topic, epoch, seq)
      : deriveId('msg', topic, epoch, seq, 'snapshot', content.resource_id)
  const head = { type, sid, topic, kind, event_id, event_schema_version: EVENT_SCHEMA_VERSION, epoch, prev_seq, seq }
  const times = { published_at: formatMicros(at), published_at_ts_ms: Math.floor(at / 1000) }
  const text = JSON.stringify({ ...head, ...times, engine_sequence, projection_version })
  const bytes = textFrame(`${text.slice(0, -1)},"data":${content.data}}`)
  return { bytes, sid, seq, prev_seq, latest_of: null }
}
