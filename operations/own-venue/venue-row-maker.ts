import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type {
  EngineEvent,
  MarketEvent,
  ResolutionEvent,
  TradeCorrectionEvent,
  TradeEvent,
} from '../../trading/engine/events.ts'
import { otherOutcome } from '../../trading/public-market/other-outcome.ts'
import type { ResolutionFacts } from '../../trading/store/venue/venue-reads.ts'
import { eligibilityRow, marketRow } from './market-rows.ts'
import { isSameQuote, newQuote, quoteRow, quoteValues } from './quote-row.ts'
import { resolutionRow } from './resolution-row.ts'
import { tradeRow } from './trade-row.ts'
import type { StoredMarket, StoredOutcome, VenueRows, VenueState, VenueTable } from './venue-state.ts'

/** By table the last engine_sequence whose rows the warehouse has; events up to it add no row to that table. */
export type VenueCursors = Readonly<Record<VenueTable, number>>

/** The events that the engine committed at one instant: all of them, or all public ones. */
export type VenueBatch = { readonly at: Micros; readonly events: readonly EngineEvent[] }

/** Facts of the resolutions that events name, by resolution_id. */
export type KnownResolutions = ReadonlyMap<string, ResolutionFacts>

/**
 * Turns the engine's events into rows of the warehouse, batch by batch. The same events after the same state give the same rows, except
 * for when they were received. Pure apart from the state, which it advances.
 */
export class VenueRowMaker {
  readonly rows: VenueRows = {
    market: [],
    market_eligibility: [],
    market_quote: [],
    order_book: [],
    public_trade: [],
    market_resolution: [],
  }
  readonly #state: VenueState
  readonly #cursors: VenueCursors
  readonly #resolutions: KnownResolutions
  readonly #received: Micros
  readonly #changed = new Set<StoredOutcome>()

  /** @param received_at now: when the events were read */
  constructor(state: VenueState, cursors: VenueCursors, resolutions: KnownResolutions, received_at: Micros) {
    this.#state = state
    this.#cursors = cursors
    this.#resolutions = resolutions
    this.#received = received_at
  }

  /** Applies a batch and adds its rows; a quote shows the state after the whole batch. */
  add({ at, events }: VenueBatch): void {
    this.#state.public_markets.apply(at, events)
    for (const event of events) {
      if (event.kind === 'book') this.#changed.add(this.#state.outcome(event.outcome_id))
      else if (event.kind === 'trade' || event.kind === 'trade_correction') this.#addTrade(event)
      else if (event.kind === 'market') this.#addMarket(event)
      else if (event.kind === 'resolution') this.#addResolution(event)
    }
    for (const stored of this.#stated()) this.#addQuote(stored, at)
    this.#changed.clear()
  }

  #addTrade(trade: TradeEvent | TradeCorrectionEvent): void {
    const { market_id, outcome_id, engine_sequence, at, segments } = trade
    const { outcome } = this.#state.outcome(outcome_id)
    for (const tape of segments === undefined ? [outcome] : outcome.market.outcomes) {
      // The correction of an earlier trade changes no quote.
      if (tape.sequence >= engine_sequence) this.#changed.add(this.#state.outcome(tape.outcome_id))
    }
    if (engine_sequence <= this.#cursors.public_trade) return
    // A trade was received when the engine made it public, as the API and the stream say.
    this.rows.public_trade.push(tradeRow(trade, this.#state.listing(market_id), at))
  }

  #addMarket({ market_id, status, engine_sequence, at }: MarketEvent): void {
    if (engine_sequence > this.#cursors.market_eligibility && status === 'scheduled') {
      this.rows.market_eligibility.push(eligibilityRow(this.#state.listing(market_id), this.#receivedOf(at)))
    }
    if (engine_sequence <= this.#cursors.market) return
    const market = this.#state.market(market_id)
    market.status = status
    this.#addRevision(market, 'STATUS_CHANGED', at)
  }

  #addResolution(event: ResolutionEvent): void {
    const { engine_sequence, at } = event
    const market = this.#state.market(event.market_id)
    const facts = this.#resolutions.get(event.resolution_id)
    invariant(facts !== undefined, `the facts of resolution ${event.resolution_id} are known`)
    if (engine_sequence > this.#cursors.market_resolution) {
      const { row, source_at, stored } = resolutionRow(market, event, facts, this.#receivedOf(at))
      market.resolutions.set(source_at, stored)
      this.rows.market_resolution.push(row)
    }
    const is_correction = event.finality === 'final' && facts.supersedes_id !== null
    if (is_correction && engine_sequence > this.#cursors.market) this.#addRevision(market, 'RESOLUTION_CORRECTED', at)
  }

  #addRevision(market: StoredMarket, reason: 'STATUS_CHANGED' | 'RESOLUTION_CORRECTED', at: Micros): void {
    const { market_id } = market
    const { payouts, complementary } = this.#state.public_markets.market(market_id)!
    market.revision += 1
    const revised = { ...market, payouts, complementary, reason, at, received_at: this.#receivedOf(at) }
    this.rows.market.push(marketRow(this.#state.listing(market_id), revised))
  }

  /** Returns the outcomes whose quote is stated: those with new values, a derived one after the outcome that it derives from. */
  #stated(): ReadonlySet<StoredOutcome> {
    const stated = new Set<StoredOutcome>()
    for (const stored of this.#changed) {
      const values = quoteValues(stored.outcome)
      if (stored.outcome.sequence <= this.#cursors.market_quote || isSameQuote(stored.quote, values)) continue
      if (values.derived === true) stated.add(this.#state.outcome(otherOutcome(stored.outcome).outcome_id))
      stated.add(stored)
    }
    return stated
  }

  #addQuote(stored: StoredOutcome, source_at: Micros): void {
    const source = { source_sequence: stored.outcome.sequence, source_at }
    const values = quoteValues(stored.outcome)
    const received_at = this.#receivedOf(source_at)
    stored.quote = newQuote(stored.outcome, values, source, received_at)
    this.rows.market_quote.push(quoteRow(stored.outcome, stored.quote, received_at))
  }

  /** Nothing is received before it happened: the engine's clock may be a little ahead of this one. */
  #receivedOf(at: Micros): Micros {
    return Math.max(at, this.#received)
  }
}
