import { HEARTBEAT, KALSHI } from '../../../pipelines/venues/kalshi/endpoints.ts'
import type { ProtocolSession, StreamProtocol } from '../../ws/stream-protocol.ts'

/** All public channels. Whole books come on the channel of their changes. */
const CHANNELS = ['orderbook_delta', 'ticker', 'trade', 'market_lifecycle_v2'] as const
const OF_TYPE = new Map<string, string>([
  ['orderbook_snapshot', KALSHI.ws_orderbook_snapshot],
  ['orderbook_delta', KALSHI.ws_orderbook_delta],
  ['ticker', KALSHI.ws_ticker],
  ['trade', KALSHI.ws_trade],
  ['market_lifecycle_v2', KALSHI.ws_market_lifecycle],
  [HEARTBEAT, KALSHI.ws_heartbeat],
])
const TYPE = /"type"\s*:\s*"([a-z0-9_]+)"/
const SID = /"sid"\s*:\s*(\d{1,15})/
const SUBSCRIBED = /"type"\s*:\s*"subscribed"/
const SEQ = /"seq"\s*:\s*(\d{1,15})/

/**
 * Protocol of the trade API's websocket. The venue pings by itself; each subscription numbers its messages, and a gap makes its
 * books unknown.
 */
export const KALSHI_STREAM: StreamProtocol = {
  names_max: null,
  subscribe: (market_tickers) => {
    return [JSON.stringify({ id: 1, cmd: 'subscribe', params: { channels: CHANNELS, market_tickers } })]
  },
  endpointOf: (text) => OF_TYPE.get(TYPE.exec(text)?.[1] ?? '') ?? KALSHI.ws,
  ping: () => null,
  isKeepalive: () => false,
  open: openSession,
}

/** Starts the state of a connection. Numbers are per subscription; more markets are added to each acknowledged one. */
function openSession(): ProtocolSession {
  const last = new Map<string, number>()
  const subscribed = new Set<string>()
  let commands = 1
  return {
    hasGap(text) {
      // Every message has a type; what another text stands for is missing, be it the first book of a market.
      if (!TYPE.test(text)) return true
      const [sid, seq] = [SID.exec(text)?.[1], SEQ.exec(text)?.[1]]
      if (sid !== undefined && SUBSCRIBED.test(text)) subscribed.add(sid)
      if (sid === undefined || seq === undefined) return false
      const before = last.get(sid)
      last.set(sid, Number(seq))
      return before !== undefined && Number(seq) !== before + 1 && Number(seq) !== before
    },
    signOfLife: () =>
      subscribed.size === 0 ? null : JSON.stringify({ type: HEARTBEAT, sids: [...subscribed].map(Number) }),
    extend(market_tickers) {
      if (subscribed.size < CHANNELS.length) return null
      return [...subscribed].map((sid) => {
        commands += 1
        const params = { sids: [Number(sid)], market_tickers, action: 'add_markets' }
        return JSON.stringify({ id: commands, cmd: 'update_subscription', params })
      })
    },
  }
}
