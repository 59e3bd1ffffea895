import { invariant } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { AuthKey } from '../../../trading/auth/auth-key.ts'
import type { KeyEvent } from '../../../trading/engine/events.ts'
import type { TradingFeed } from '../../trading-feed.ts'
import type { TradingPorts } from '../../trading-ports.ts'

export type EndableSession = { endIdentity(reason: string): void }

type Ports = {
  readonly feed: TradingFeed
  readonly trading: Pick<TradingPorts, 'reads'>
  readonly onFailure: (error: unknown, where: string) => void
}

type Watched = { readonly key_id: string; ends_at: Micros | null; reason: string }

/**
 * Closes connections when their keys end: on revocation, on expiry, and after a rotation when the previous secret, which signed the
 * connection, expires.
 */
export class EndedKeys {
  readonly #ports: Ports
  readonly #watched = new Map<EndableSession, Watched>()
  readonly #leave: () => void

  constructor(ports: Ports) {
    this.#ports = ports
    this.#leave = ports.feed.subscribe(({ events }) => {
      for (const event of events) if (event.kind === 'key') this.#note(event)
    })
  }

  close(): void {
    this.#leave()
  }

  /**
   * Watches the key of a connection. Its record is read again afterwards, to include changes made before.
   */
  async watch(session: EndableSession, key_id: string): Promise<void> {
    const watched: Watched = { key_id, ends_at: null, reason: 'the key has expired' }
    this.#watched.set(session, watched)
    const key = await this.#ports.trading.reads.key(key_id)
    invariant(key !== null, `key ${key_id} was just found`)
    this.#apply(watched, key)
  }

  forget(session: EndableSession): void {
    this.#watched.delete(session)
  }

  /** Closes connections whose keys have expired. */
  check(now: Micros): void {
    for (const [session, { ends_at, reason }] of [...this.#watched])
      if (ends_at !== null && ends_at <= now) session.endIdentity(reason)
  }

  #note({ key_id, action, at }: KeyEvent): void {
    const affected = [...this.#watched].filter(([, watched]) => watched.key_id === key_id)
    if (affected.length === 0 || action === 'created') return
    if (action === 'revoked') for (const [session] of affected) session.endIdentity('the key was revoked')
    else void this.#noteRotation(key_id, affected, at)
  }

  async #noteRotation(
    key_id: string,
    affected: readonly (readonly [EndableSession, Watched])[],
    at: Micros,
  ): Promise<void> {
    const reason = 'the secret that signed this connection is no longer valid'
    try {
      const key = await this.#ports.trading.reads.key(key_id)
      for (const [session, watched] of affected) {
        watched.reason = reason
        watched.ends_at = Math.min(key?.previous_until ?? at, watched.ends_at ?? Number.POSITIVE_INFINITY)
        if (watched.ends_at <= at) session.endIdentity(reason)
      }
    } catch (error) {
      this.#ports.onFailure(error, 'private stream')
      for (const [session] of affected) session.endIdentity(reason)
    }
  }

  #apply(watched: Watched, { revoked_at, expires_at }: AuthKey): void {
    if (revoked_at !== null) {
      watched.reason = 'the key was revoked'
      watched.ends_at = revoked_at
    } else if (expires_at !== null) watched.ends_at = Math.min(expires_at, watched.ends_at ?? Number.POSITIVE_INFINITY)
  }
}
