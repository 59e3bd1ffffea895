import { backoffMs, DEFAULT_BACKOFF, jitteredMs } from '../../primitives/backoff.ts'
import type { PrivateTopicName } from '../../protocol/stream/private-topics.ts'
import type { Gap, Heartbeat, StreamError, Subscribed, Welcome } from '../../protocol/stream/server-messages.ts'
import type { TopicName } from '../../protocol/stream/topics.ts'
import { judge, type Position } from './stream-position.ts'

/** Public topics, and those of an account. */
export type AnyTopic = TopicName | PrivateTopicName

/** Callbacks of one subscription. */
export type StreamListener = {
  /** Receives the data of a message and its kind: `snapshot`, or that of a change. */
  readonly onData: (data: unknown, kind: string) => void
  /** Messages were missed; a snapshot follows and other reads should be repeated. */
  readonly onGap: () => void
  /** Everything from here on is delivered; topics without a snapshot need a read of what came before. */
  readonly onJoined?: () => void
}

/** The used part of a WebSocket. */
export type SocketLike = { readonly send: (text: string) => void; readonly close: () => void }
export type SocketEvents = { readonly onText: (text: string) => void; readonly onEnd: () => void }

export type StreamPorts = {
  readonly open: (events: SocketEvents) => SocketLike
  readonly setTimer: (call: () => void, millis: number) => unknown
  readonly clearTimer: (timer: unknown) => void
  readonly random: () => number
  readonly onConnected: (connected: boolean) => void
  /** Receives the service's clock, in milliseconds since 1970. */
  readonly onClock?: (server_time_ms: number) => void
  /** Creates the signed authentication message of each connection; needed for private topics. */
  readonly authenticate?: () => Promise<object>
  /** Authentication was refused: no subscription is sent and nothing is retried. */
  readonly onRefused?: (error: StreamError['error']) => void
}

type DataMessage = {
  readonly type: 'snapshot' | 'event'
  readonly kind: string
  readonly sid: string
  readonly epoch: string
  readonly prev_seq: number
  readonly seq: number
  readonly data: unknown
}
type Named<T extends string, M> = Omit<M, 'type'> & { readonly type: T }
type Message =
  | Named<'welcome', Welcome>
  | Named<'subscribed', Subscribed>
  | Named<'heartbeat', Heartbeat>
  | Named<'gap', Gap>
  | Named<'error', StreamError>
  | DataMessage
  | { readonly type: 'authenticated' | 'snapshot_end' | 'unsubscribed' | 'pong' | 'closing' }
type Of<T extends Message['type']> = Extract<Message, { readonly type: T }>

type Subscription = {
  readonly id: string
  readonly topic: AnyTopic
  readonly filters: Readonly<Record<string, string>>
  /** Whether each event names its predecessor (TOPICS of protocol/stream). */
  readonly chained: boolean
  readonly listener: StreamListener
  sid: string | null
  position: Position | null
}

/** Topics whose messages are complete states; events of all others are numbered in a chain. */
const UNCHAINED: readonly AnyTopic[] = ['index.status', 'market.ticker']
/** Number of missed heartbeats after which the connection counts as dead. */
const SILENT_BEATS_MAX = 2.5
const WELCOME_MS = 10_000
const AGAIN_MS = 2000
const AUTH_ID = 'auth'

/**
 * Connection to /v1/ws that keeps its subscriptions: it reconnects when the socket closes or falls silent, and resumes each subscription or
 * restarts it from a snapshot.
 */
export class StreamClient {
  readonly #ports: StreamPorts
  readonly #subscriptions = new Map<string, Subscription>()
  #socket: SocketLike | null = null
  #is_welcome = false
  #failures = 0
  #ids = 0
  #silence_ms = WELCOME_MS
  #silence: unknown = null
  #retry: unknown = null

  constructor(ports: StreamPorts) {
    this.#ports = ports
  }

  start(): void {
    if (this.#socket !== null) return
    this.#ports.clearTimer(this.#retry)
    this.#silence_ms = WELCOME_MS
    const socket: SocketLike = this.#ports.open({
      onText: (text) => {
        if (socket !== this.#socket) return
        this.#listenForSilence()
        this.#receive(JSON.parse(text) as Message)
      },
      onEnd: () => {
        if (socket === this.#socket) this.#lost()
      },
    })
    this.#socket = socket
    this.#listenForSilence()
  }

  /** Closes the connection; subscriptions are kept for the next start. */
  stop(): void {
    this.#ports.clearTimer(this.#retry)
    this.#leave()
    this.#failures = 0
  }

  /** Subscribes to a topic. @param position  cursor of an earlier read; starts from a snapshot if left out */
  subscribe(
    topic: AnyTopic,
    filters: Readonly<Record<string, string>>,
    listener: StreamListener,
    position: Position | null = null,
  ): () => void {
    this.#ids += 1
    const id = String(this.#ids)
    const chained = !UNCHAINED.includes(topic)
    const subscription: Subscription = { id, topic, filters, chained, listener, sid: null, position }
    this.#subscriptions.set(id, subscription)
    if (this.#is_welcome) this.#ask(subscription)
    return () => {
      this.#subscriptions.delete(id)
      if (this.#is_welcome && subscription.sid !== null) this.#send({ op: 'unsubscribe', id, sid: subscription.sid })
    }
  }

  #receive(message: Message): void {
    if (message.type === 'welcome' || message.type === 'heartbeat') this.#ports.onClock?.(message.server_time_ms)
    if (message.type === 'welcome') this.#welcome(message)
    else if (message.type === 'authenticated') this.#begin()
    else if (message.type === 'subscribed') this.#subscribed(message)
    else if (message.type === 'snapshot' || message.type === 'event') this.#take(message)
    else if (message.type === 'gap') this.#gap(message)
    else if (message.type === 'heartbeat') this.#compare(message)
    else if (message.type === 'error') this.#refused(message)
  }

  #welcome({ heartbeat_ms }: Of<'welcome'>): void {
    this.#silence_ms = heartbeat_ms * SILENT_BEATS_MAX
    this.#listenForSilence()
    if (this.#ports.authenticate === undefined) this.#begin()
    else void this.#authenticate(this.#ports.authenticate)
  }

  async #authenticate(authenticate: () => Promise<object>): Promise<void> {
    const socket = this.#socket
    const fields = await authenticate()
    if (socket === this.#socket) this.#send({ op: 'auth', id: AUTH_ID, ...fields })
  }

  #begin(): void {
    this.#is_welcome = true
    for (const subscription of this.#subscriptions.values()) this.#ask(subscription)
    if (this.#subscriptions.size === 0) this.#connected()
  }

  #ask({ id, topic, filters, position }: Subscription): void {
    const resume = position === null ? {} : { resume: { epoch: position.epoch, after_seq: position.seq } }
    this.#send({ op: 'subscribe', id, topic, ...filters, ...resume })
  }

  #subscribed({ id, sid, mode, epoch, seq }: Of<'subscribed'>): void {
    const subscription = this.#subscriptions.get(id)
    if (subscription === undefined) {
      this.#send({ op: 'unsubscribe', id, sid })
      return
    }
    const was = subscription.position
    subscription.sid = sid
    if (mode === 'snapshot' || was === null) subscription.position = { epoch, seq }
    if (mode === 'snapshot' && was !== null) subscription.listener.onGap()
    if (mode === 'snapshot') subscription.listener.onJoined?.()
    this.#connected()
  }

  #take(message: DataMessage): void {
    const subscription = this.#bySid(message.sid)
    if (subscription?.position == null) return
    const verdict = judge(subscription.position, message, subscription.chained)
    if (verdict === 'missing') this.#restart(subscription)
    if (verdict !== 'take') return
    if (message.type === 'event') subscription.position = { epoch: message.epoch, seq: message.seq }
    subscription.listener.onData(message.data, message.type === 'snapshot' ? 'snapshot' : message.kind)
  }

  #gap({ sid, to_seq }: Of<'gap'>): void {
    const subscription = this.#bySid(sid)
    if (subscription?.position == null) return
    subscription.position = { ...subscription.position, seq: to_seq }
    subscription.listener.onGap()
  }

  /** Compares cursors with a heartbeat, which follows all earlier messages: a cursor beyond ours means that some were lost. */
  #compare({ subscriptions }: Of<'heartbeat'>): void {
    for (const { sid, last_seq } of subscriptions) {
      const subscription = this.#bySid(sid)
      if (subscription?.position == null || !subscription.chained) continue
      if (last_seq > subscription.position.seq) this.#restart(subscription)
    }
  }

  #refused({ id, sid, error }: Of<'error'>): void {
    if (id === AUTH_ID) {
      this.stop()
      this.#ports.onRefused?.(error)
      return
    }
    const subscription = sid === undefined ? this.#subscriptions.get(id ?? '') : this.#bySid(sid)
    if (subscription === undefined || (sid === undefined && !error.retryable)) return
    if (sid !== undefined) {
      // The server ended the subscription: the next one begins with a snapshot.
      subscription.sid = null
      subscription.position = null
      subscription.listener.onGap()
    }
    const socket = this.#socket
    this.#ports.setTimer(() => {
      if (socket === this.#socket && this.#is_welcome) this.#ask(subscription)
    }, AGAIN_MS)
  }

  /** Restarts a subscription from a snapshot on the same connection. */
  #restart(subscription: Subscription): void {
    const { id, sid } = subscription
    if (sid !== null) this.#send({ op: 'unsubscribe', id, sid })
    subscription.sid = null
    subscription.position = null
    subscription.listener.onGap()
    this.#ask(subscription)
  }

  #bySid(sid: string): Subscription | undefined {
    return [...this.#subscriptions.values()].find((subscription) => subscription.sid === sid)
  }

  #connected(): void {
    this.#failures = 0
    this.#ports.onConnected(true)
  }

  #send(message: object): void {
    this.#socket?.send(JSON.stringify(message))
  }

  #listenForSilence(): void {
    this.#ports.clearTimer(this.#silence)
    this.#silence = this.#ports.setTimer(() => this.#lost(), this.#silence_ms)
  }

  #lost(): void {
    this.#leave()
    this.#failures += 1
    this.#ports.onConnected(false)
    const wait_ms = jitteredMs(backoffMs(DEFAULT_BACKOFF, this.#failures), this.#ports.random())
    this.#retry = this.#ports.setTimer(() => this.start(), wait_ms)
  }

  #leave(): void {
    const socket = this.#socket
    this.#socket = null
    this.#is_welcome = false
    this.#ports.clearTimer(this.#silence)
    for (const subscription of this.#subscriptions.values()) subscription.sid = null
    socket?.close()
  }
}
