import { isUtf8 } from 'node:buffer'
import { setTimeout as delay } from 'node:timers/promises'
import { ExponentialBackoff } from 'cockatiel'
import type { PayloadVenue } from '../../pipelines/venues/payload-venues.ts'
import type { Micros } from '../../primitives/instants.ts'
import { type PayloadItem, receivedItem } from '../archives/payloads/payload-item.ts'
import { venueBase } from '../http/venue-base.ts'
import { createArrivalQueue } from './arrival-queue.ts'
import { STREAM_POLICY, type StreamPolicy } from './stream-policy.ts'
import type { ProtocolSession, StreamProtocol } from './stream-protocol.ts'
import { connectVenue, type VenueConnection } from './venue-connection.ts'

export type VenueStreamOptions = {
  readonly venue_id: PayloadVenue
  /** `wss://host/path`; redirects are refused. */
  readonly url: string
  readonly protocol: StreamProtocol
  /** Names to subscribe to, again after each reconnection. */
  readonly names: readonly string[]
  /** Clock of receipts. */
  readonly now: () => Micros
  /** Headers that the venue requires, made for each handshake: a signature. */
  readonly headers?: () => Readonly<Record<string, string>>
  readonly policy?: Partial<StreamPolicy>
  /** Waits before a reconnection; default: this process's timer. */
  readonly sleep?: (wait_ms: number, signal: AbortSignal) => Promise<void>
}

type StreamState = 'connecting' | 'open' | 'waiting' | 'closed'

/**
 * Messages of one subscription as payloads, in the order of arrival, until it is closed. Each connection begins with whole
 * books; a message that cannot be a payload is quarantined.
 */
export type VenueStream = AsyncIterable<PayloadItem> & {
  /** Takes everything that has arrived. */
  take(): PayloadItem[]
  readonly state: StreamState
  /** Connections opened so far. */
  readonly connections: number
  /** Time of the venue's last sign of life; null = never. */
  readonly confirmed_at: Micros | null
  /** Reason the last connection ended; null = none has. */
  readonly last_end: string | null
  /** @returns true when everything the venue sent until now has arrived, false without a connection */
  confirm(): Promise<boolean>
  /** Names it is subscribed to. */
  readonly names: readonly string[]
  /** Subscribes to more names without losing messages of the others. */
  extend(names: readonly string[]): void
  /** Number of gaps in the messages, one that cannot be read among them; each gap forced a restart. */
  readonly gaps: number
  /** Starts again with whole books, as after a gap that a reader found. */
  resubscribe(): void
  close(): Promise<void>
}

const defaultSleep = (wait_ms: number, signal: AbortSignal) => delay(wait_ms, undefined, { signal })

/**
 * Opens a stream, which connects and reconnects by itself. @throws {ServiceError} VALIDATION_USAGE_INVALID for an invalid URL
 */
export function openVenueStream(options: VenueStreamOptions): VenueStream {
  venueBase(options.url, 'ws')
  const { now, protocol, headers = () => ({}), sleep = defaultSleep } = options
  const names = [...options.names]
  const policy = { ...STREAM_POLICY, ...options.policy }
  const stop = new AbortController()
  const status: Status = { state: 'connecting', connections: 0, gaps: 0, confirmed_at: null, last_end: null }
  let session: ProtocolSession | null = null
  let connection: VenueConnection | null = null
  const queue = createArrivalQueue<PayloadItem>(policy.queue_max, {
    on_full: () => connection?.pause(),
    on_drained: () => connection?.resume(),
  })
  const connect = (): VenueConnection => {
    status.state = 'connecting'
    const opened = protocol.open()
    const keep = (bytes: Buffer, text: string) =>
      queue.push(itemOf(options, `${options.url}#${status.connections}`, bytes, text))
    session = opened
    return connectVenue({
      url: options.url,
      protocol,
      names,
      policy,
      headers: headers(),
      on_open: () => {
        status.state = 'open'
        status.connections += 1
      },
      on_life: () => {
        status.confirmed_at = now()
      },
      on_heartbeat: () => {
        const text = opened.signOfLife()
        if (text !== null) keep(Buffer.from(text), text)
      },
      on_message: (bytes) => {
        status.confirmed_at = now()
        const text = bytes.toString('utf8')
        if (protocol.isKeepalive(text)) return
        keep(bytes, text)
        const is_readable = isUtf8(bytes) && !isCut(text)
        if (is_readable && !opened.hasGap(text)) return
        status.gaps += 1
        connection?.end(is_readable ? 'messages are missing' : 'a message cannot be read')
      },
    })
  }
  const run = async () => {
    const factory = new ExponentialBackoff({ initialDelay: policy.backoff_first_ms, maxDelay: policy.backoff_max_ms })
    let backoff = factory.next()
    while (!stop.signal.aborted) {
      const before = status.connections
      connection = connect()
      status.last_end = await connection.ended
      if (stop.signal.aborted) break
      status.state = 'waiting'
      backoff = status.connections > before ? factory.next() : backoff.next(undefined)
      await sleep(backoff.duration, stop.signal).catch(() => undefined)
    }
    status.state = 'closed'
    queue.end()
  }
  const finished = run()
  return {
    get state() {
      return status.state
    },
    get connections() {
      return status.connections
    },
    get confirmed_at() {
      return status.confirmed_at
    },
    get last_end() {
      return status.last_end
    },
    get gaps() {
      return status.gaps
    },
    get names() {
      return names
    },
    take: queue.take,
    extend: (more) => {
      names.push(...more)
      // A connection that is still opening subscribes to all of them by itself.
      if (status.state !== 'open') return
      const texts = session?.extend(more) ?? null
      if (texts === null || connection?.send(texts) !== true) connection?.end('subscribed to more')
    },
    confirm: () => connection?.confirm() ?? Promise.resolve(false),
    resubscribe: () => connection?.end('subscribed anew'),
    close: async () => {
      stop.abort()
      connection?.end('closed')
      await finished
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        await queue.arrived()
        const items = queue.take()
        // More may arrive, and the queue may end, while these are consumed.
        if (items.length === 0 && queue.ended) return
        yield* items
      }
    },
  }
}

/** Whether a text begins as JSON and does not end as such; what it stated is missing. */
function isCut(text: string): boolean {
  const last = text.trimEnd().at(-1)
  return /^\s*[{[]/.test(text) && last !== '}' && last !== ']'
}

type Status = {
  state: StreamState
  connections: number
  gaps: number
  confirmed_at: Micros | null
  last_end: string | null
}

function itemOf({ venue_id, protocol, now }: VenueStreamOptions, origin: string, bytes: Buffer, text: string) {
  const received_at = now()
  const endpoint = protocol.endpointOf(text)
  return receivedItem({ venue_id, endpoint, request: null, received_at, file: origin }, bytes)
}
