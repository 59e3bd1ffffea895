import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { TokenBucket } from '../../primitives/token-bucket.ts'
import { PRIVATE_STREAM } from '../../protocol/limits.ts'
import type { AuthMessage, RequestMessage, SubscribeMessage } from '../../protocol/stream/client-messages.ts'
import { isPrivateTopic, type PrivateTopicName } from '../../protocol/stream/private-topics.ts'
import { type TopicName, topicOf } from '../../protocol/stream/topics.ts'
import { withoutEngine } from '../missing-resource.ts'
import { newRequestId } from '../server/request-id.ts'
import { type AddressShare, requireAnonymousRoom, subscriptionsOf } from './address-shares.ts'
import { type Sending, type Subscriber, type Subscription, sidOf } from './channel.ts'
import { decodeClientMessage, idOfMessage, keyOf, refused, requestOfMessage } from './decode-client-message.ts'
import type { Hub } from './hub.ts'
import { Inbox } from './inbox.ts'
import { type Message, ownMessage } from './message.ts'
import { Outbox, type OutboxOwner, type OutboxPorts } from './outbox.ts'
import type { IdentifiedSession, Identity, PrivateStream } from './private/private-stream.ts'
import { PrivateSubscription } from './private/private-subscription.ts'
import {
  invalidRequest,
  isIdentified,
  type PerformRequest,
  responseMessage,
  tooLong,
  tooManyInFlight,
} from './requests.ts'
import { streamError, takeMessages } from './stream-errors.ts'
import { CLOSE_CODE, type CloseCode, count, type StreamCounts, type StreamLimits } from './stream-limits.ts'
import type { Turns } from './turns.ts'

/** Unanswered heartbeats after which the client is considered gone. */
const SILENT_BEATS_MAX = 3
/** Time that a socket has to close. */
const END_MS = 1000

export type SessionPorts = {
  readonly hub: Hub
  /** Shared by all sessions. */
  readonly turns: Turns
  /** null: no engine is configured, and there are no accounts. */
  readonly accounts: PrivateStream | null
  /** null: requests are rejected. */
  readonly requests: PerformRequest | null
  readonly limits: StreamLimits
  readonly counts: StreamCounts
  readonly outbox: OutboxPorts
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** null: subscriptions are accepted; else the reason why not. */
  readonly unavailable: () => string | null
  readonly onFailure: (error: unknown, where: string) => void
}

/** Address of a client as its connection states it, and the share of all connections from there. */
type SessionClient = { readonly ip: string; readonly share: AddressShare }

/** One connection: answers its client's messages, and sends all subscriptions through one outbox. */
export class Session implements Subscriber, OutboxOwner, IdentifiedSession {
  readonly outbox: Outbox
  readonly subscriptions = new Map<string, Subscription>()
  readonly private_subscriptions = new Map<string, PrivateSubscription>()
  /** Address of the client, and what all its connections use. */
  readonly #client: SessionClient
  #owner: Identity | null = null
  #refused_auths = 0
  /** Requests that are not answered yet. */
  #in_flight = 0
  readonly #inbox: Inbox
  readonly #ports: SessionPorts
  readonly #socket: WebSocket
  readonly #bucket: TokenBucket
  readonly #opened_ms: number
  #beat_ms: number
  #silent_beats = 0
  #has_begun = false
  #has_losses = false
  #is_ending = false
  #is_authenticating = false

  /** @param bytes byte stream of the socket; the outbox writes its frames there */
  constructor(socket: WebSocket, bytes: Duplex, client: SessionClient, ports: SessionPorts) {
    const { now, limits } = ports
    this.#ports = ports
    this.#socket = socket
    this.#client = client
    this.#opened_ms = now()
    this.#beat_ms = this.#opened_ms
    this.#bucket = new TokenBucket({ tokens: limits.messages.rate, window_ms: 1000, burst: limits.messages.burst })
    this.outbox = new Outbox(ports.outbox, this, { websocket: socket, bytes })
    this.#inbox = new Inbox({
      turns: ports.turns,
      socket,
      answer: (text) => this.#answer(text),
      refuse: (text, error) => this.#refuse(text, error),
      spend: (sent_bytes) => client.share.credit.spend(sent_bytes, now()),
      isEnding: () => this.#is_ending,
    })
  }

  get identity(): Identity | null {
    return this.#owner
  }

  get is_anonymous(): boolean {
    return this.#has_begun && this.#owner === null
  }

  get is_ending(): boolean {
    return this.#is_ending
  }

  get is_idle(): boolean {
    return !this.#has_begun && !this.#is_authenticating && this.#in_flight === 0
  }

  welcome(): void {
    const server_time_ms = this.#ports.now()
    const { heartbeat_ms } = this.#ports.limits
    const connection_id = `con_${newRequestId(server_time_ms)}`
    this.#send({ type: 'welcome', connection_id, server_time_ms, heartbeat_ms, protocol: '1' })
  }

  /** Receives one frame of the client. */
  receive(data: Buffer, is_binary: boolean): void {
    if (this.#is_ending) return
    this.#silent_beats = 0
    const text = is_binary ? '' : data.toString('utf8')
    try {
      const request = this.#requestIn(text, data.length)
      if (request !== null) this.#perform(text, request)
      else this.#takeMessage(text, data.length, is_binary)
    } catch (error) {
      this.#refuse(text, error)
    }
  }

  #takeMessage(text: string, bytes: number, is_binary: boolean): void {
    const { limits, now } = this.#ports
    if (bytes > limits.message_bytes_max) {
      if (this.#owner !== null) throw invalidRequest(text, bytes, limits)
      this.end(tooLong(bytes, limits), CLOSE_CODE.too_big)
      return
    }
    takeMessages(this.#bucket, now(), limits)
    if (is_binary) throw notText()
    this.#inbox.add(text)
  }

  /** Notes that the client answered a ping. */
  pong(): void {
    this.#silent_beats = 0
  }

  /** Housekeeping, about once a second. */
  check(now_ms: number): void {
    if (this.#is_ending) return
    const { limits } = this.#ports
    const stalled_since = this.outbox.stalled_since
    if (stalled_since !== null && now_ms - stalled_since >= limits.stalled_ms) {
      this.end(`slow consumer: nothing was read for ${limits.stalled_ms} ms`, CLOSE_CODE.try_again_later)
    } else if (!this.#has_begun && now_ms - this.#opened_ms >= limits.first_message_ms) {
      this.end(`nothing was subscribed within ${limits.first_message_ms} ms`, CLOSE_CODE.policy)
    } else if (now_ms - this.#beat_ms >= limits.heartbeat_ms) this.#beat(now_ms)
  }

  /** Sends the closing notice; the connection stays open until the deadline. */
  announceEnd(reason: string, deadline_ms: number): void {
    this.#send({ type: 'closing', reason, deadline_ms })
    this.outbox.flush()
  }

  /** Closes the connection with a reason, even if the client does not read. */
  end(reason: string, code: CloseCode): void {
    if (this.#is_ending) return
    const closing = ownMessage({ type: 'closing', reason, deadline_ms: this.#ports.now() })
    this.outbox.end([closing], this.outbox.stalled_since !== null)
    this.endSilently(reason, code)
  }

  /** Closes the connection after the closing notice was sent. */
  endSilently(reason: string, code: CloseCode): void {
    if (this.#is_ending) return
    this.#is_ending = true
    count(this.#ports.counts.ended, code)
    this.leave()
    this.#socket.close(code, reason.slice(0, 120))
    setTimeout(() => this.#socket.terminate(), END_MS).unref()
  }

  endIdentity(reason: string): void {
    this.end(reason, CLOSE_CODE.policy)
  }

  fail(subscription: Subscription | PrivateSubscription): void {
    if (subscription instanceof PrivateSubscription) {
      this.end('a message could not be built; reconnect', CLOSE_CODE.internal)
      return
    }
    const { sid } = subscription.channel
    this.#ports.hub.unsubscribe(subscription)
    this.subscriptions.delete(sid)
    const message = `a message of ${sid} could not be built, and its subscription ended; subscribe again`
    this.#send({ type: 'error', id: null, sid, error: this.#errorOf(new ServiceError('INTERNAL_ERROR', message)) })
  }

  /** Releases the subscriptions of a closed connection. */
  leave(): void {
    this.#is_ending = true
    for (const subscription of this.subscriptions.values()) this.#ports.hub.unsubscribe(subscription)
    this.subscriptions.clear()
    this.#ports.accounts?.leave(this)
  }

  /** Answers a message. @returns the snapshot or missed events that it asked for, not sent yet; null: none */
  #answer(text: string): Sending | null {
    const message = decodeClientMessage(text)
    const { id } = message
    if (message.op === 'ping') this.#send({ type: 'pong', id, server_time_ms: this.#ports.now() })
    else if (message.op === 'unsubscribe') this.#unsubscribe(id, message.sid)
    else if (message.op === 'request') this.#perform(text, message)
    else if (message.op === 'auth') this.#authenticate(text, message)
    else if (isPrivateTopic(message.topic)) this.#subscribePrivately(text, message, message.topic)
    else return this.#subscribe(message, message.topic)
    return null
  }

  /**
   * Returns the request of a message; null: it holds none. Requests are counted by REST's limits; one that is longer than other
   * messages may be also costs messages, and only an authenticated client may send it.
   */
  #requestIn(text: string, bytes: number): RequestMessage | null {
    const { limits, now } = this.#ports
    const further = Math.ceil(bytes / limits.message_bytes_max) - 1
    if (further > 0 && this.#owner === null) return null
    if (further > 0) takeMessages(this.#bucket, now(), limits, further)
    return requestOfMessage(text)
  }

  /** Performs a request, beside others: responses come in any order. */
  #perform(text: string, { id, ...request }: RequestMessage): void {
    const { requests, limits } = this.#ports
    if (requests === null) throw withoutEngine()
    if (this.#in_flight >= limits.requests_in_flight_max) throw tooManyInFlight(limits)
    this.#in_flight += 1
    requests(request, this.#client.ip)
      .then((response) => {
        this.#has_begun ||= isIdentified(response)
        if (!this.#is_ending) this.outbox.push(responseMessage(id, response), true)
      })
      .catch((error: unknown) => this.#refuse(text, error))
      .finally(() => {
        this.#in_flight -= 1
      })
  }

  /** Authenticates; messages received meanwhile are answered afterwards, in order. */
  #authenticate(text: string, message: AuthMessage): void {
    const { accounts } = this.#ports
    if (this.#owner !== null) throw refused('the connection is already authenticated; allowed: once per connection')
    if (accounts === null) throw withoutEngine()
    this.#inbox.hold()
    this.#is_authenticating = true
    accounts
      .authenticate(message, this.#client.ip, this)
      .then((identity) => {
        this.#owner = identity
        this.#has_begun = true
        if (this.#is_ending) accounts.leave(this)
        else this.#send({ type: 'authenticated', id: message.id, ...identity, scopes: [...identity.scopes] })
      })
      .catch((error: unknown) => this.#refuseAuth(text, error))
      .finally(() => {
        this.#is_authenticating = false
        this.#inbox.release()
      })
  }

  #refuseAuth(text: string, error: unknown): void {
    this.#refuse(text, error)
    this.#refused_auths += 1
    if (this.#refused_auths >= PRIVATE_STREAM.refused_auths_max)
      this.end(`auth was rejected ${this.#refused_auths} times`, CLOSE_CODE.policy)
  }

  #subscribePrivately(text: string, message: SubscribeMessage, topic: PrivateTopicName): void {
    const { accounts, limits } = this.#ports
    if (accounts === null) throw withoutEngine()
    this.#requireRoom(limits)
    accounts
      .subscribe(message, topic, this)
      .then(() => {
        this.#has_begun = true
      })
      .catch((error: unknown) => this.#refuse(text, error))
  }

  #requireRoom({ subscriptions_max, subscriptions_per_address_max }: StreamLimits): void {
    const count = this.subscriptions.size + this.private_subscriptions.size
    if (count >= subscriptions_max)
      throw refused(`subscriptions is ${count + 1}; allowed: at most ${subscriptions_max}`)
    const of_address = subscriptionsOf(this.#client.share)
    if (of_address < subscriptions_per_address_max) return
    const message = `the address has ${of_address} subscriptions; allowed: at most ${subscriptions_per_address_max}`
    throw new ServiceError('RATE_LIMIT_EXCEEDED', message)
  }

  #subscribe(message: SubscribeMessage, topic: TopicName): Sending {
    const { hub, limits, unavailable } = this.#ports
    const reason = unavailable()
    if (reason !== null) throw new ServiceError('SERVICE_UNAVAILABLE', reason)
    const key = keyOf(message, topicOf(topic))
    const sid = sidOf(topic, key)
    if (this.subscriptions.has(sid)) throw refused(`${sid} is already subscribed; allowed: once per connection`)
    this.#requireRoom(limits)
    if (this.#owner === null && !this.#has_begun) requireAnonymousRoom(this.#client.share, limits)
    const { credit } = this.#client.share
    credit.require(this.#ports.now())
    const sending = hub.subscribe(message.id, topic, key, message.resume ?? null, this)
    this.#has_begun = true
    return sending
  }

  #unsubscribe(id: string, sid: string): void {
    const subscription = this.subscriptions.get(sid)
    const private_subscription = this.private_subscriptions.get(sid)
    if (private_subscription !== undefined) this.#ports.accounts?.unsubscribe(private_subscription, this)
    else if (subscription === undefined) {
      const message = `sid is ${JSON.stringify(sid.slice(0, 80))}; allowed: the sid of a subscription of this connection`
      throw new ServiceError('SUBSCRIPTION_NOT_FOUND', message, { field: 'sid' })
    } else this.#ports.hub.unsubscribe(subscription)
    this.subscriptions.delete(sid)
    this.outbox.forget(sid)
    this.#send({ type: 'unsubscribed', id, sid })
  }

  #refuse(text: string, error: unknown): void {
    const known = isServiceError(error)
    if (!known) this.#ports.onFailure(error, 'client message')
    const shown = known ? error : new ServiceError('INTERNAL_ERROR', 'the service failed on this message')
    count(this.#ports.counts.refused, shown.code)
    this.#send({ type: 'error', id: idOfMessage(text), error: this.#errorOf(shown) })
  }

  #errorOf(error: ServiceError) {
    return streamError(error, newRequestId(this.#ports.now()))
  }

  #beat(now_ms: number): void {
    this.#beat_ms = now_ms
    this.#silent_beats += 1
    if (this.#silent_beats > SILENT_BEATS_MAX) {
      this.#socket.terminate()
      return
    }
    this.#socket.ping()
    const all = [...this.subscriptions, ...this.private_subscriptions]
    const subscriptions = all.map(([sid, { last_seq }]) => ({ sid, last_seq }))
    if (this.outbox.stalled_since === null) this.#send({ type: 'heartbeat', server_time_ms: now_ms, subscriptions })
  }

  onStuck(): void {
    this.end('slow consumer: answers are not read', CLOSE_CODE.try_again_later)
  }

  onDropped(messages: readonly Message[]): void {
    for (const { sid, prev_seq } of messages) if (sid !== null) this.#subscriptionOf(sid)?.lose(prev_seq)
    this.#ports.counts.dropped += messages.length
    this.#has_losses = true
  }

  /** Recovers subscriptions that lost messages once everything is sent, one per turn, so that each snapshot has room. */
  onEmpty(): void {
    if (!this.#has_losses || this.#is_ending) return
    const lost = [...this.subscriptions.values()].find((subscription) => subscription.lost !== null)
    const private_lost = [...this.private_subscriptions.values()].find((subscription) => subscription.lost !== null)
    if (lost !== undefined) this.#inbox.send(this.#ports.hub.recover(lost))
    else if (private_lost !== undefined) this.#ports.accounts?.recover(private_lost)
    else this.#has_losses = this.#isSending()
  }

  /** Whether a snapshot is still being sent; some of its messages may be lost. */
  #isSending(): boolean {
    const all = [...this.subscriptions.values(), ...this.private_subscriptions.values()]
    return all.some(({ is_sending }) => is_sending)
  }

  #subscriptionOf(sid: string): Subscription | PrivateSubscription | undefined {
    return this.subscriptions.get(sid) ?? this.private_subscriptions.get(sid)
  }

  #send(content: Parameters<typeof ownMessage>[0]): void {
    if (!this.#is_ending) this.outbox.push(ownMessage(content))
  }
}

function notText(): ServiceError {
  return refused('message is a binary frame; allowed: one JSON object in a text frame')
}
