import { deriveId } from '../../../primitives/ids.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { EVENT_SCHEMA_VERSION } from '../../../protocol/stream/topics.ts'
import { textFrame } from '../frame.ts'
import type { Message } from '../message.ts'
import type { Content } from './content.ts'

/** Subscription that a message goes to, and its seqs there. */
export type Address = {
  readonly type: 'snapshot' | 'event'
  readonly sid: string
  readonly epoch: string
  readonly prev_seq: number
}

const VERSION = JSON.stringify(EVENT_SCHEMA_VERSION)

/** Builds a data message of a private topic. Its event_id derives from topic, epoch and seq, so it is the same on every connection. */
export function privateMessage({ type, sid, epoch, prev_seq }: Address, content: Content): Message {
  const { topic, kind, seq, at, engine_sequence, projection_version } = content
  const event_id =
    type === 'event'
      ? deriveId('msg', topic, epoch, seq)
      : deriveId('msg', topic, epoch, seq, 'snapshot', content.resource_id)
  // Concatenated for speed, thousands of times a second: only the sid can need escaping.
  const address = `{"type":"${type}","sid":${JSON.stringify(sid)},"topic":"${topic}","kind":"${kind}","event_id":"${event_id}"`
  const place = `"event_schema_version":${VERSION},"epoch":"${epoch}","prev_seq":${prev_seq},"seq":${seq}`
  const times = `"published_at":"${formatMicros(at)}","published_at_ts_ms":${Math.floor(at / 1000)}`
  const versions = `"engine_sequence":${engine_sequence},"projection_version":${projection_version}`
  // The resource stays separate: joining it to the rest would copy it once more.
  const bytes = textFrame(`${address},${place},${times},${versions},"data":`, content.data, '}')
  return { bytes, sid, seq, prev_seq, latest_of: null }
}
