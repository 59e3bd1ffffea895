import type { Micros } from '../../primitives/instants.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'
import { newestTrade, pricesWithTrade, publicTape, quoteWithTrade, tradeOfOutcome } from './last-trade.ts'
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
import type { PlacedBook, PricedMarket, StoredMark, StoredQuote, StoredTrade } from './stored-records.ts'

/** The newest quotes, marks, stored books and valid trades of one market. */
export type MarketRecords<Q extends StoredQuote, M extends StoredMark, T extends StoredTrade> = {
  readonly market: PricedMarket
  readonly quotes: readonly Q[]
  /** At most one of each outcome. */
  readonly trades: readonly T[]
  readonly marks: readonly M[]
  readonly books: readonly PlacedBook[]
}

/** Prices of one market at an instant. */
export type PricedView<Q extends StoredQuote, M extends StoredMark, T extends StoredTrade> = {
  /** Newest quote of the source series that the market is priced by, the newest trade of a market without quotes. */
  readonly newest: Q | T
  /** First mark of that series. */
  readonly mark: M | null
  readonly outcomes: readonly OutcomePrice[]
  /** Worst label of the outcomes with a price; of all where none has one. */
  readonly quality_state: QualityState
  /** Latest instant at which every price shown was known to stand; before it, the oldest one was. */
  readonly confirmed_at: Micros
}

/**
 * Prices a market by the source series with the newest quote: each outcome by its quote and book of that series, one of a binary
 * market without a quote by the other outcome. The last trade is that of the tape, of every series.
 * @param at    the instant that the view is of: now, or as_of
 * @param bound age above which a price is stale, in microseconds
 * @returns     null where neither a quote nor a trade of the market is known
 */
export function priceMarket<Q extends StoredQuote, M extends StoredMark, T extends StoredTrade>(
  records: MarketRecords<Q, M, T>,
  at: Micros,
  bound: Micros,
): PricedView<Q, M, T> | null {
  const trades = publicTape(records.trades)
  const newest = newestQuote(records.quotes) ?? newestTrade(trades)
  if (newest === null) return null
  const quotes = records.quotes.filter((quote) => isSameSeries(quote, newest))
  const marks = records.marks.filter((mark) => isSameSeries(mark, newest))
  const outcomes = outcomesOf({ ...records, quotes, marks, trades }, at, bound)
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

function outcomesOf(
  { market, quotes, marks, books, trades }: MarketRecords<StoredQuote, StoredMark, StoredTrade>,
  at: Micros,
  bound: Micros,
): OutcomeFacts[] {
  const market_status = market.status ?? null
  const own = (market.outcomes ?? []).map(({ outcome_id }) => {
    const quote = quotes.find((one) => one.outcome_id === outcome_id)
    const book = books.find(({ row }) => row.outcome_id === outcome_id) ?? null
    const trade = tradeOfOutcome(trades, outcome_id)
    return { outcome_id, trade, prices: quote && standingPrices(quoteWithTrade(quote, trade), book) }
  })
  const is_binary = market.outcome_type === 'binary' && own.length === 2
  const moment = { at, bound, is_paused: market_status === 'paused' }
  const markOf = (outcome_id: string) => marks.find((one) => one.outcome_id === outcome_id) ?? null
  const are_all_marked = own.every(({ outcome_id }) => markOf(outcome_id)?.mark != null)
  return own.map(({ outcome_id, prices: quoted, trade }, ordinal) => {
    const other = is_binary ? own[1 - ordinal]!.prices : undefined
    const derived = other === undefined ? null : complementPrices(other, moment)
    const prices = quoted ?? pricesWithTrade(derived ?? NO_PRICES, trade)
    return { outcome_id, prices, mark: markOf(outcome_id), marks, are_all_marked, market_status, at, bound }
  })
}

function oldestOf(outcomes: readonly OutcomeFacts[]): Micros | null {
  const instants = outcomes.map(outcomeConfirmedAt).filter((at) => at !== null)
  return instants.length === 0 ? null : Math.min(...instants)
}
