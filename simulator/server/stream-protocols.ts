import { SID } from '../wire/kalshi/frames.ts'
import { wireJson } from '../wire/wire-json.ts'
import type { VenueId } from '../world/options.ts'

/** Meaning of a client's message. */
export type ClientMessage =
  | { readonly kind: 'subscribe'; readonly channels: readonly string[]; readonly names: readonly string[] | null }
  /** More names for an existing subscription. */
  | { readonly kind: 'add'; readonly names: readonly string[] }
  /** A message that is answered at once. */
  | { readonly kind: 'reply'; readonly text: string }

/** Path and protocol of a venue's websocket. */
export type StreamProtocol = {
  readonly path: string
  read(text: string): ClientMessage
}

export const STREAM_PROTOCOLS: Readonly<Record<VenueId, StreamProtocol>> = {
  polymarket: { path: '/ws/market', read: readPolymarket },
  kalshi: { path: '/trade-api/ws/v2', read: readKalshi },
  manifold: { path: '/ws', read: readManifold },
}

/**
 * Reads `{"assets_ids": ["..."], "type": "market"}`; without ids, all. With `"operation": "subscribe"` instead of the type the
 * ids are added. PING keeps the connection open.
 */
function readPolymarket(text: string): ClientMessage {
  if (text === 'PING') return { kind: 'reply', text: 'PONG' }
  const { assets_ids, operation } = parse(text)
  if (operation === 'subscribe') return { kind: 'add', names: textsOf(assets_ids) ?? [] }
  return { kind: 'subscribe', channels: ['market'], names: textsOf(assets_ids) }
}

/**
 * Reads `{"id": 1, "cmd": "subscribe", "params": {"channels": ["..."], "market_tickers": ["..."]}}`; without tickers, all.
 * `"cmd": "update_subscription"` with the books' `sids` and `"action": "add_markets"` adds tickers, for all channels.
 */
function readKalshi(text: string): ClientMessage {
  const { id, cmd, params } = parse(text)
  const asked = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {}
  const channels = textsOf(asked.channels)
  if (cmd === 'update_subscription' && asked.action === 'add_markets') {
    const of_books = Array.isArray(asked.sids) && asked.sids.includes(SID.orderbook_delta)
    if (of_books) return { kind: 'add', names: textsOf(asked.market_tickers) ?? [] }
    return { kind: 'reply', text: wireJson({ id: typeof id === 'number' ? id : 0, type: 'ok' }) }
  }
  if (cmd !== 'subscribe' || channels === null) {
    const number = typeof id === 'number' ? id : 0
    return { kind: 'reply', text: wireJson({ id: number, type: 'error', msg: { code: 5, msg: 'Unknown command' } }) }
  }
  return { kind: 'subscribe', channels, names: textsOf(asked.market_tickers) }
}

/** Reads `{"type": "subscribe", "txid": 1, "topics": ["global/new-bet"]}`. A ping is acknowledged. */
function readManifold(text: string): ClientMessage {
  const { type, txid, topics } = parse(text)
  const asked = textsOf(topics)
  if (type === 'subscribe' && asked !== null) return { kind: 'subscribe', channels: asked, names: null }
  const number = typeof txid === 'number' ? txid : 0
  return { kind: 'reply', text: wireJson({ type: 'ack', txid: number, success: type === 'ping' }) }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function textsOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : null
}
