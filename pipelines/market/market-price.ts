import type { Micros } from '../../primitives/instants.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'
import { hasPrice, type OutcomeFacts, type OutcomePrice, outcomeConfirmedAt, outcomePriceOf } from './outcome-price.ts'
import { worstQuality } from './quality-label.ts'
import {
  complementPrices,
  isSameSeries,
  NO_PRICES,
  newestQuote,
  quoteConfirmedAt,
  standingPrices,
} from './standing-prices.ts'
import type { PlacedBook, PricedMarket, StoredMark, StoredQuote } from './stored-records.ts'

/** The newest quotes, marks and stored books of one market. */
export type MarketRecords<Q extends StoredQuote, M extends StoredMark> = {
  readonly market: PricedMarket
  readonly quotes: readonly Q[]
  readonly marks: readonly M[]
  readonly books: readonly PlacedBook[]
}

/** Prices of one market at an instant. */
export type PricedView<Q extends StoredQuote, M extends StoredMark> = {
  /** Newest quote of the source series that the market is priced by, and the first mark of that series. */
  readonly newest: Q
  readonly mark: M | null
  readonly outcomes: readonly OutcomePrice[]
  /** Worst label of the outcomes with a price; of all where none has one. */
  readonly quality_state: QualityState
  /** Latest instant at which every price shown was known to stand; before it, the oldest one was. */
  readonly confirmed_at: Micros
}

/**
 * Prices a market by the source series with the newest quote: each outcome by its quote and book of that series, one of a binary
 * market without a quote by the other outcome.
 * @param at    the instant that the view is of: now, or as_of
 * @param bound age above which a price is stale, in microseconds
 * @returns     null where no quote of the market is known
 */
export function priceMarket<Q extends StoredQuote, M extends StoredMark>(
  records: MarketRecords<Q, M>,
  at: Micros,
  bound: Micros,
): PricedView<Q, M> | null {
  const newest = newestQuote(records.quotes)
  if (newest === null) return null
  const quotes = records.quotes.filter((quote) => isSameSeries(quote, newest))
  const marks = records.marks.filter((mark) => isSameSeries(mark, newest))
  const outcomes = outcomesOf({ ...records, quotes, marks }, at, bound)
  const priced = outcomes.filter(hasPrice)
  const shown = outcomes.map(outcomePriceOf)
  const labelled = priced.length === 0 ? shown : shown.filter((_, ordinal) => priced.includes(outcomes[ordinal]!))
  return {
    newest,
    mark: marks[0] ?? null,
    outcomes: shown,
    quality_state: worstQuality(labelled.map(({ quality_state }) => quality_state)),
    confirmed_at: oldestOf(priced) ?? quoteConfirmedAt(newest),
  }
}

function outcomesOf<Q extends StoredQuote, M extends StoredMark>(
  { market, quotes, marks, books }: MarketRecords<Q, M>,
  at: Micros,
  bound: Micros,
): OutcomeFacts[] {
  const market_status = market.status ?? null
  const own = (market.outcomes ?? []).map(({ outcome_id }) => {
    const quote = quotes.find((one) => one.outcome_id === outcome_id)
    const book = books.find(({ row }) => row.outcome_id === outcome_id) ?? null
    return { outcome_id, prices: quote === undefined ? null : standingPrices(quote, book) }
  })
  const is_binary = market.outcome_type === 'binary' && own.length === 2
  const moment = { at, bound, is_paused: market_status === 'paused' }
  const markOf = (outcome_id: string) => marks.find((one) => one.outcome_id === outcome_id) ?? null
  const are_all_marked = own.every(({ outcome_id }) => markOf(outcome_id)?.mark != null)
  return own.map(({ outcome_id, prices }, ordinal) => {
    const other = is_binary ? own[1 - ordinal]!.prices : null
    const derived = other === null ? null : complementPrices(other, moment)
    const mark = markOf(outcome_id)
    const shown = prices ?? derived ?? NO_PRICES
    return { outcome_id, prices: shown, mark, marks, are_all_marked, market_status, at, bound }
  })
}

function oldestOf(outcomes: readonly OutcomeFacts[]): Micros | null {
  const instants = outcomes.map(outcomeConfirmedAt).filter((at) => at !== null)
  return instants.length === 0 ? null : Math.min(...instants)
}
