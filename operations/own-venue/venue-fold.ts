import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type {
  BookEvent,
  EngineEvent,
  MarketEvent,
  ResolutionEvent,
  TradeCorrectionEvent,
  TradeEvent,
} from '../../trading/engine/events.ts'
import type { PublicMarketRead } from '../../trading/store/read/public-reads.ts'
import type { ResolutionFacts } from '../../trading/store/venue/venue-reads.ts'
import { priceText } from './amounts.ts'
import { eligibilityRow, marketRow } from './market-rows.ts'
import { newQuote, quoteRow, quoteValues, sayTheSame } from './quote-row.ts'
import { resolutionRow } from './resolution-row.ts'
import { tradeRow } from './trade-row.ts'
import {
  type MarketState,
  marketOf,
  noRows,
  type OutcomeState,
  outcomeOf,
  type VenueRows,
  type VenueState,
  type VenueTable,
} from './venue-state.ts'

/** By table the last engine_sequence whose rows the warehouse has: what is taken again up to there adds none. */
export type VenueCursors = Readonly<Record<VenueTable, number>>

/** What the engine committed at one instant: everything, or everything public of it. */
export type VenueBatch = { readonly at: Micros; readonly events: readonly EngineEvent[] }

/** What is known of the resolutions that events name, by resolution_id. */
export type KnownResolutions = ReadonlyMap<string, ResolutionFacts>

/**
 * Takes in the engine's events, batch by batch, and makes them rows of the warehouse. The same events after the same state give the
 * same rows, but for when they were received. Pure but for the state, which it moves on.
 */
export class VenueFold {
  readonly state: VenueState
  readonly #cursors: VenueCursors
  readonly #resolutions: KnownResolutions
  readonly #received: Micros
  readonly rows: VenueRows = noRows()
  readonly #changed = new Map<OutcomeState, number>()

  /** @param received_at now: when the events were read */
  constructor(state: VenueState, cursors: VenueCursors, resolutions: KnownResolutions, received_at: Micros) {
    this.state = state
    this.#cursors = cursors
    this.#resolutions = resolutions
    this.#received = received_at
  }

  /** Takes a batch in: a quote states what it leaves behind. */
  take({ at, events }: VenueBatch): void {
    for (const event of events) if (event.kind === 'resolution') this.#takePayouts(event)
    for (const event of events) {
      if (event.kind === 'book') this.#takeBook(event)
      else if (event.kind === 'trade') this.#takeTrade(event)
      else if (event.kind === 'trade_correction') this.#takeCorrection(event)
      else if (event.kind === 'market') this.#takeMarket(event)
      else if (event.kind === 'resolution') this.#takeResolution(event)
    }
    for (const [outcome, source_sequence] of this.#changed) this.#quote(outcome, { source_sequence, source_at: at })
    this.#changed.clear()
  }

  #takeBook({ market_id, outcome_id, side, price, quantity, engine_sequence, at }: BookEvent): void {
    const outcome = outcomeOf(this.state, market_id, outcome_id)
    const levels = side === 'BUY' ? outcome.bids : outcome.asks
    if (quantity === 0) levels.delete(price)
    else levels.set(price, quantity)
    outcome.book_sequence = engine_sequence
    outcome.book_at = at
    this.#changed.set(outcome, engine_sequence)
  }

  #takeTrade(trade: TradeEvent): void {
    const { market_id, outcome_id, price, engine_sequence, at } = trade
    const { terms } = this.#listing(market_id)
    const outcome = outcomeOf(this.state, market_id, outcome_id)
    // What was told as far as the cursor is in the last quote already.
    if (engine_sequence > this.#cursors.market_quote) {
      outcome.last_trade = { price: priceText(price, terms.price_scale), at }
      this.#changed.set(outcome, engine_sequence)
    }
    if (engine_sequence > this.#cursors.public_trade) {
      this.rows.public_trade.push(tradeRow(trade, terms, this.#receivedOf(at)))
    }
  }

  /** A quote whose last trade is void has none until the next. A quote knows its last trade by instant and price. */
  #takeCorrection(corrected: TradeCorrectionEvent): void {
    const { market_id, outcome_id, engine_sequence, at } = corrected
    const { terms } = this.#listing(market_id)
    const outcome = outcomeOf(this.state, market_id, outcome_id)
    const { last_trade } = outcome
    const superseded = priceText(corrected.superseded_price, terms.price_scale)
    const is_last = last_trade?.at === corrected.traded_at && last_trade.price === superseded
    if (engine_sequence > this.#cursors.market_quote && is_last) {
      const price = priceText(corrected.price, terms.price_scale)
      outcome.last_trade = corrected.correction === 'void' ? null : { ...last_trade, price }
      this.#changed.set(outcome, engine_sequence)
    }
    if (engine_sequence > this.#cursors.public_trade) {
      this.rows.public_trade.push(tradeRow(corrected, terms, this.#receivedOf(at)))
    }
  }

  #takeMarket({ market_id, status, engine_sequence, at }: MarketEvent): void {
    const market = marketOf(this.state, market_id)
    if (engine_sequence > this.#cursors.market_eligibility && status === 'scheduled') {
      this.rows.market_eligibility.push(eligibilityRow(this.#listing(market_id), this.#receivedOf(at)))
    }
    if (engine_sequence <= this.#cursors.market) return
    market.status = status
    this.#market(market, 'STATUS_CHANGED', at)
  }

  #takeResolution(event: ResolutionEvent): void {
    const { engine_sequence, at } = event
    const market = marketOf(this.state, event.market_id)
    const facts = this.#factsOf(event)
    if (engine_sequence > this.#cursors.market_resolution) {
      const { row, source_at, stated } = resolutionRow(market, event, facts, this.#receivedOf(at))
      market.resolutions.set(source_at, stated)
      this.rows.market_resolution.push(row)
    }
    const is_correction = event.finality === 'final' && facts.supersedes_id !== null
    if (is_correction && engine_sequence > this.#cursors.market) this.#market(market, 'RESOLUTION_CORRECTED', at)
  }

  /** Before the moves of its batch: a market that ends shows what it pays. */
  #takePayouts(event: ResolutionEvent): void {
    if (event.finality !== 'final') return
    const { payouts } = this.#factsOf(event)
    marketOf(this.state, event.market_id).payouts = new Map(
      payouts.map(({ outcome_id, payout }) => [outcome_id, payout]),
    )
  }

  #factsOf({ resolution_id }: ResolutionEvent): ResolutionFacts {
    const facts = this.#resolutions.get(resolution_id)
    invariant(facts !== undefined, `resolution ${resolution_id} of an event is not known`)
    return facts
  }

  #market(market: MarketState, reason: 'STATUS_CHANGED' | 'RESOLUTION_CORRECTED', at: Micros): void {
    market.revision += 1
    this.rows.market.push(marketRow(this.#listing(market.market_id), market, reason, at, this.#receivedOf(at)))
  }

  #quote(outcome: OutcomeState, source: { readonly source_sequence: number; readonly source_at: Micros }): void {
    if (source.source_sequence <= this.#cursors.market_quote) return
    const values = quoteValues(outcome, this.#listing(outcome.market_id).terms)
    if (sayTheSame(outcome.quote, values)) return
    const received_at = this.#receivedOf(source.source_at)
    outcome.quote = newQuote(outcome, values, source, received_at)
    this.rows.market_quote.push(quoteRow(outcome, outcome.quote, received_at))
  }

  #listing(market_id: string): PublicMarketRead {
    const listing = this.state.listings.get(market_id)
    invariant(listing !== undefined, `market ${market_id} of an event is not listed`)
    return listing
  }

  /** Nothing is received before it has happened: the engine's clock may be a little ahead of this one. */
  #receivedOf(at: Micros): Micros {
    return Math.max(at, this.#received)
  }
}
