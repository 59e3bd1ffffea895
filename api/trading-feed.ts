import { setTimeout as pause } from 'node:timers/promises'
import type { Micros } from '../primitives/instants.ts'
import type { EngineEvent } from '../trading/engine/events.ts'
import type { Pool } from '../trading/store/create-pool.ts'
import { createTradingReads } from '../trading/store/read/create-trading-reads.ts'
import type { Head } from '../trading/store/read/trading-reads.ts'
import { decodeEvent, type TailedEvent, tailEvents } from '../trading/store/tail-events.ts'

/** What one transaction of the engine said: whole, in the order of engine_sequence. */
export type EngineBatch = {
  readonly batch_sequence: number
  readonly at: Micros
  readonly events: readonly EngineEvent[]
  readonly last_engine_sequence: number
}

export type FeedListener = (batch: EngineBatch) => void

/** The committed events of the engine, read once for a whole process. */
export type TradingFeed = {
  /** The last event that listeners were told of, and the identity of the history; null: the database was not reached yet. */
  head(): Pick<Head, 'epoch' | 'engine_sequence' | 'at'> | null
  /** Tells every batch that is committed from now on, each once and in order. @returns ends it */
  subscribe(listener: FeedListener): () => void
  close(): Promise<void>
}

export type TradingFeedOptions = {
  readonly pool: Pool
  /** A listener failed: a bug of it; the others and the feed go on. */
  readonly onFailure?: (error: unknown, where: string) => void
  /** Look by itself after this long without a notice. */
  readonly poll_ms?: number
}

const RETRY_MS = 500

/** Follows the engine from the last committed batch on. It waits while the database is away, and misses nothing. */
export function openTradingFeed({ pool, onFailure = () => undefined, poll_ms = 500 }: TradingFeedOptions): TradingFeed {
  const end = new AbortController()
  const { signal } = end
  const listeners = new Set<FeedListener>()
  let head: Head | null = null

  const tell = (batch: EngineBatch) => {
    head = { ...head!, engine_sequence: batch.last_engine_sequence, at: batch.at }
    for (const listener of listeners) {
      try {
        listener(batch)
      } catch (error) {
        onFailure(error, 'trading feed')
      }
    }
  }
  const follow = async () => {
    head = await firstHead(pool, signal)
    const whole = new WholeBatches()
    for await (const rows of tailEvents(pool, head.engine_sequence, { limit: PIECE, poll_ms, signal }))
      for (const batch of whole.take(rows)) tell(batch)
  }
  const following = follow().catch((error: unknown) => {
    if (!signal.aborted) onFailure(error, 'trading feed')
  })
  return {
    head: () => head,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      end.abort()
      await following
    },
  }
}

/** Before anything was committed there is no history to follow: its identity is the hash of its first batch. */
async function firstHead(pool: Pool, signal: AbortSignal): Promise<Head> {
  const reads = createTradingReads(pool)
  for (;;) {
    signal.throwIfAborted()
    const head = await reads.head().catch(() => null)
    if (head !== null && head.at > 0) return head
    await pause(RETRY_MS, undefined, { signal })
  }
}

/** Events in one piece at most. */
const PIECE = 1_000

/** Puts events together into batches; a piece that is full may end within one. */
class WholeBatches {
  private held: TailedEvent[] = []

  take(rows: readonly TailedEvent[]): EngineBatch[] {
    const batches: EngineBatch[] = []
    for (const row of rows) {
      if (this.held.length > 0 && this.held[0]!.batch_sequence !== row.batch_sequence) batches.push(this.release())
      this.held.push(row)
    }
    if (rows.length < PIECE && this.held.length > 0) batches.push(this.release())
    return batches
  }

  private release(): EngineBatch {
    const rows = this.held
    this.held = []
    const { batch_sequence, at } = rows[0]!
    return { batch_sequence, at, events: rows.map(decodeEvent), last_engine_sequence: rows.at(-1)!.engine_sequence }
  }
}
