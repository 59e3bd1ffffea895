import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { EngineEvent, TradeCorrectionEvent, TradeEvent } from '../../trading/engine/events.ts'
import { PublicMarkets, publicTrade } from '../../trading/public-market/fold-events.ts'
import { pastLevels } from '../../trading/public-market/past-market.ts'
import type { PublicMarket, PublicTrade } from '../../trading/public-market/public-market.ts'
import type { PublicMarketRead, PublicReads, PublicState } from '../../trading/store/read/public-reads.ts'
import { decodeEvent } from '../../trading/store/tailed-event.ts'
import type { HubFeed } from '../stream/hub-feed.ts'
import type { EngineBatch, TradingFeed } from '../trading-feed.ts'
import { OWN_RECENT, OwnFeed } from './own-feed.ts'
import { type PastPorts, PastVenue } from './past-venue.ts'

/** Public state of the markets listed on Tidemark, in memory, within milliseconds of the engine's last commit. */
export type OwnVenue = {
  /** `starting`: the trading database was not read yet, so the listed markets are unknown. */
  phase(): 'starting' | 'ready'
  /** null: not listed here. */
  market(market_id: string): PublicMarket | null
  markets(): readonly PublicMarket[]
  /** Returns a market as it was listed; null: not listed here. */
  listing(market_id: string): PublicMarketRead | null
  /** Instant up to which every commit is known to be applied. */
  confirmed_at(): Micros
  /**
   * Returns the instant that a current answer is of: the stamp of the last batch applied. Asked again as of it, the answer is the same.
   * While an engine leads, it is a few seconds behind the clock at most, however idle the engine is.
   */
  published_at(): Micros
  /** Returns a listed market as it was served at an instant; null: it was not listed by then. @throws {ServiceError} as `PastVenue` */
  marketAt(market_id: string, as_of: Micros): Promise<PublicMarket | null>
  /** Feed of changes for the stream. */
  readonly feed: HubFeed
  /** Returns the state of all listed markets at an instant, without books and trades. @throws {ServiceError} SERVICE_UNAVAILABLE */
  statesAt(as_of: Micros): Promise<ReadonlyMap<string, PublicMarket>>
  readonly reads: Pick<PublicReads, 'trades'>
  /** Returns the public trade of an id and its corrections, as of an instant; empty: it is not ours. @throws as `marketAt` */
  tradeChain(trade_id: string, as_of: Micros): Promise<readonly PublicTrade[]>
  close(): Promise<void>
}

export type OwnVenuePorts = {
  readonly feed: TradingFeed
  readonly reads: PublicReads
  readonly past: PastPorts['reads']
  /** Seals an instant, see `PastPorts`; left out: no engine is connected, and an instant is final once a later batch was committed. */
  readonly seal?: PastPorts['seal']
  readonly now: () => Micros
  /** Called with a bug, or with the error of a read that is retried. */
  readonly onFailure?: (error: unknown, where: string) => void
  /** Interval between checks that memory matches the committed state. */
  readonly confirm_ms?: number
}

/** Age of the last batch after which a read lets the engine stamp an empty one. */
const IDLE_MICROS = 5_000_000
/** Ids of our trades: the engine_sequence, of at most 15 digits. Other venues' trades have a hash. */
const OWN_TRADE_ID = /^trd_(\d{1,15})$/
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
    listing: (market_id) => venue.listings.get(market_id) ?? null,
    confirmed_at: () => venue.confirmed_at,
    published_at: () => venue.publishedAt(),
    marketAt: async (market_id, as_of) => {
      const listed = venue.markets.market(market_id)
      return listed === null ? null : await venue.past.market(listed, as_of)
    },
    statesAt: (as_of) => venue.past.states(venue.markets.all(), as_of),
    feed: venue.feed,
    reads: ports.reads,
    tradeChain: (trade_id, as_of) => venue.tradeChain(trade_id, as_of),
    close: () => venue.close(),
  }
}

class FollowedVenue {
  readonly markets = new PublicMarkets()
  readonly listings = new Map<string, PublicMarketRead>()
  readonly feed: OwnFeed
  readonly past: PastVenue
  phase: 'starting' | 'ready' = 'starting'
  /** Stamp of the last batch applied; every later batch has a greater stamp. */
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
  /** Whether a current answer was published since the engine was last asked for a stamp. */
  #was_published = false

  constructor(ports: OwnVenuePorts) {
    this.#ports = ports
    this.feed = new OwnFeed(this.markets, ports.now)
    this.past = new PastVenue({ reads: ports.past, seal: ports.seal ?? null, now: ports.now })
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

  publishedAt(): Micros {
    this.#was_published = true
    return this.head_at
  }

  async tradeChain(trade_id: string, as_of: Micros): Promise<readonly PublicTrade[]> {
    const sequence = OWN_TRADE_ID.exec(trade_id)?.[1]
    if (sequence === undefined) return []
    const read = () => this.#ports.reads.tradeChain(trade_id, Number(sequence), as_of)
    if ((await read()).length === 0) return [] // a refused request seals nothing
    await this.past.seal(as_of)
    const rows = await read()
    return rows.flatMap((row) => {
      const event = decodeEvent(row) as TradeEvent | TradeCorrectionEvent
      const market = this.markets.market(event.market_id)
      return market === null ? [] : [publicTrade(market, event)]
    })
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
    this.#list(state.markets)
    markets.restore(state.places.map(decodeEvent))
    markets.setBooks(pastLevels(state.books))
    for (const { at, events } of batchesOf(state)) feed.take(markets.apply(at, events), false)
    markets.setBooks(state.levels)
    feed.begin(state.head.epoch)
    this.#applied_sequence = state.head.engine_sequence
    this.#advance(state.head.at)
    this.confirmed_at = state.head.at
    this.phase = 'ready'
  }

  #list(listed: readonly PublicMarketRead[]): void {
    for (const market of listed) {
      this.listings.set(market.market_id, market)
      this.markets.list(market)
    }
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
    this.#advance(at)
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
        this.#list(listed)
        this.#apply(this.#waiting.shift()!)
        this.#is_reading = false
        this.#drain()
      })
      .catch((error: unknown) => this.#fail(error))
  }

  /** Confirms that memory is current if it has the database's last batch. */
  async #confirm(): Promise<void> {
    const at = this.#ports.now()
    if (!(await this.#confirmHead(at)) || !this.#was_published || at - this.head_at <= IDLE_MICROS) return
    this.#was_published = false
    const is_sealed = await this.past.seal(at).then(
      () => true,
      () => false,
    )
    if (is_sealed) await this.#confirmHead(at)
  }

  /** @param at when the head was requested. @returns whether memory has it */
  async #confirmHead(at: Micros): Promise<boolean> {
    const head = await this.#tried(() => this.#ports.reads.head())
    if (head === null || head.engine_sequence > this.#applied_sequence) return false
    this.confirmed_at = Math.max(this.confirmed_at, at)
    // Batches without events are not in the feed.
    if (head.engine_sequence === this.#applied_sequence) this.#advance(head.at)
    return true
  }

  #advance(head_at: Micros): void {
    this.head_at = Math.max(this.head_at, head_at)
    this.past.noteSealed(this.head_at)
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
