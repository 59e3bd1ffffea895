/** Timeouts and limits of a stream. Milliseconds unless the name says otherwise. */
export type StreamPolicy = {
  readonly handshake_ms: number
  /** Between two pings. */
  readonly heartbeat_ms: number
  /** Without a message or a pong for this long, the connection is half open and is replaced. */
  readonly silence_ms: number
  /** Without a message for this long although pings are answered; null = markets may be quiet for ever. */
  readonly quiet_ms: number | null
  readonly backoff_first_ms: number
  readonly backoff_max_ms: number
  readonly message_bytes_max: number
  /** Messages waiting to be taken, beyond which nothing more is read from the socket. */
  readonly queue_max: number
}

export const STREAM_POLICY: StreamPolicy = {
  handshake_ms: 10_000,
  heartbeat_ms: 10_000,
  silence_ms: 30_000,
  quiet_ms: 300_000,
  backoff_first_ms: 250,
  backoff_max_ms: 30_000,
  message_bytes_max: 16 * 1024 * 1024,
  queue_max: 20_000,
}
