import { ServiceError } from '../../primitives/errors.ts'
import { TokenBucket } from '../../primitives/token-bucket.ts'
import { STREAM } from '../../protocol/limits.ts'
import { tooFast } from './stream-errors.ts'
import { CLOSE_CODE, type CloseCode, type StreamLimits } from './stream-limits.ts'

/** Connection that counts towards its address; once authenticated, the account's limit of connections counts instead. */
type Counted = {
  readonly identity: unknown
  readonly is_ending: boolean
  /** Whether it has neither subscribed nor sent an `auth` that is being verified. */
  readonly is_idle: boolean
  end(reason: string, code: CloseCode): void
  /** Whether it has begun, and has not authenticated: only such a connection may last without identity. */
  readonly is_anonymous: boolean
  readonly subscriptions: { readonly size: number }
  readonly private_subscriptions: { readonly size: number }
}

/**
 * Bytes of snapshots that were sent to one caller, as a token bucket. A snapshot is sent on credit, because its size is known only
 * when it is made; the next one waits until the credit is paid back.
 */
export class SnapshotCredit {
  readonly #bucket: TokenBucket

  constructor(limits: StreamLimits['snapshot_bytes'] = STREAM.snapshot_bytes) {
    this.#bucket = bucketOf(limits)
  }

  /** @throws {ServiceError} RATE_LIMIT_EXCEEDED */
  require(now_ms: number): void {
    if (this.#bucket.take(now_ms, 0)) return
    const wait_ms = this.#bucket.waitMs(0)
    throw tooFast(`this caller has received more bytes of snapshots than allowed; wait ${wait_ms} ms`, wait_ms)
  }

  spend(bytes: number, now_ms: number): void {
    this.#bucket.reserve(now_ms, bytes)
  }

  isPaid(now_ms: number): boolean {
    return this.#bucket.isFull(now_ms)
  }
}

/** Connections of one address, and what they share. */
export type AddressShare = {
  /** Oldest first. */
  readonly connections: Set<Counted>
  readonly connects: TokenBucket
  readonly credit: SnapshotCredit
}

/** Wait stated to an address at its limit, in which one of its connections usually authenticates or can be closed. */
const FULL_WAIT_MS = 1000

/** Shares of all addresses. An address that left is remembered until its credit is paid back. */
export class AddressShares {
  readonly #limits: StreamLimits
  readonly #shares = new Map<string, AddressShare>()

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /**
   * Makes room for another connection of an address, which has not authenticated yet. In a full address the oldest connection that
   * asks for nothing gives way, so that silent ones, however often they are opened again, do not keep out who authenticates at once.
   * @returns the refusal; null: there is room
   */
  refusalOf(address: string, now_ms: number): ServiceError | null {
    const { connections, connects } = this.of(address)
    const { connections_per_address_max: max, connects: allowed } = this.#limits
    if (!connects.take(now_ms)) {
      const message = `the address opens connections too fast; allowed: ${allowed.rate} a second, ${allowed.burst} at once`
      return tooFast(message, connects.waitMs(1))
    }
    const counted = [...connections].filter(({ identity, is_ending }) => identity === null && !is_ending)
    if (counted.length < max) return null
    const idle = counted.find(({ is_idle }) => is_idle)
    idle?.end('a newer connection of the address needs the place; authenticate at once', CLOSE_CODE.try_again_later)
    if (idle !== undefined) return null
    return tooFast(`the address has ${counted.length} connections without auth; allowed: at most ${max}`, FULL_WAIT_MS)
  }

  of(address: string): AddressShare {
    const share = this.#shares.get(address) ?? {
      connections: new Set(),
      connects: bucketOf(this.#limits.connects),
      credit: new SnapshotCredit(this.#limits.snapshot_bytes),
    }
    this.#shares.set(address, share)
    return share
  }

  /** Forgets addresses without a connection whose credit is paid back. */
  check(now_ms: number): void {
    for (const [address, { connections, connects, credit }] of this.#shares)
      if (connections.size === 0 && connects.isFull(now_ms) && credit.isPaid(now_ms)) this.#shares.delete(address)
  }
}

/**
 * Refuses the first subscription of a connection that has not authenticated when its address has no place left for one. The other
 * places are for connections that are about to authenticate, so that nobody behind the same address can keep the holder of a key out.
 * @throws {ServiceError} RATE_LIMIT_EXCEEDED
 */
export function requireAnonymousRoom({ connections }: AddressShare, limits: StreamLimits): void {
  const max = limits.anonymous_per_address_max
  const count = [...connections].filter(({ is_anonymous }) => is_anonymous).length
  if (count < max) return
  const message = `the address has ${count} connections with subscriptions and without auth; allowed: at most ${max}; authenticate, or close one`
  throw new ServiceError('RATE_LIMIT_EXCEEDED', message)
}

function bucketOf({ rate, burst }: StreamLimits['connects']): TokenBucket {
  return new TokenBucket({ tokens: rate, window_ms: 1000, burst })
}

/** Returns the number of subscriptions of an address. */
export function subscriptionsOf({ connections }: AddressShare): number {
  let count = 0
  for (const { subscriptions, private_subscriptions } of connections)
    count += subscriptions.size + private_subscriptions.size
  return count
}
