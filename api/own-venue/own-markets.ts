import { type OwnBook, type OwnLevel, type OwnListing, type OwnMarket, type OwnOutcome, type OwnTrade, newOwnMarket } from './own-market.ts'
import { setLevel } from './set-level.ts'
import { invariant } from '../../primitives/errors.ts'
import { type Micros } from '../../primitives/instants.ts'
import { type BookEvent, type EngineEvent, type MarketEvent, type TradeCorrectionEvent, type TradeEvent } from '../../trading/engine/events.ts'
import { type Side } from '../../vocabulary/order.ts'

/** The levels of one outcome that one batch has changed. */
export type BookChange = {
  readonly outcome: OwnOutcome
  readonly levels: (OwnLevel & { readonly side: Side })[]
  /** engine_sequence of the last of them, and of the book before. */
  seq: number
  readonly prev_seq: number
}

/** A trade with the sequence of the one before it of its market. */
export type TradeChange = { readonly trade: OwnTrade; readonly seq: number; readonly prev_seq: number }

/** A market of which anything has changed, with the sequences of its last public event then and before. */
export type MarketChange = { readonly market: OwnMarket; seq: number; readonly prev_seq: number }

/** What one batch of the engine has changed of what is public; each list by `seq`. */
export type PublicChange = {
  readonly at: Micros
  readonly books: readonly BookChange[]
  readonly trades: readonly TradeChange[]
  readonly markets: readonly MarketChange[]
}

type TradedEvent = TradeEvent | TradeCorrectionEvent
type PublicEvent = BookEvent | TradedEvent | MarketEvent

const PUBLIC_KINDS: readonly EngineEvent['kind'][] = ['book', 'trade', 'trade_correction', 'market']

/** Events that everybody may know: they name no account and no order. */
function isPublicEvent(event: EngineEvent): event is PublicEvent {
  return PUBLIC_KINDS.includes(event.kind)
}

/** The markets listed here, kept by the engine's events. It decides nothing: a level is what the event says. */
export class OwnMarkets {
  private readonly by_id = new Map<string, OwnMarket>()
  private readonly by_outcome = new Map<string, OwnOutcome>()

  list(listing: OwnListing): void {
    if (this.by_id.has(listing.market_id)) return
    const market = newOwnMarket(listing)
    this.by_id.set(market.market_id, market)
    for (const outcome of market.outcomes) this.by_outcome.set(outcome.outcome_id, outcome)
  }

  market(market_id: string): OwnMarket | null {
    return this.by_id.get(market_id) ?? null
  }

  outcome(outcome_id: string): OwnOutcome | null {
    return this.by_outcome.get(outcome_id) ?? null
  }

  all(): readonly OwnMarket[] {
    return [...this.by_id.values()]
  }

  /** Takes the last events before a stretch that `apply` is given next: places, last trades and statuses, no levels. */
  restore(events: readonly EngineEvent[]): void {
    for (const event of events) {
      if (!isPublicEvent(event)) continue
      const market = this.marketOf(event)
      if (event.kind === 'book') placeBook(this.outcomeOf(event).book, event)
      else if (isTraded(event)) placeTrade(this.outcomeOf(event), event)
      else market.status = event.status
      placeMarket(market, event)
    }
  }

  /** Puts these levels in place of all books; their places stay. */
  setBooks(levels: readonly (OwnLevel & { readonly outcome_id: string; readonly side: Side })[]): void {
    for (const { book } of this.by_outcome.values()) {
      book.bids.length = 0
      book.asks.length = 0
    }
    for (const { outcome_id, side, price, quantity, order_count } of levels) {
      const outcome = this.by_outcome.get(outcome_id)
      invariant(outcome !== undefined, `${outcome_id} is listed before an order of it rests`)
      setLevel(outcome.book, side, { price, quantity, order_count })
    }
  }

  /** Markets that events name and that are not listed yet. */
  unknownOf(events: readonly EngineEvent[]): string[] {
    const named = events.filter(isPublicEvent).map(({ market_id }) => market_id)
    return [...new Set(named)].filter((market_id) => !this.by_id.has(market_id))
  }

  /** Applies one batch whole: between its events a book may be crossed, and nobody could see it so. */
  apply(at: Micros, events: readonly EngineEvent[]): PublicChange {
    const change = new ChangeOfBatch()
    for (const event of events) {
      if (!isPublicEvent(event)) continue
      const market = this.marketOf(event)
      if (event.kind === 'book') change.book(this.outcomeOf(event), event)
      else if (isTraded(event)) change.trade(this.outcomeOf(event), event)
      else market.status = event.status
      change.touch(market, event)
    }
    const bySeq = (a: { readonly seq: number }, b: { readonly seq: number }) => a.seq - b.seq
    const books = [...change.books.values()].sort(bySeq)
    return { at, books, trades: change.trades, markets: [...change.markets.values()].sort(bySeq) }
  }

  private marketOf({ market_id, engine_sequence }: PublicEvent): OwnMarket {
    const market = this.by_id.get(market_id)
    invariant(market !== undefined, `${market_id} is listed before event ${engine_sequence} is applied`)
    return market
  }

  private outcomeOf({ outcome_id, engine_sequence }: BookEvent | TradedEvent): OwnOutcome {
    const outcome = this.by_outcome.get(outcome_id)
    invariant(outcome !== undefined, `${outcome_id} is listed before event ${engine_sequence} is applied`)
    return outcome
  }
}

class ChangeOfBatch {
  readonly books = new Map<OwnOutcome, BookChange>()
  readonly trades: TradeChange[] = []
  readonly markets = new Map<OwnMarket, MarketChange>()

  book(outcome: OwnOutcome, event: BookEvent): void {
    const { side, price, quantity, order_count, engine_sequence } = event
    let change = this.books.get(outcome)
    if (change === undefined) {
      change = { outcome, levels: [], seq: 0, prev_seq: outcome.book.sequence }
      this.books.set(outcome, change)
    }
    change.levels.push({ side, price, quantity, order_count })
    change.seq = engine_sequence
    setLevel(outcome.book, side, { price, quantity, order_count })
    placeBook(outcome.book, event)
  }

  trade(outcome: OwnOutcome, event: TradedEvent): void {
    const { trade_sequence } = outcome.market
    const trade = placeTrade(outcome, event)
    this.trades.push({ trade, seq: event.engine_sequence, prev_seq: trade_sequence })
  }

  touch(market: OwnMarket, event: PublicEvent): void {
    const change = this.markets.get(market)
    const seq = event.engine_sequence
    if (change === undefined) this.markets.set(market, { market, seq, prev_seq: market.sequence })
    else change.seq = seq
    placeMarket(market, event)
  }
}

function placeBook(book: OwnBook, { engine_sequence, at }: BookEvent): void {
  book.sequence = engine_sequence
  book.at = at
}

function placeTrade(outcome: OwnOutcome, event: TradedEvent): OwnTrade {
  const trade = ownTrade(outcome.market, event)
  outcome.market.trade_sequence = event.engine_sequence
  // A correction is of the last trade, or of one that is no price any more.
  const is_last = trade.correction === null || outcome.last_trade?.trade_id === trade.trade_id
  if (is_last) outcome.last_trade = trade.correction?.kind === 'void' ? null : trade
  return trade
}

function placeMarket(market: OwnMarket, { engine_sequence, at }: PublicEvent): void {
  market.sequence = engine_sequence
  market.at = at
}

function isTraded(event: PublicEvent): event is TradedEvent {
  return event.kind === 'trade' || event.kind === 'trade_correction'
}

/** A trade, or what was corrected of it, as its event tells it. */
export function ownTrade(market: OwnMarket, event: TradedEvent): OwnTrade {
  const { trade_id, outcome_id, price, quantity, aggressor_side, engine_sequence, at } = event
  const of_all = { trade_id, market, outcome_id, price, quantity, aggressor_side, engine_sequence, at }
  if (event.kind === 'trade') return { ...of_all, record_id: trade_id, traded_at: at, correction: null }
  const { record_id, correction: kind, supersedes_record_id, traded_at } = event
  return { ...of_all, record_id, traded_at, correction: { kind, supersedes_record_id } }
}
