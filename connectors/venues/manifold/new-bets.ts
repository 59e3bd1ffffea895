import { MANIFOLD_ENDPOINTS as ENDPOINTS } from '../../../pipelines/venues/manifold/endpoints.ts'
import type { StreamProtocol } from '../../ws/stream-protocol.ts'

const TOPIC = 'global/new-bet'
const SUBSCRIBE = 1
const ACKNOWLEDGED = /^\{"type":"ack","txid":(\d{1,9}),/

/** Every new bet of the venue. It wants a ping of its own within a minute, which it acknowledges. */
export const NEW_BETS: StreamProtocol = {
  names_max: null,
  subscribe: () => [JSON.stringify({ type: 'subscribe', txid: SUBSCRIBE, topics: [TOPIC] })],
  endpointOf: () => ENDPOINTS.ws_global_bets,
  ping: (count) => JSON.stringify({ type: 'ping', txid: SUBSCRIBE + count }),
  isKeepalive: (text) => Number(ACKNOWLEDGED.exec(text)?.[1] ?? SUBSCRIBE) !== SUBSCRIBE,
  open: () => ({ hasGap: () => false, extend: () => [] }),
}
