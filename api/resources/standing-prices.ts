import { isStale } from '../../pipelines/market/freshness.ts'
import { complementTouch, type Sighting, standingTouch, type Touch } from '../../pipelines/market/price-view.ts'
import { confirmedAt } from '../../pipelines/market/quote.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { MARKET_PRICE_MAX_AGE_MS } from '../../protocol/limits.ts'
import { QUOTE_FIELDS } from '../../vocabulary/market.ts'
import type { Placed } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { rowsOf, textOrNull } from './pick.ts'
import { quoteObservation } from './quote-observation.ts'

/** Age bound of a price view and an order book, in microseconds: their meta.max_age_ms. */
export const PRICE_BOUND: Micros = MARKET_PRICE_MAX_AGE_MS * 1000

/** Prices of one outcome that stand at an instant, with the observations that show them. */
export type StandingPrices = {
  readonly touch: Touch
  /** When the last trade was made; null: no trade, or the quote states no time. */
  readonly last_trade_at: string | null
  /** Latest instant at which the source was known to still show them; null: it shows no value at all. */
  readonly confirmed_at: Micros | null
  /** Observations of the best bid and the best ask; null where the side is missing, or its record is not stored. */
  readonly bid_source: string | null
  readonly ask_source: string | null
  /** Every observation that is shown. */
  readonly source_ids: readonly string[]
  /** Sequence of the order book whose top this is; null: it is no stored book's. */
  readonly book_sequence: number | null
  /** true: each price is one minus the other outcome's. */
  readonly is_complement: boolean
  /** Label of the stored record. */
  readonly stated: string | null
}

export const NO_PRICES: StandingPrices = {
  touch: { best_bid: null, best_ask: null, last_trade: null, bid_depth: null, ask_depth: null },
  last_trade_at: null,
  confirmed_at: null,
  bid_source: null,
  ask_source: null,
  source_ids: [],
  book_sequence: null,
  is_complement: false,
  stated: null,
}

/** Returns the prices of an outcome by its newest quote and its newest stored book of the same source series. */
export function standingPrices(quote: Row, book: Placed | null): StandingPrices {
  const quoted = touchOfQuote(quote)
  const counted = book !== null && isComparable(quote, book.row) ? book : null
  const stands = standingTouch(sightingOfQuote(quote), counted && sightingOfBook(counted.row))
  const own = observed(quote)
  const states_value = QUOTE_FIELDS.some((field) => quote[field] != null) || stands.source === 'book'
  const confirmed_at = states_value ? stands.confirmed_at : null
  const last_trade_at = quoted.last_trade === null ? null : textOrNull(quote.last_trade_at)
  const shown = { last_trade_at, confirmed_at, is_complement: false, stated: textOrNull(quote.quality_state) }
  if (counted === null || stands.source === 'quote') {
    return { ...shown, ...own, touch: quoted, book_sequence: null }
  }
  const top = touchOfBook(counted.row)
  const touch = { ...top, last_trade: quoted.last_trade }
  const is_quoted = top.best_bid === quoted.best_bid && top.best_ask === quoted.best_ask
  return { ...shown, ...(is_quoted ? own : observedInBook(counted.row, own)), touch, book_sequence: counted.seq }
}

/** Returns the prices of an outcome of a binary market that has no quote, from the other outcome's; null: they do not count. */
export function complementPrices(
  other: StandingPrices,
  { is_paused, at }: { readonly is_paused: boolean; readonly at: Micros },
): StandingPrices | null {
  if (other.confirmed_at === null) return null
  const is_stale = isStale(other.confirmed_at, at, PRICE_BOUND)
  const touch = complementTouch(other.touch, { is_paused, is_stale })
  if (touch === null || (touch.best_bid === null && touch.best_ask === null)) return null
  const [bid_source, ask_source] = [other.ask_source, other.bid_source]
  const source_ids = [bid_source, ask_source].filter((id) => id !== null)
  const sources = { bid_source, ask_source, source_ids }
  return { ...other, ...sources, touch, last_trade_at: null, book_sequence: null, is_complement: true }
}

/** Returns whether an outcome's newest quote shows other best prices than a stored book, and was seen later. */
export function contradicts(quote: Row, book: Row): boolean {
  return isComparable(quote, book) && !standingTouch(sightingOfQuote(quote), sightingOfBook(book)).is_top_of_book
}

/** Returns the latest instant at which a book was known to stand: its own, or that of a quote with the same best prices. */
export function bookConfirmedAt(book: Row, quote: Row | null): Micros {
  const own = sightingOfBook(book)
  if (quote === null || !isComparable(quote, book)) return own.confirmed_at
  const stands = standingTouch(sightingOfQuote(quote), own)
  return stands.is_top_of_book ? stands.confirmed_at : own.confirmed_at
}

/** Returns the latest instant at which the source was known to still show a stored quote. */
export function quoteConfirmedAt({ source_at, confirmed_at }: Row): Micros {
  return confirmedAt({
    source_at: toMicros(source_at),
    confirmed_at: confirmed_at == null ? null : toMicros(confirmed_at),
  })
}

/** A book in odds, or of another source series, says nothing about a quote. */
function isComparable(quote: Row, book: Row): boolean {
  const is_same_series = (quote.source_series_id ?? null) === (book.source_series_id ?? null)
  return is_same_series && quote.venue_id === book.venue_id && (book.price_unit ?? 'probability') === 'probability'
}

function sightingOfQuote(quote: Row): Sighting {
  return { touch: touchOfQuote(quote), confirmed_at: quoteConfirmedAt(quote) }
}

function sightingOfBook(book: Row): Sighting {
  return { touch: touchOfBook(book), confirmed_at: toMicros(book.source_at) }
}

function touchOfQuote(quote: Row): Touch {
  return {
    best_bid: textOrNull(quote.bid),
    best_ask: textOrNull(quote.ask),
    last_trade: textOrNull(quote.last_trade),
    bid_depth: textOrNull(quote.bid_depth),
    ask_depth: textOrNull(quote.ask_depth),
  }
}

function touchOfBook(book: Row): Omit<Touch, 'last_trade'> {
  const [bid, ask] = [rowsOf(book.bids)[0], rowsOf(book.asks)[0]]
  return {
    best_bid: textOrNull(bid?.price),
    best_ask: textOrNull(ask?.price),
    bid_depth: textOrNull(bid?.quantity),
    ask_depth: textOrNull(ask?.quantity),
  }
}

type Observed = Pick<StandingPrices, 'bid_source' | 'ask_source' | 'source_ids'>

/** Returns the observations of a quote that is shown; none for one without a stored record. */
function observed(quote: Row): Observed {
  const fields = quote.record_id == null ? [] : QUOTE_FIELDS.filter((field) => quote[field] != null)
  const idOf = (field: string) => (fields.includes(field) ? quoteObservation(quote, field) : null)
  return {
    bid_source: idOf('bid'),
    ask_source: idOf('ask'),
    source_ids: fields.map((field) => quoteObservation(quote, field)),
  }
}

/** Returns the sources of prices that only the book shows: the book itself, named by its own id, and the quote's trade. */
function observedInBook(book: Row, { source_ids }: Observed): Observed {
  const id = textOrNull(book.order_book_id)
  const trade = source_ids.filter((source) => source.endsWith('.last_trade'))
  return {
    bid_source: rowsOf(book.bids).length === 0 ? null : id,
    ask_source: rowsOf(book.asks).length === 0 ? null : id,
    source_ids: id === null ? trade : [id, ...trade],
  }
}
