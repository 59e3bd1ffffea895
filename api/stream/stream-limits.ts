import { STREAM } from '../../protocol/limits.ts'

/** Close codes of RFC 6455 and its registry. */
export const CLOSE_CODE = {
  going_away: 1001,
  protocol: 1002,
  not_text: 1007,
  policy: 1008,
  too_big: 1009,
  internal: 1011,
  try_again_later: 1013,
} as const
export type CloseCode = (typeof CLOSE_CODE)[keyof typeof CLOSE_CODE]

/** Limits of a stream server; defaults as in GET /v1/capabilities. */
export type StreamLimits = {
  readonly heartbeat_ms: number
  /** Time without a subscription after which a connection is closed. */
  readonly first_message_ms: number
  readonly subscriptions_max: number
  readonly message_bytes_max: number
  readonly request_bytes_max: number
  readonly requests_in_flight_max: number
  readonly buffered_bytes_max: number
  readonly connections_max: number
  readonly connections_per_address_max: number
  readonly anonymous_per_address_max: number
  readonly connects: { readonly rate: number; readonly burst: number }
  readonly subscriptions_per_address_max: number
  readonly snapshot_bytes: { readonly rate: number; readonly burst: number }
  readonly messages: { readonly rate: number; readonly burst: number }
  readonly stalled_ms: number
  readonly closing_ms: number
  /** Minimum time between flushes: messages after a pause are written at once, others are written together. */
  readonly flush_ms: number
}

/** Refusals and ends of a stream server since its start, for metrics. */
export type StreamCounts = {
  /** Connections and messages of clients, by error code. */
  readonly refused: Record<string, number>
  /** Connections, by close code. */
  readonly ended: Record<string, number>
  /** Messages that slow readers lost; each subscription is sent a snapshot instead. */
  dropped: number
}

/** Adds one to a count by name. */
export function count(counts: Record<string, number>, name: string | number): void {
  counts[name] = (counts[name] ?? 0) + 1
}

export const STREAM_LIMITS: StreamLimits = { ...STREAM, flush_ms: 5 }
