import { createHash } from 'node:crypto'
import { ServiceError } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { TokenBucket } from '../../../primitives/token-bucket.ts'
import { PRIVATE_STREAM } from '../../../protocol/limits.ts'
import { ACCESS_HEADERS } from '../../../protocol/signing/access-headers.ts'
import { hasScope } from '../../../protocol/signing/scopes.ts'
import type { AuthMessage, SubscribeMessage } from '../../../protocol/stream/client-messages.ts'
import { type PrivateTopicName, privateTopicOf } from '../../../protocol/stream/private-topics.ts'
import type { Authenticate } from '../../../trading/auth/authenticate.ts'
import type { RequestParts } from '../../../trading/auth/request-parts.ts'
import type { StreamReads } from '../../../trading/store/read/stream-reads.ts'
import { missing } from '../../missing-resource.ts'
import type { TradingFeed } from '../../trading-feed.ts'
import type { TradingPorts } from '../../trading-ports.ts'
import { SnapshotCredit } from '../address-shares.ts'
import { filtersOf } from '../decode-client-message.ts'
import { tooFast } from '../stream-errors.ts'
import { EndedKeys } from './ended-keys.ts'
import { joinSubscription, recoverSubscription } from './join-subscription.ts'
import { PrivateHub } from './private-hub.ts'
import { type PrivateSubscriber, PrivateSubscription } from './private-subscription.ts'

/** Account and key of a connection. */
export type Identity = {
  readonly key_id: string
  readonly account_id: string
  readonly scopes: readonly string[]
}

/** An authenticated connection. */
export type IdentifiedSession = PrivateSubscriber & {
  readonly identity: Identity | null
  /** Called when the key is no longer valid for the connection. */
  endIdentity(reason: string): void
}

export type PrivateStreamPorts = {
  readonly trading: Pick<TradingPorts, 'reads'>
  readonly authenticate: Authenticate
  readonly feed: TradingFeed
  readonly reads: StreamReads
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onFailure: (error: unknown, where: string) => void
}

const EMPTY_HASH = createHash('sha256').digest('hex')
const WS_REQUEST = { method: 'WS', path: '/v1/ws', query: '', body_sha256: EMPTY_HASH } as const

/** Private streams: authenticates connections, checks what they may subscribe to, and closes them when their keys end. */
export class PrivateStream {
  readonly #ports: PrivateStreamPorts
  readonly #hub: PrivateHub
  readonly #ended: EndedKeys
  readonly #by_account = new Map<string, Set<IdentifiedSession>>()
  readonly #buckets = new Map<string, TokenBucket>()
  /** Bytes of snapshots, by key. */
  readonly #credits = new Map<string, SnapshotCredit>()

  constructor(ports: PrivateStreamPorts) {
    this.#ports = ports
    this.#hub = new PrivateHub(ports)
    this.#ended = new EndedKeys(ports)
  }

  close(): void {
    this.#hub.close()
    this.#ended.close()
  }

  /**
   * Authenticates the signer of an `auth` message.
   * @throws {ServiceError} as REST: AUTH_*, REPLAY_REQUEST_NONCE_REUSED, SERVICE_UNAVAILABLE; RATE_LIMIT_EXCEEDED: the account has
   *   too many connections
   */
  async authenticate(message: AuthMessage, ip: string, session: IdentifiedSession): Promise<Identity> {
    this.#requireFeed()
    const { key_id, timestamp, nonce, signature_version, signature } = message
    const headers = { key_id, timestamp, nonce, signature, signature_version }
    const caller = await this.#callerOf({ ...WS_REQUEST, headers, ip })
    this.#requireRoom(caller.account_id)
    const { account_id, scopes } = caller
    await this.#ended.watch(session, key_id)
    const sessions = this.#by_account.get(account_id) ?? new Set()
    this.#by_account.set(account_id, sessions.add(session))
    return { key_id, account_id, scopes }
  }

  /** Removes a closed connection. */
  leave(session: IdentifiedSession): void {
    for (const subscription of session.private_subscriptions.values()) this.#hub.remove(subscription)
    session.private_subscriptions.clear()
    this.#ended.forget(session)
    if (session.identity === null) return
    const { account_id } = session.identity
    const sessions = this.#by_account.get(account_id)
    sessions?.delete(session)
    if (sessions?.size === 0) this.#by_account.delete(account_id)
  }

  /** Housekeeping, about once a second: closes connections whose keys have expired. */
  check(now_ms: number): void {
    this.#ended.check(now_ms * 1000)
    for (const [key_id, bucket] of this.#buckets) if (bucket.isFull(now_ms)) this.#buckets.delete(key_id)
    for (const [key_id, credit] of this.#credits) if (credit.isPaid(now_ms)) this.#credits.delete(key_id)
  }

  /**
   * Subscribes a connection to a topic of its account.
   * @throws {ServiceError} AUTH_CREDENTIALS_INVALID: not authenticated; AUTH_SCOPE_INSUFFICIENT; ACCOUNT_NOT_FOUND: another account;
   *   VALIDATION_MESSAGE_INVALID; RATE_LIMIT_EXCEEDED; SERVICE_UNAVAILABLE
   */
  async subscribe(message: SubscribeMessage, topic: PrivateTopicName, session: IdentifiedSession): Promise<void> {
    const identity = session.identity ?? withoutIdentity(topic)
    requireScope(topic, identity)
    const { account_id = identity.account_id, market_id = null } = filtersOf(message, privateTopicOf(topic))
    if (account_id !== identity.account_id) throw missing('account', account_id)
    this.#requireFeed()
    const subscription = new PrivateSubscription(topic, { account_id, market_id }, session)
    const { sid } = subscription
    if (session.private_subscriptions.has(sid)) throw subscribedAlready(sid)
    this.#creditOf(identity.key_id).require(this.#ports.now())
    this.#spend(identity.key_id)
    session.private_subscriptions.set(sid, subscription)
    this.#hub.add(subscription)
    const ports = { reads: this.#ports.reads, now: () => this.#micros() }
    await joinSubscription(ports, subscription, message.id, message.resume ?? null).catch((error: unknown) => {
      this.unsubscribe(subscription, session)
      throw error
    })
    this.#creditOf(identity.key_id).spend(subscription.shown_bytes, this.#ports.now())
  }

  unsubscribe(subscription: PrivateSubscription, session: PrivateSubscriber): void {
    this.#hub.remove(subscription)
    session.private_subscriptions.delete(subscription.sid)
  }

  /** Sends a fresh snapshot to a subscription that lost messages. */
  recover(subscription: PrivateSubscription): void {
    const ports = { reads: this.#ports.reads, now: () => this.#micros() }
    recoverSubscription(ports, subscription).catch((error: unknown) => {
      this.#ports.onFailure(error, 'private stream')
      subscription.fail()
    })
  }

  #creditOf(key_id: string): SnapshotCredit {
    const credit = this.#credits.get(key_id) ?? new SnapshotCredit()
    this.#credits.set(key_id, credit)
    return credit
  }

  #micros(): Micros {
    return this.#ports.now() * 1000
  }

  /** Authenticates a request. @throws {ServiceError} as REST, with the field names of the message */
  async #callerOf(parts: RequestParts) {
    try {
      return await this.#ports.authenticate(parts, { scopes: [] })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const fields = Object.entries(ACCESS_HEADERS)
      const message = fields
        .toSorted(([, a], [, b]) => b.length - a.length)
        .reduce((text, [field, header]) => text.replaceAll(header, field), error.message)
      throw new ServiceError(error.code, message, error.facts)
    }
  }

  #requireRoom(account_id: string): void {
    const count = this.#by_account.get(account_id)?.size ?? 0
    if (count < PRIVATE_STREAM.connections_max) return
    const message = `the account has ${count} connections; allowed: at most ${PRIVATE_STREAM.connections_max}`
    throw new ServiceError('RATE_LIMIT_EXCEEDED', message)
  }

  #requireFeed(): void {
    if (this.#ports.feed.head() !== null) return
    const message = 'the trading database has not been reached yet; try again'
    throw new ServiceError('SERVICE_UNAVAILABLE', message, { phase: 'database' })
  }

  #spend(key_id: string): void {
    const { subscribes } = PRIVATE_STREAM
    const now_ms = this.#ports.now()
    const bucket =
      this.#buckets.get(key_id) ??
      new TokenBucket({ tokens: subscribes.rate, window_ms: 1000, burst: subscribes.burst })
    this.#buckets.set(key_id, bucket)
    if (bucket.take(now_ms)) return
    const allowed = `${subscribes.rate} a second, at most ${subscribes.burst} at once`
    throw tooFast(`this key subscribes too fast; allowed: ${allowed}`, bucket.waitMs(1))
  }
}

function withoutIdentity(topic: string): never {
  const message = `${topic} is private; authenticate first: send auth and wait for authenticated`
  throw new ServiceError('AUTH_CREDENTIALS_INVALID', message, { topic })
}

function requireScope(name: PrivateTopicName, { scopes }: Identity): void {
  const { scope } = privateTopicOf(name)
  if (hasScope(scopes, scope)) return
  const message = `the key has the scopes ${scopes.join(' ') || 'none'}; needed: ${scope}`
  throw new ServiceError('AUTH_SCOPE_INSUFFICIENT', message, { needed: scope })
}

function subscribedAlready(sid: string): ServiceError {
  return new ServiceError('VALIDATION_MESSAGE_INVALID', `${sid} is already subscribed; allowed: once per connection`)
}
