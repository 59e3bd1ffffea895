import { once } from 'node:events'
import { createServer, type Server, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import type { Micros } from '../../primitives/instants.ts'
import type { SimulatedVenue } from '../simulated-venue.ts'
import { answerOperator, OPERATOR_PATH } from './answer-operator.ts'
import { answerRequest } from './answer-request.ts'
import type { RuledFaults } from './fault-rules.ts'
import { type Fault, type Faults, NO_FAULTS, statusOfFault } from './faults.ts'
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
  /** Faults, in place of `faults`, that an operator reads and replaces at OPERATOR_PATH while the server runs. */
  readonly rules?: RuledFaults
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
  const { venue, clock, port = 0, rules = null } = options
  const faults = rules ?? options.faults ?? NO_FAULTS
  const limiter = createRateLimiter(options.limits ?? VENUE_LIMITS[venue.world.venue_id])
  const clients = createStreamClients(venue, faults, () => clock.now())
  const catchUp = (now: Micros) => advanceWorld(venue, clients, now)
  catchUp(clock.now())
  const stopListening = clock.onAdvance(catchUp)
  const ports = { venue, faults, limiter, now: () => clock.now() }
  const server = createServer((request, response) => {
    const is_operator = rules !== null && request.url === OPERATOR_PATH
    const answered = is_operator ? answerOperator(rules, request, response) : answerRequest(ports, request, response)
    answered.catch(() => response.destroy())
  })
  const sockets = serveStreams(server, venue, { clients, clock, faults })
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

type StreamPorts = { readonly clients: StreamClients; readonly clock: SimulatedClock; readonly faults: Faults }

function serveStreams(server: Server, venue: SimulatedVenue, { clients, clock, faults }: StreamPorts) {
  const sockets = new WebSocketServer({ noServer: true })
  const { path } = STREAM_PROTOCOLS[venue.world.venue_id]
  server.on('upgrade', async (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const fault = faults.onHandshake()
    if (fault?.kind === 'reset') return void socket.destroy()
    if (fault?.kind === 'stall') await sleep(fault.wait_ms, undefined, { ref: false })
    const status =
      request.url?.split('?')[0] !== path ? 404 : venue.world.isDown(clock.now()) ? 503 : statusOfFault(fault)
    if (status !== null) return refuse(socket, status, fault)
    sockets.handleUpgrade(request, socket, head, (opened) => clients.add(opened))
  })
  return sockets
}

function refuse(socket: Duplex, status: number, fault: Fault | null): void {
  const wait = fault?.kind === 'rate_limit' ? `retry-after: ${fault.retry_after_seconds}\r\n` : ''
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${wait}connection: close\r\n\r\n`)
}

async function closeServer(server: Server, sockets: WebSocketServer, clients: StreamClients): Promise<void> {
  clients.closeAll()
  for (const socket of sockets.clients) socket.terminate()
  sockets.close()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
