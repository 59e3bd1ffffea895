import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { EngineEvent } from '../../trading/engine/events.ts'
import type { PublicMarket } from '../../trading/public-market/public-market.ts'
import { PublicMarkets } from '../../trading/public-market/public-markets.ts'
import type { PublicReads, PublicState } from '../../trading/store/read/public-reads.ts'
import { decodeEvent } from '../../trading/store/tailed-event.ts'
import type { HubFeed } from '../stream/hub-feed.ts'
import type { EngineBatch, TradingFeed } from '../trading-feed.ts'
import { OWN_RECENT, OwnFeed } from './own-feed.ts'

/** Public state of the markets listed on Tidemark, in memory, within milliseconds of the engine's last commit. */
export type OwnVenue = {
  /** `starting`: the trading database was not read yet, so the listed markets are unknown. */
  phase(): 'starting' | 'ready'
  /** null: not listed here. */
  market(market_id: string): PublicMarket | null
  markets(): readonly PublicMarket[]
  /** Stamp of the last batch applied; every later batch has a greater stamp. */
  head_at(): Micros
  /** Instant up to which every commit is known to be applied. */
  confirmed_at(): Micros
  /** Feed of changes for the stream. */
  readonly feed: HubFeed
  readonly reads: Pick<PublicReads, 'trades'>
  close(): Promise<void>
}

export type OwnVenuePorts = {
  readonly feed: TradingFeed
  readonly reads: PublicReads
  readonly now: () => Micros
  /** Called with a bug, or with the error of a read that is retried. */
  readonly onFailure?: (error: unknown, where: string) => void
  /** Interval between checks that memory matches the committed state. */
  readonly confirm_ms?: number
}

const RETRY_MS = 100
const CONFIRM_MS = 5_000
/** Most past events read at the start, private ones included; more would delay it. */
const READ_BACK_MAX = 500_000

/** Reads the books once, then applies the feed's batches. While the database is unreachable it serves its last state. */
export function openOwnVenue(ports: OwnVenuePorts): OwnVenue {
  const venue = new FollowedVenue(ports)
  return {
    phase: () => venue.phase,
    market: (market_id) => venue.markets.market(market_id),
    markets: () => venue.markets.all(),
    head_at: () => venue.head_at,
    confirmed_at: () => venue.confirmed_at,
    feed: venue.feed,
    reads: ports.reads,
    close: () => venue.close(),
  }
}

class FollowedVenue {
  readonly markets = new PublicMarkets()
  readonly feed: OwnFeed
  phase: 'starting' | 'ready' = 'starting'
  head_at: Micros = 0
  confirmed_at: Micros = 0
  readonly #ports: OwnVenuePorts
  readonly #end = new AbortController()
  readonly #work: Promise<unknown>
  readonly #leave: () => void
  /** Batches waiting for the first read, or for the listing of a new market. */
  #waiting: EngineBatch[] = []
  #applied_sequence = 0
  #is_reading = true

  constructor(ports: OwnVenuePorts) {
    this.#ports = ports
    this.feed = new OwnFeed(this.markets, ports.now)
    // Subscribed before the first read: later batches come from the feed, those already read are skipped.
    this.#leave = ports.feed.subscribe((batch) => {
      this.#waiting.push(batch)
      this.#drain()
    })
    this.#work = this.#follow().catch((error: unknown) => this.#fail(error))
  }

  async close(): Promise<void> {
    this.#leave()
    this.#end.abort()
    await this.#work
  }

  async #follow(): Promise<void> {
    const { signal } = this.#end
    this.#begin(await this.#firstState())
    this.#is_reading = false
    this.#drain()
    for (;;) {
      await pause(this.#ports.confirm_ms ?? CONFIRM_MS, undefined, { signal })
      await this.#confirm()
    }
  }

  /** Reads the state that the feed continues from, once the feed has started. */
  async #firstState(): Promise<PublicState> {
    const { feed, reads, now } = this.#ports
    for (;;) {
      if (feed.head() !== null) {
        const window = { since: now() - OWN_RECENT.retention_ms * 1000, events_max: READ_BACK_MAX }
        const state = await this.#tried(() => reads.state(window))
        if (state !== null) return state
      } else if ((await this.#tried(() => reads.head()))?.at === 0) {
        // The engine has not committed anything yet, so there are no markets.
        this.phase = 'ready'
      }
      await pause(RETRY_MS, undefined, { signal: this.#end.signal })
    }
  }

  #begin(state: PublicState): void {
    const { markets, feed } = this
    for (const market of state.markets) markets.list(market)
    markets.restore(state.places.map(decodeEvent))
    for (const { at, events } of batchesOf(state)) feed.take(markets.apply(at, events), false)
    markets.setBooks(state.levels)
    feed.begin(state.head.epoch)
    this.#applied_sequence = state.head.engine_sequence
    this.head_at = state.head.at
    this.confirmed_at = state.head.at
    this.phase = 'ready'
  }

  #drain(): void {
    while (!this.#is_reading && this.#waiting.length > 0) {
      const batch = this.#waiting[0]!
      const unknown = this.markets.unknownOf(batch.events)
      if (unknown.length > 0) {
        this.#readListings(unknown)
        return
      }
      this.#waiting.shift()
      this.#apply(batch)
    }
  }

  #apply({ at, events, last_engine_sequence }: EngineBatch): void {
    if (last_engine_sequence <= this.#applied_sequence) return
    this.#applied_sequence = last_engine_sequence
    this.head_at = at
    this.confirmed_at = Math.max(this.confirmed_at, at)
    try {
      this.feed.take(this.markets.apply(at, events), true)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Reads the listings of new markets; batches wait meanwhile. */
  #readListings(market_ids: readonly string[]): void {
    this.#is_reading = true
    const read = async () => {
      for (;;) {
        const listed = await this.#tried(() => this.#ports.reads.markets(market_ids))
        if (listed !== null) return listed
        await pause(RETRY_MS, undefined, { signal: this.#end.signal })
      }
    }
    read()
      .then((listed) => {
        for (const market of listed) this.markets.list(market)
        this.#apply(this.#waiting.shift()!)
        this.#is_reading = false
        this.#drain()
      })
      .catch((error: unknown) => this.#fail(error))
  }

  /** Confirms that memory is current if it has the database's last batch. */
  async #confirm(): Promise<void> {
    const at = this.#ports.now()
    const head = await this.#tried(() => this.#ports.reads.head())
    if (head === null || head.engine_sequence > this.#applied_sequence) return
    this.confirmed_at = Math.max(this.confirmed_at, at)
  }

  async #tried<T>(read: () => Promise<T>): Promise<T | null> {
    try {
      return await read()
    } catch (error) {
      const is_awaited = this.phase === 'starting' && isTableMissing(error)
      if (!(error instanceof ServiceError || is_awaited)) this.#fail(error)
      return null
    }
  }

  #fail(error: unknown): void {
    if (!this.#end.signal.aborted) this.#ports.onFailure?.(error, 'own venue')
  }
}

/** Reports whether the engine has not created the tables yet. */
function isTableMissing(error: unknown): boolean {
  return (error as { code?: unknown }).code === '42P01'
}

/** Groups the events into the batches in which they were committed. */
function batchesOf({ events }: PublicState): { readonly at: Micros; readonly events: readonly EngineEvent[] }[] {
  const batches: { at: Micros; batch_sequence: number; events: EngineEvent[] }[] = []
  for (const row of events) {
    const last = batches.at(-1)
    if (last?.batch_sequence === row.batch_sequence) last.events.push(decodeEvent(row))
    else batches.push({ at: row.at, batch_sequence: row.batch_sequence, events: [decodeEvent(row)] })
  }
  return batches
}
