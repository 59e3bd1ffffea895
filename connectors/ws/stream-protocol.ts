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
  /** What one connection's messages are checked by: true = some are missing before this one. */
  createGapCheck(): (text: string) => boolean
}

/** For a channel without numbers: what is missing shows when the reader compares its book with the venue's own prices. */
export const noGapCheck = () => () => false
