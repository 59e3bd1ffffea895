import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Micros } from '../../primitives/instants.ts'
import type { SimulatedVenue } from '../simulated-venue.ts'
import { answerRequest } from './answer-request.ts'
import { createFaults, type Faults } from './faults.ts'
import { createRateLimiter, type RateLimit, VENUE_LIMITS } from './rate-limits.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import { createStreamClients, type StreamClients } from './stream-clients.ts'
import { STREAM_PROTOCOLS } from './stream-protocols.ts'

export type SimulatorServerOptions = {
  /** Venue at the start of its world; the server alone advances it. */
  readonly venue: SimulatedVenue
  readonly clock: SimulatedClock
  /** 0: any free port. */
  readonly port?: number
  readonly faults?: Faults
  /** Default: the venue's own. */
  readonly limits?: readonly RateLimit[]
}

export type SimulatorServer = {
  /** `http://127.0.0.1:PORT` */
  readonly base_url: string
  /** `ws://127.0.0.1:PORT/...`, the address of the venue's websocket. */
  readonly stream_url: string
  /** Ends all connections, and the server. */
  close(): Promise<void>
}

/**
 * Serves one venue's HTTP and websocket API on loopback, at the clock's instant. Bodies and messages equal those of the files
 * that `simulateFiles` writes.
 */
export async function startSimulatorServer(options: SimulatorServerOptions): Promise<SimulatorServer> {
  const { venue, clock, port = 0, faults = createFaults() } = options
  const limiter = createRateLimiter(options.limits ?? VENUE_LIMITS[venue.world.venue_id])
  const clients = createStreamClients(venue, faults, () => clock.now())
  const catchUp = (now: Micros) => advanceWorld(venue, clients, now)
  catchUp(clock.now())
  const stopListening = clock.onAdvance(catchUp)
  const ports = { venue, faults, limiter, now: () => clock.now() }
  const server = createServer((request, response) => {
    answerRequest(ports, request, response).catch(() => response.destroy())
  })
  const sockets = serveStreams(server, venue, clients, clock)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    base_url: `http://${address}`,
    stream_url: `ws://${address}${STREAM_PROTOCOLS[venue.world.venue_id].path}`,
    close: () => {
      stopListening()
      return closeServer(server, sockets, clients)
    },
  }
}

/** Applies every batch up to the instant; each is sent when the world has its state. */
function advanceWorld({ world }: SimulatedVenue, clients: StreamClients, now: Micros): void {
  for (let next = world.nextAt(); next !== null && next <= now; next = world.nextAt()) {
    const batch = world.advance()
    if (batch !== null) clients.deliver(batch)
  }
}

function serveStreams(server: Server, venue: SimulatedVenue, clients: StreamClients, clock: SimulatedClock) {
  const sockets = new WebSocketServer({ noServer: true })
  const { path } = STREAM_PROTOCOLS[venue.world.venue_id]
  server.on('upgrade', (request, socket, head) => {
    const refused = request.url?.split('?')[0] !== path ? '404 Not Found' : null
    const down = venue.world.isDown(clock.now()) ? '503 Service Unavailable' : null
    const status = refused ?? down
    if (status !== null) return void socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
    sockets.handleUpgrade(request, socket, head, (opened) => clients.add(opened))
  })
  return sockets
}

async function closeServer(server: Server, sockets: WebSocketServer, clients: StreamClients): Promise<void> {
  clients.closeAll()
  for (const socket of sockets.clients) socket.terminate()
  sockets.close()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
