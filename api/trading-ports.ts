import type { Micros } from '../primitives/instants.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import type { KeySource } from '../trading/auth/auth-key.ts'
import type { KeyUse } from '../trading/auth/key-activity.ts'
import { createKeySource } from '../trading/auth/key-source.ts'
import type { NonceStore } from '../trading/auth/nonces.ts'
import type { KeyEncryptionKey } from '../trading/auth/seal-secret.ts'
import type { SignatureVerifier } from '../trading/auth/signature-verifier.ts'
import type { EngineClient } from '../trading/service/engine-client.ts'
import { sharedStamp } from '../trading/service/shared-stamp.ts'
import type { Pool } from '../trading/store/create-pool.ts'
import { createNonceStore } from '../trading/store/read/create-nonce-store.ts'
import { createTradingReads } from '../trading/store/read/create-trading-reads.ts'
import { noteKeyActivity } from '../trading/store/read/note-key-activity.ts'
import { createPastReads } from '../trading/store/read/past-reads.ts'
import { createPublicReads } from '../trading/store/read/public-reads.ts'
import { createStreamReads, type StreamReads } from '../trading/store/read/stream-reads.ts'
import { createTapeReads, type TapeReads } from '../trading/store/read/tape-reads.ts'
import type { TradingReads } from '../trading/store/read/trading-reads.ts'
import { type OwnVenue, type OwnVenuePorts, openOwnVenue as openVenue } from './own-venue/own-venue.ts'
import { openTradingFeed, type TradingFeed, type TradingFeedOptions } from './trading-feed.ts'
import { type TargetRules, targetRules } from './webhooks/webhook-target.ts'

/** Ports that an API process needs to serve accounts; without them private routes answer 503, and public ones are unaffected. */
export type TradingPorts = {
  /** Every write goes through it. */
  readonly engine: EngineClient
  /** Makes an instant final for reads: no later batch is stamped at or before it. Reads share it. */
  readonly stamp: (at: Micros) => Promise<void>
  /** Reads of the trading database. */
  readonly reads: TradingReads
  /** Reads of the public record of our own markets, from a past instant on. */
  readonly tape: TapeReads
  /** Reads of private streams. */
  readonly stream_reads: StreamReads
  /** `forget` is called after a key was created, rotated or revoked here. */
  readonly keys: KeySource & { readonly forget?: (key_id?: string) => void }
  /** Nonces of signed requests, which all API processes share. */
  readonly nonces: NonceStore
  /** Notes a request with a key for the key's audit log. Written some seconds later. */
  readonly noteUse: (use: KeyUse) => void
  readonly verifier: SignatureVerifier
  /** Key that encrypts HMAC secrets. */
  readonly sealing: KeyEncryptionKey
  /** Rules of the addresses that may receive webhooks. */
  readonly webhook_targets: TargetRules
  /** Follows the engine's commits; once per process. The opener closes it. */
  readonly openFeed: (options?: Omit<TradingFeedOptions, 'pool'>) => TradingFeed
  /** Public state of the markets listed on Tidemark, updated by the feed. The opener closes it, before the feed. */
  readonly openOwnVenue: (feed: TradingFeed, onFailure?: OwnVenuePorts['onFailure']) => OwnVenue
}

/**
 * Creates the ports over a pool of the trading database. `serveApi` does not close pool, engine client and verifier: its caller does,
 * after the API.
 */
export function tradingPorts(given: {
  readonly pool: Pool
  readonly engine: EngineClient
  readonly verifier: SignatureVerifier
  readonly sealing: KeyEncryptionKey
  /** Left out: no host is allowed to be private. */
  readonly webhook_targets?: TargetRules
}): TradingPorts {
  const { pool, engine, verifier, sealing, webhook_targets = targetRules([]) } = given
  const reads = createTradingReads(pool)
  let opened: TradingFeed | null = null
  const keys = createKeySource(reads.key, undefined, () => opened?.confirmed() ?? null)
  const openFeed: TradingPorts['openFeed'] = (options = {}) => {
    const feed = openTradingFeed({ ...options, pool })
    feed.subscribe(({ events }) => {
      for (const event of events) {
        if (event.kind === 'key') keys.forget(event.key_id)
        else if (event.kind === 'account') keys.forgetAccount(event.account_id)
      }
    })
    opened = feed
    return feed
  }
  const public_reads = createPublicReads(pool)
  const past = createPastReads(pool)
  const stamp = sharedStamp((at) => engine.submit({ kind: 'stamp', at }))
  const openOwnVenue: TradingPorts['openOwnVenue'] = (feed, onFailure = () => undefined) =>
    openVenue({ feed, reads: public_reads, past, seal: stamp, now: wallClock, onFailure })
  return {
    engine,
    stamp,
    reads,
    tape: createTapeReads(pool),
    stream_reads: createStreamReads(pool),
    keys,
    nonces: createNonceStore(pool),
    noteUse: noteKeyActivity(pool),
    verifier,
    sealing,
    webhook_targets,
    openFeed,
    openOwnVenue,
  }
}
