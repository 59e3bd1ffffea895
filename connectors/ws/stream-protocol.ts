/** How one talks to a venue's websocket. */
export type StreamProtocol = {
  /** Names that one connection may subscribe to at once; null = it takes none, or any number. */
  readonly names_max: number | null
  /** What is sent when the connection is open. */
  subscribe(names: readonly string[]): readonly string[]
  /** As the venue's reader names it: `ws market`. */
  endpointOf(text: string): string
  /** What keeps the connection open, beside the ping of websockets; null = nothing. @param count from 1 */
  ping(count: number): string | null
  /** True for the answer to such a ping, which says nothing of markets and is not kept. */
  isKeepalive(text: string): boolean
  /** What is known of one connection. */
  open(): ProtocolSession
}

/** What one connection's messages tell. */
export type ProtocolSession = {
  /** Takes a message in. @returns true where some are missing before it */
  hasGap(text: string): boolean
  /** What is sent to subscribe to further names; null = not possible now: they are subscribed to by connecting anew. */
  extend(names: readonly string[]): readonly string[] | null
}
