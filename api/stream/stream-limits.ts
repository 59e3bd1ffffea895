import { STREAM } from '../../protocol/limits.ts'

/** Bounds of a stream server; the defaults are those of GET /v1/capabilities. */
export type StreamLimits = {
  readonly heartbeat_ms: number
  /** Without a subscription until then, a connection is closed. */
  readonly first_message_ms: number
  readonly subscriptions_max: number
  readonly message_bytes_max: number
  readonly buffered_bytes_max: number
  readonly connections_max: number
  readonly messages: { readonly rate: number; readonly burst: number }
  readonly stalled_ms: number
  readonly closing_ms: number
  /** Flushes are so far apart: messages that come after a pause are written at once, others wait to be written together. */
  readonly flush_ms: number
}

export const STREAM_LIMITS: StreamLimits = { ...STREAM, flush_ms: 5 }
