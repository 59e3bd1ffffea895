import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { ServiceError } from '../../primitives/errors.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { OwnVenue } from '../own-venue/own-venue.ts'
import { callerOf, clientAddress } from '../server/client-address.ts'
import { AddressShares } from './address-shares.ts'
import { Batches } from './batches.ts'
import { FlushQueue } from './flush-queue.ts'
import { Hub, type HubPorts } from './hub.ts'
import type { OutboxPorts } from './outbox.ts'
import type { PrivateStream } from './private/private-stream.ts'
import type { StreamProjections } from './projections.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import type { PerformRequest } from './requests.ts'
import { Session, type SessionPorts } from './session.ts'
import { streamOrigins } from './sources/stream-origins.ts'
import { CLOSE_CODE, count, STREAM_LIMITS, type StreamCounts, type StreamLimits } from './stream-limits.ts'
import { Turns } from './turns.ts'

const CHECK_MS = 1000
/** Close codes of frames that the websocket library rejects by itself; others break the protocol. */
const BROKEN_FRAMES: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: CLOSE_CODE.too_big,
  WS_ERR_INVALID_UTF8: CLOSE_CODE.not_text,
}

export type StreamOptions = {
  readonly http_server: Server
  readonly reader: Pick<Reader, 'status' | 'instant' | 'catalog' | 'indexAsOf' | 'latest' | 'feed' | 'assessments'>
  readonly project: StreamProjections
  /** Markets listed on Tidemark, from the engine's events; null or absent: from the warehouse. */
  readonly own_venue?: OwnVenue | null
  /** Private streams; null or absent: none. They close with the server. */
  readonly accounts?: PrivateStream | null
  readonly limits?: Partial<StreamLimits>
  /** Way of requests to REST's routes; null or absent: requests are rejected. */
  readonly requests?: PerformRequest | null
  /** Addresses or ranges of reverse proxies, as for the API server. */
  readonly trusted_proxies?: readonly string[]
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Called with a bug and where it occurred. */
  readonly onFailure?: (error: unknown, where: string) => void
}

type StreamStats = {
  readonly connections: number
  readonly subscriptions: number
  readonly channels: number
  /** Bytes queued for sockets; a shared message counts once for each socket. */
  readonly buffered_bytes: number
  /** Messages that could not be built since the start. */
  readonly failures: number
} & StreamCounts

export type StreamServer = {
  /** Notifies every client, then closes all connections after `closing_ms`. */
  close(): Promise<void>
  stats(): StreamStats
}

/**
 * Serves the public stream at /v1/ws of an HTTP server: JSON text messages of protocol/stream, without identity. Compression
 * is off: a frame is built once and written to many sockets. A `stale` reader keeps its connections: heartbeats continue with the
 * last seqs, and messages follow when it has recovered.
 */
export function attachStream(options: StreamOptions): StreamServer {
  const {
    http_server,
    reader,
    project,
    own_venue = null,
    accounts = null,
    requests = null,
    now = Date.now,
    onFailure = () => undefined,
    trusted_proxies = [],
  } = options
  const limits = { ...STREAM_LIMITS, ...options.limits }
  const queue = new FlushQueue(limits.flush_ms, () => hub.give())
  const wake = () => queue.wake()
  const clock = () => now() * 1000
  const at = () => Math.min(clock(), reader.instant() ?? Number.POSITIVE_INFINITY)
  let failures = 0
  const onUnbuilt: HubPorts['onFailure'] = (error, topic) => {
    failures += 1
    onFailure(error, topic)
  }
  const origins = streamOrigins({ reader, project, at, now: clock, own_venue })
  const hub = new Hub({ ...origins, onFailure: onUnbuilt, wake })
  const unavailable = () => unavailableReason(reader)
  const { buffered_bytes_max } = limits
  const schedule: OutboxPorts['schedule'] = (outbox) => queue.add(outbox)
  const outbox = { batches: new Batches(), buffered_bytes_max, now, schedule }
  const counts: StreamCounts = { refused: {}, ended: {}, dropped: 0 }
  const shared = { hub, turns: new Turns(), accounts, requests, limits, counts }
  const ports: SessionPorts = { ...shared, outbox, now, unavailable, onFailure }
  const sessions = new Set<Session>()
  const shares = new AddressShares(limits)
  const upgrader = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    // One message per turn of the event loop: a client that sends many at once does not keep others waiting.
    allowSynchronousEvents: false,
    // Longer messages than requests are rejected by their session.
    maxPayload: limits.request_bytes_max,
    clientTracking: false,
  })
  let closing: Promise<void> | null = null
  const open = (websocket: WebSocket, socket: Duplex, ip: string) => {
    const share = shares.of(callerOf(ip))
    const session = new Session(websocket, socket, { ip, share }, ports)
    share.connections.add(session)
    sessions.add(session)
    socket.on('drain', () => session.outbox.unblock())
    websocket.on('message', (data, is_binary) => session.receive(data as Buffer, is_binary))
    websocket.on('pong', () => session.pong())
    websocket.on('error', (error: NodeJS.ErrnoException) => {
      count(counts.ended, BROKEN_FRAMES[error.code ?? ''] ?? CLOSE_CODE.protocol)
      websocket.terminate()
    })
    websocket.on('close', () => {
      session.leave()
      sessions.delete(session)
      share.connections.delete(session)
    })
    session.welcome()
  }
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const ip = clientAddress(request.socket.remoteAddress, request.headers, trusted_proxies)
    const refusal = () => {
      const is_full = sessions.size >= limits.connections_max || closing !== null
      if (is_full)
        return new ServiceError('SERVICE_UNAVAILABLE', 'the stream takes no further connection now; try again')
      return shares.refusalOf(callerOf(ip), now())
    }
    const refused = refuseUpgrade(request, socket, refusal, now())
    if (refused !== null) return count(counts.refused, refused)
    upgrader.handleUpgrade(request, socket, head, (websocket) => open(websocket, socket, ip))
  }
  http_server.on('upgrade', onUpgrade)
  const checks = setInterval(() => {
    const now_ms = now()
    for (const session of sessions) session.check(now_ms)
    accounts?.check(now_ms)
    shares.check(now_ms)
  }, CHECK_MS)
  const end = async () => {
    const deadline_ms = now() + limits.closing_ms
    for (const session of sessions) session.announceEnd('the server stops', deadline_ms)
    await allGone(sessions, limits.closing_ms)
    clearInterval(checks)
    hub.close()
    accounts?.close()
    queue.run()
    for (const session of sessions) session.endSilently('the server stops', CLOSE_CODE.going_away)
    await allGone(sessions, Number.POSITIVE_INFINITY)
    http_server.off('upgrade', onUpgrade)
    upgrader.close()
  }
  return {
    close: () => {
      closing ??= end()
      return closing
    },
    stats: () => ({ ...statsOf(sessions, hub), failures, ...counts }),
  }
}

function unavailableReason(reader: Pick<Reader, 'status'>): string | null {
  const { phase } = reader.status()
  return phase === 'ready' || phase === 'stale' ? null : `the reader is ${phase}; try again`
}

function statsOf(sessions: ReadonlySet<Session>, hub: Hub): Omit<StreamStats, 'failures' | keyof StreamCounts> {
  const all = [...sessions]
  return {
    connections: all.length,
    subscriptions: all.reduce(
      (sum, { subscriptions, private_subscriptions }) => sum + subscriptions.size + private_subscriptions.size,
      0,
    ),
    channels: hub.channel_count,
    buffered_bytes: all.reduce((sum, { outbox }) => sum + outbox.buffered_bytes, 0),
  }
}

/** Waits until every connection is closed, at most `wait_ms`. */
async function allGone(sessions: ReadonlySet<Session>, wait_ms: number): Promise<void> {
  const started = performance.now()
  while (sessions.size > 0 && performance.now() - started < wait_ms) await new Promise((next) => setTimeout(next, 10))
}
