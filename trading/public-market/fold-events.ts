import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { ENDED_STATUSES, type MarketStatus } from '../../vocabulary/market.ts'
import type { Side } from '../../vocabulary/order.ts'
import type {
  BookEvent,
  EngineEvent,
  MarketEvent,
  ResolutionEvent,
  TradeCorrectionEvent,
  TradeEvent,
} from '../engine/events.ts'
import { levelOf, type ReadLevel } from './fold-book.ts'
import { tradeOn } from './mirror-trade.ts'
import {
  isEmptyBook,
  newPublicMarket,
  type PublicBook,
  type PublicLevel,
  type PublicListing,
  type PublicMarket,
  type PublicOutcome,
  type PublicTrade,
} from './public-market.ts'
import { setLevel } from './set-level.ts'

/** The levels of one book that one batch changed. */
export type BookChange = {
  readonly outcome: PublicOutcome
  readonly levels: (PublicLevel & { readonly side: Side })[]
  /** `sequence` of the book after the batch and before it. */
  seq: number
  readonly prev_seq: number
  /** Whether the batch left no price level in the book, and the status in which it left the market: later batches change neither. */
  readonly is_empty: boolean
  readonly status: MarketStatus
}

/** A trade, with the sequence of its market's trade before it. */
export type TradeChange = { readonly trade: PublicTrade; readonly seq: number; readonly prev_seq: number }

/** A market that one batch changed, with the sequences of its last event in the batch and before it. */
export type MarketChange = { readonly market: PublicMarket; seq: number; readonly prev_seq: number }

/** The public changes of one batch; each list by `seq`. */
export type PublicChange = {
  readonly at: Micros
  readonly books: readonly BookChange[]
  readonly trades: readonly TradeChange[]
  readonly markets: readonly MarketChange[]
}

type TradedEvent = TradeEvent | TradeCorrectionEvent
type TouchingEvent = BookEvent | TradedEvent | MarketEvent
type PublicEvent = TouchingEvent | ResolutionEvent

const PUBLIC_KINDS: readonly EngineEvent['kind'][] = ['book', 'trade', 'trade_correction', 'market', 'resolution']

/** Whether everybody may know an event: it names no account and no order. */
function isPublicEvent(event: EngineEvent): event is PublicEvent {
  return PUBLIC_KINDS.includes(event.kind)
}

/**
 * The public state of all listed markets, kept by the engine's events: what the API serves now, and what the warehouse stores.
 * It decides nothing; a level is what its event states.
 */
export class PublicMarkets {
  readonly #by_id = new Map<string, PublicMarket>()
  readonly #by_outcome = new Map<string, PublicOutcome>()

  /** Adds a market; one that is known already stays as it is. */
  list(listing: PublicListing): void {
    if (this.#by_id.has(listing.market_id)) return
    const market = newPublicMarket(listing)
    this.#by_id.set(market.market_id, market)
    for (const outcome of market.outcomes) this.#by_outcome.set(outcome.outcome_id, outcome)
  }

  market(market_id: string): PublicMarket | null {
    return this.#by_id.get(market_id) ?? null
  }

  outcome(outcome_id: string): PublicOutcome | null {
    return this.#by_outcome.get(outcome_id) ?? null
  }

  all(): readonly PublicMarket[] {
    return [...this.#by_id.values()]
  }

  /** Restores sequences, last trades, statuses and payouts from the newest events before the first batch; no levels. */
  restore(events: readonly EngineEvent[]): void {
    for (const event of events) {
      if (!isPublicEvent(event)) continue
      const market = this.#marketOf(event)
      if (event.kind === 'resolution') {
        applyResolution(market, event)
        continue
      }
      if (event.kind === 'book')
        for (const outcome of numberedBy(this.#outcomeOf(event), event)) numberBook(outcome, event)
      else if (isTraded(event)) applyTrade(this.#outcomeOf(event), event)
      else applyMove(market, event)
      numberMarket(market, event)
    }
  }

  /** Replaces the levels of all books; their sequences stay. */
  setBooks(levels: readonly (ReadLevel & { readonly outcome_id: string; readonly side: Side })[]): void {
    for (const { book } of this.#by_outcome.values()) {
      book.bids.length = 0
      book.asks.length = 0
    }
    for (const { outcome_id, side, ...level } of levels) {
      const outcome = this.#by_outcome.get(outcome_id)
      invariant(outcome !== undefined, `outcome ${outcome_id} is listed before an order for it rests`)
      setLevel(outcome.book, side, levelOf(level))
    }
  }

  /** Returns the markets that events name and that are not listed yet. */
  unknownOf(events: readonly EngineEvent[]): string[] {
    const named = events.filter(isPublicEvent).map(({ market_id }) => market_id)
    return [...new Set(named)].filter((market_id) => !this.#by_id.has(market_id))
  }

  /** Applies one whole batch: between its events a book may be crossed, and nobody may see it so. */
  apply(at: Micros, events: readonly EngineEvent[]): PublicChange {
    const change = new ChangeOfBatch()
    for (const event of events) {
      if (!isPublicEvent(event)) continue
      const market = this.#marketOf(event)
      if (event.kind === 'resolution') {
        applyResolution(market, event)
        continue
      }
      if (event.kind === 'book') change.book(this.#outcomeOf(event), event)
      else if (isTraded(event)) change.trade(this.#outcomeOf(event), event)
      else applyMove(market, event)
      change.touch(market, event)
    }
    const bySeq = (a: { readonly seq: number }, b: { readonly seq: number }) => a.seq - b.seq
    const books = [...change.books.values()].sort(bySeq).map(asLeft)
    return { at, books, trades: change.trades, markets: [...change.markets.values()].sort(bySeq) }
  }

  #marketOf({ market_id, engine_sequence }: PublicEvent): PublicMarket {
    const market = this.#by_id.get(market_id)
    invariant(market !== undefined, `market ${market_id} is listed before event ${engine_sequence} is applied`)
    return market
  }

  #outcomeOf({ outcome_id, engine_sequence }: BookEvent | TradedEvent): PublicOutcome {
    const outcome = this.#by_outcome.get(outcome_id)
    invariant(outcome !== undefined, `outcome ${outcome_id} is listed before event ${engine_sequence} is applied`)
    return outcome
  }
}

/** A change while events of its batch may follow. */
type OpenChange = Omit<BookChange, 'is_empty' | 'status'>

function asLeft(change: OpenChange): BookChange {
  const { book, market } = change.outcome
  return { ...change, is_empty: isEmptyBook(book), status: market.status }
}

class ChangeOfBatch {
  readonly books = new Map<PublicOutcome, OpenChange>()
  readonly trades: TradeChange[] = []
  readonly markets = new Map<PublicMarket, MarketChange>()

  book(outcome: PublicOutcome, event: BookEvent): void {
    const { side, engine_sequence } = event
    const level = levelOf(event)
    this.#changeOf(outcome).levels.push({ side, ...level })
    setLevel(outcome.book, side, level)
    for (const numbered of numberedBy(outcome, event)) {
      this.#changeOf(numbered).seq = engine_sequence
      numberBook(numbered, event)
    }
  }

  #changeOf(outcome: PublicOutcome): OpenChange {
    const known = this.books.get(outcome)
    if (known !== undefined) return known
    const change = { outcome, levels: [], seq: 0, prev_seq: outcome.book.sequence }
    this.books.set(outcome, change)
    return change
  }

  trade(outcome: PublicOutcome, event: TradedEvent): void {
    const { trade_sequence } = outcome.market
    const trade = applyTrade(outcome, event)
    this.trades.push({ trade, seq: event.engine_sequence, prev_seq: trade_sequence })
  }

  touch(market: PublicMarket, event: TouchingEvent): void {
    const change = this.markets.get(market)
    const seq = event.engine_sequence
    if (change === undefined) this.markets.set(market, { market, seq, prev_seq: market.sequence })
    else change.seq = seq
    numberMarket(market, event)
  }
}

/**
 * Returns the outcomes whose book an event numbers: in a complementary market both, so that two mirrored books always have one sequence.
 * The event tells, and not the listing: a market may have become complementary after it.
 */
function numberedBy(outcome: PublicOutcome, { derived_quantity }: BookEvent): readonly PublicOutcome[] {
  return derived_quantity === undefined ? [outcome] : outcome.market.outcomes
}

function numberBook(outcome: PublicOutcome, { engine_sequence, at }: BookEvent): void {
  const book: PublicBook = outcome.book
  book.sequence = engine_sequence
  book.at = at
  outcome.sequence = engine_sequence
}

/** A correction changes the last trade only if it is of that very trade: another one may have the same price and instant. */
function applyTrade(outcome: PublicOutcome, event: TradedEvent): PublicTrade {
  const trade = publicTrade(outcome.market, event)
  outcome.market.trade_sequence = event.engine_sequence
  for (const shown of trade.segments === null ? [outcome] : outcome.market.outcomes) {
    if (trade.correction !== null && shown.last_trade?.trade_id !== trade.trade_id) continue
    shown.last_trade = trade.correction?.kind === 'void' ? null : tradeOn(trade, shown)
    shown.sequence = event.engine_sequence
  }
  return trade
}

function applyMove(market: PublicMarket, { status, complementary = false, at }: MarketEvent): void {
  market.status = status
  market.complementary = complementary
  market.revised_at = at
}

function applyResolution(market: PublicMarket, { finality, payouts, at }: ResolutionEvent): void {
  if (finality !== 'final') return
  // Before the market ends, its next move publishes the payouts.
  if (hasEnded(market)) market.revised_at = at
  market.payouts = payouts
}

/** Whether the payouts of a market are in force. */
export function hasEnded({ status }: Pick<PublicMarket, 'status'>): boolean {
  return ENDED_STATUSES.includes(status)
}

function numberMarket(market: PublicMarket, { engine_sequence, at }: TouchingEvent): void {
  market.sequence = engine_sequence
  market.at = at
}

function isTraded(event: TouchingEvent): event is TradedEvent {
  return event.kind === 'trade' || event.kind === 'trade_correction'
}

/** Returns the trade, or the correction of one, that an event states. */
export function publicTrade(market: PublicMarket, event: TradedEvent): PublicTrade {
  const { trade_id, outcome_id, price, quantity, aggressor_side, engine_sequence, at, segments = null } = event
  const stated = { trade_id, market, outcome_id, price, quantity, aggressor_side, engine_sequence, at }
  const traded = { ...stated, segments, derived: false }
  if (event.kind === 'trade') return { ...traded, record_id: trade_id, traded_at: at, correction: null }
  const { record_id, correction: kind, supersedes_record_id, traded_at } = event
  return { ...traded, record_id, traded_at, correction: { kind, supersedes_record_id } }
}
