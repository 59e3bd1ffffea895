import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '../trading/store/create-pool.ts'
import { createTradingReads } from '../trading/store/read/create-trading-reads.ts'
import type { Head } from '../trading/store/read/trading-reads.ts'
import { type EngineBatch, tailBatches } from '../trading/store/tail-batches.ts'

export type { EngineBatch } from '../trading/store/tail-batches.ts'

type FeedListener = (batch: EngineBatch) => void

/** Instants of performance.now(): every commit from `from_ms` to `until_ms` was delivered, earlier ones were not. */
type Confirmed = { readonly from_ms: number; readonly until_ms: number }

/** Committed events of the engine, read once per process. */
export type TradingFeed = {
  /** Last event delivered to listeners, and the identity of the history; null: the database has not been reached yet. */
  head(): Pick<Head, 'epoch' | 'engine_sequence' | 'at'> | null
  /** Range of commits that listeners have received; null: the database has not been reached yet. */
  confirmed(): Confirmed | null
  /**
   * Delivers every batch committed from now on, each once and in order.
   * @param of_accounts  whether the listener wants account events now. From then on it receives all later ones, and must read earlier
   *   ones itself. While no listener wants them, they are not read at all.
   * @returns function that unsubscribes
   */
  subscribe(listener: FeedListener, of_accounts?: () => boolean): () => void
  close(): Promise<void>
}

export type TradingFeedOptions = {
  readonly pool: Pool
  /** Called when a listener throws: a bug in it; the feed and other listeners continue. */
  readonly onFailure?: (error: unknown, where: string) => void
  /** Time without a notification after which the feed polls. */
  readonly poll_ms?: number
  /** While the engine is busy, commits within this time are read together. */
  readonly gather_ms?: number
}

const RETRY_MS = 500

/** Follows the engine from its last committed batch. It waits while the database is unreachable, and misses nothing. */
export function openTradingFeed(options: TradingFeedOptions): TradingFeed {
  const { pool, onFailure = () => undefined, poll_ms = 400, gather_ms = 10 } = options
  const end = new AbortController()
  const { signal } = end
  const listeners = new Map<FeedListener, () => boolean>()
  let head: Head | null = null
  let confirmed: Confirmed | null = null

  const deliver = (batch: EngineBatch) => {
    head = { ...head!, engine_sequence: batch.last_engine_sequence, at: batch.at }
    for (const listener of listeners.keys()) {
      try {
        listener(batch)
      } catch (error) {
        onFailure(error, 'trading feed')
      }
    }
  }
  const follow = async () => {
    head = await firstHead(pool, signal)
    const from_ms = performance.now()
    const cursor = { at: head.at, last_engine_sequence: head.engine_sequence }
    const of_accounts = () => [...listeners.values()].some((wants) => wants())
    const options = { poll_ms, gather_ms, of_accounts, signal }
    for await (const { batches, asked_ms, is_all } of tailBatches(pool, cursor, options)) {
      for (const batch of batches) deliver(batch)
      if (is_all) confirmed = { from_ms, until_ms: asked_ms }
    }
  }
  const following = follow().catch((error: unknown) => {
    if (!signal.aborted) onFailure(error, 'trading feed')
  })
  return {
    head: () => head,
    confirmed: () => confirmed,
    subscribe: (listener, of_accounts = () => false) => {
      listeners.set(listener, of_accounts)
      return () => listeners.delete(listener)
    },
    close: async () => {
      end.abort()
      await following
    },
  }
}

/** Waits for the first commit: the identity of the history is the hash of its first batch. */
async function firstHead(pool: Pool, signal: AbortSignal): Promise<Head> {
  const reads = createTradingReads(pool)
  for (;;) {
    signal.throwIfAborted()
    const head = await reads.head().catch(() => null)
    if (head !== null && head.at > 0) return head
    await pause(RETRY_MS, undefined, { signal })
  }
}
