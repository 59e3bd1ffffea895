import { WebSocket } from 'ws'
import type { StreamSocket } from '../../client/trading/stream/stream-socket.ts'

/** Opens a websocket; Node 20 has none of its own. */
export function openSocket(url: string): StreamSocket {
  return new WebSocket(url, { perMessageDeflate: false }) as unknown as StreamSocket
}
