/** Protocol of a venue's websocket. */
export type StreamProtocol = {
  /** Names that one connection may subscribe to; null = it takes none, or any number. */
  readonly names_max: number | null
  /** Messages to send when the connection opens. */
  subscribe(names: readonly string[]): readonly string[]
  /** Endpoint by the venue reader's name: `ws market`. */
  endpointOf(text: string): string
  /** Text that keeps the connection open, beside websocket pings; null = nothing. @param count from 1 */
  ping(count: number): string | null
  /** Returns whether a text answers such a ping; it is not kept. */
  isKeepalive(text: string): boolean
  /** Starts the state of one connection. */
  open(): ProtocolSession
}

/** State of one connection. */
export type ProtocolSession = {
  /** Takes a message. @returns true if messages are missing before it, or it is none of the venue's */
  hasGap(text: string): boolean
  /**
   * Returns the payload of an answered ping: what it proves about the books of the connection; null = nothing. Only a protocol that
   * numbers its messages can prove that none is missing.
   */
  signOfLife(): string | null
  /** Messages that subscribe to more names; null = not possible now: a new connection subscribes to them. */
  extend(names: readonly string[]): readonly string[] | null
}
