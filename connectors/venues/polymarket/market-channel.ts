import { ENDPOINTS } from '../../../pipelines/venues/polymarket/endpoints.ts'
import type { StreamProtocol } from '../../ws/stream-protocol.ts'

/** The market channel: books and trades of tokens. More than 200 on one connection have been seen to lose their first books. */
export const MARKET_CHANNEL: StreamProtocol = {
  names_max: 200,
  subscribe: (assets_ids) => [JSON.stringify({ assets_ids, type: 'market' })],
  endpointOf: () => ENDPOINTS.ws_market,
  ping: () => 'PING',
  isKeepalive: (text) => text === 'PONG',
  open: () => ({
    // Messages have no numbers: what is missing shows when the reader compares its book with the venue's own prices.
    hasGap: () => false,
    extend: (assets_ids) => [JSON.stringify({ assets_ids, operation: 'subscribe' })],
  }),
}
