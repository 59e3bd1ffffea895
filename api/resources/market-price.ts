import { worstQuality } from '../../pipelines/market/quality.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { MarketPrice } from '../../protocol/resources/market-price.ts'
import type { Placed } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { hasPrice, type OutcomeFacts, outcomeConfirmedAt, outcomePriceOf, outcomeQuality } from './outcome-price.ts'
import { CLOCK_FIELDS, fieldsOf, rowsOf, textOrNull } from './pick.ts'
import { complementPrices, NO_PRICES, quoteConfirmedAt, standingPrices } from './standing-prices.ts'

/**
 * The newest quotes, marks and stored books of one market. A quote without a record_id is not stored: no observation is named
 * for it.
 */
export type PriceRows = {
  readonly market: Row
  readonly quotes: readonly Row[]
  readonly marks: readonly Row[]
  readonly books: readonly Placed[]
}

/** A market price as the resource, and what ages with the clock. */
export type PriceView = {
  readonly price: MarketPrice
  /** Latest instant at which every price shown was known to stand; before it, the oldest one was. */
  readonly confirmed_at: Micros
}

/**
 * The price view of the source series with the newest record: greatest (source_at, received_at), then source_series_id.
 * @param at the instant that the view is of: now, or as_of
 * @returns  null where no quote of the market is known
 */
export function marketPriceOf({ market, quotes, marks, books }: PriceRows, at: Micros): PriceView | null {
  const newest = newestQuote(quotes)
  if (newest === null) return null
  const of_series = (row: Row) => isOfSeries(row, newest)
  const series = { market, quotes: quotes.filter(of_series), marks: marks.filter(of_series), books }
  const outcomes = outcomesOf(series, at)
  const priced = outcomes.filter(hasPrice)
  const mark = series.marks[0]
  const price = {
    market_id: newest.market_id,
    market_status: market.status ?? null,
    outcomes: outcomes.map(outcomePriceOf),
    ...fieldsOf(newest, ['venue_id', 'source_market_id', 'source_series_id', 'source_sequence']),
    ...fieldsOf(newest, CLOCK_FIELDS),
    quality_state: worstQuality((priced.length === 0 ? outcomes : priced).map(outcomeQuality)),
    methodology_id: mark?.methodology_id ?? null,
    methodology_version: mark?.methodology_version ?? null,
  }
  return { price: price as unknown as MarketPrice, confirmed_at: oldestOf(priced) ?? quoteConfirmedAt(newest) }
}

/** Returns the newest quote of an outcome in the source series that its market is priced by; null: there is none. */
export function quoteBeside(quotes: readonly Row[], outcome_id: string): Row | null {
  const newest = newestQuote(quotes)
  if (newest === null) return null
  return quotes.find((row) => row.outcome_id === outcome_id && isOfSeries(row, newest)) ?? null
}

function newestQuote(quotes: readonly Row[]): Row | null {
  return [...quotes].sort(newestFirst)[0] ?? null
}

/** Returns whether a quote or mark belongs to the source series of another quote. */
function isOfSeries(row: Row, quote: Row): boolean {
  return row.venue_id === quote.venue_id && (row.source_series_id ?? null) === (quote.source_series_id ?? null)
}

function outcomesOf({ market, quotes, marks, books }: PriceRows, at: Micros): OutcomeFacts[] {
  const market_status = textOrNull(market.status)
  const own = rowsOf(market.outcomes).map(({ outcome_id }) => {
    const quote = quotes.find((row) => row.outcome_id === outcome_id)
    const book = books.find(({ row }) => row.outcome_id === outcome_id) ?? null
    return { outcome_id, prices: quote === undefined ? null : standingPrices(quote, book) }
  })
  const is_binary = market.outcome_type === 'binary' && own.length === 2
  return own.map(({ outcome_id, prices }, ordinal) => {
    const other = is_binary ? own[1 - ordinal]!.prices : null
    const derived = other === null ? null : complementPrices(other, { is_paused: market_status === 'paused', at })
    const mark = marks.find((row) => row.outcome_id === outcome_id) ?? null
    return { outcome_id, prices: prices ?? derived ?? NO_PRICES, mark, marks, market_status, at }
  })
}

function oldestOf(outcomes: readonly OutcomeFacts[]): Micros | null {
  const instants = outcomes.map(outcomeConfirmedAt).filter((at) => at !== null)
  return instants.length === 0 ? null : Math.min(...instants)
}

function newestFirst(a: Row, b: Row): number {
  const by_time = toMicros(b.source_at) - toMicros(a.source_at) || toMicros(b.received_at) - toMicros(a.received_at)
  const series = [String(a.source_series_id ?? ''), String(b.source_series_id ?? '')] as const
  return by_time !== 0 ? by_time : series[0] < series[1] ? 1 : -1
}
