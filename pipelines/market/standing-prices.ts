import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { QUOTE_FIELDS, type QuoteField } from '../../vocabulary/market.ts'
import { isStale } from './freshness.ts'
import { COMPLEMENT_RULE } from './mark.ts'
import { complementTouch, type Sighting, standingTouch, type Touch } from './price-view.ts'
import { confirmedAt } from './quote.ts'
import type { PlacedBook, SourceSeries, StoredBook, StoredQuote } from './stored-records.ts'

/** Rule of a derived top of book, and the observations of the other outcome that its bid and its ask derive from; null: not stored. */
type TopDerivation = {
  readonly rule: string
  readonly bid_source: string | null
  readonly ask_source: string | null
}

/** Prices of one outcome that stand at an instant, with the observations that show them. */
export type StandingPrices = {
  readonly touch: Touch
  /** When the last trade was made; null: no trade, or the quote states no time. */
  readonly last_trade_at: Instant | null
  /** Latest instant at which the source was known to still show them; null: it shows no value at all. */
  readonly confirmed_at: Micros | null
  /** Observations of the best bid and the best ask; null where the side is missing, or its record is not stored. */
  readonly bid_source: string | null
  readonly ask_source: string | null
  /** Every observation that is shown. */
  readonly source_ids: readonly string[]
  /** Sequence of the order book whose top this is; null: it is no stored book's. */
  readonly book_sequence: number | null
  /** Rule by which each price is one minus the other outcome's; null: it is observed. */
  readonly derivation: TopDerivation | null
  /** Label of the stored record whose best prices are shown: the book's, or the quote's. */
  readonly stated: string | null
}

/** Instant of a view, the age bound of its prices in microseconds, and whether the market is paused. */
export type ViewMoment = { readonly at: Micros; readonly bound: Micros; readonly is_paused: boolean }

/** Prices of an outcome that has none. */
export const NO_PRICES: StandingPrices = {
  touch: { best_bid: null, best_ask: null, last_trade: null, bid_depth: null, ask_depth: null },
  last_trade_at: null,
  confirmed_at: null,
  bid_source: null,
  ask_source: null,
  source_ids: [],
  book_sequence: null,
  derivation: null,
  stated: null,
}

/**
 * Returns the quote of the series that a market is priced by: the greatest (source_at, received_at, source_series_id), of equals
 * the last given; null: there is none.
 */
export function newestQuote<Q extends StoredQuote>(quotes: readonly Q[]): Q | null {
  return quotes.reduce<Q | null>((best, quote) => (best === null || !isOlder(quote, best) ? quote : best), null)
}

/** Returns the newest quote of an outcome in the source series that its market is priced by; null: there is none. */
export function quoteBeside<Q extends StoredQuote>(quotes: readonly Q[], outcome_id: string): Q | null {
  const newest = newestQuote(quotes)
  if (newest === null) return null
  return quotes.find((quote) => quote.outcome_id === outcome_id && isSameSeries(quote, newest)) ?? null
}

/** Returns whether two records are of one source series. */
export function isSameSeries(a: SourceSeries, b: SourceSeries): boolean {
  return a.venue_id === b.venue_id && (a.source_series_id ?? null) === (b.source_series_id ?? null)
}

/** Returns the prices of an outcome by its newest quote and its newest stored book of the same source series. */
export function standingPrices(quote: StoredQuote, book: PlacedBook | null): StandingPrices {
  const quoted = touchOfQuote(quote)
  const counted = book !== null && isComparable(quote, book.row) ? book : null
  const stands = standingTouch(sightingOfQuote(quote), counted && sightingOfBook(counted.row))
  const own = observed(quote)
  const states_value = QUOTE_FIELDS.some((field) => quote[field] != null) || stands.source === 'book'
  const confirmed_at = states_value ? stands.confirmed_at : null
  const last_trade_at = quoted.last_trade === null ? null : (quote.last_trade_at ?? null)
  const shown = { last_trade_at, confirmed_at, derivation: derivationOf(quote) }
  if (counted === null || stands.source === 'quote') {
    return { ...shown, ...own, touch: quoted, book_sequence: null, stated: quote.quality_state ?? null }
  }
  const top = touchOfBook(counted.row)
  const touch = { ...top, last_trade: quoted.last_trade }
  const is_quoted = top.best_bid === quoted.best_bid && top.best_ask === quoted.best_ask
  const stated = counted.row.quality_state ?? null
  return {
    ...shown,
    ...(is_quoted ? own : { ...observedInBook(counted.row, own), derivation: null }),
    touch,
    book_sequence: counted.seq,
    stated,
  }
}

/** Returns the prices of an outcome of a binary market that has no quote, from the other outcome's; null: they do not count. */
export function complementPrices(other: StandingPrices, { at, bound, is_paused }: ViewMoment): StandingPrices | null {
  if (other.confirmed_at === null) return null
  const touch = complementTouch(other.touch, { is_paused, is_stale: isStale(other.confirmed_at, at, bound) })
  if (touch === null || (touch.best_bid === null && touch.best_ask === null)) return null
  const [bid_source, ask_source] = [other.ask_source, other.bid_source]
  const source_ids = [bid_source, ask_source].filter((id) => id !== null)
  const sources = { bid_source, ask_source, source_ids }
  const derivation = { rule: COMPLEMENT_RULE, bid_source, ask_source }
  return { ...other, ...sources, touch, last_trade_at: null, book_sequence: null, derivation }
}

function derivationOf({ derivation_rule: rule, derived_from_id }: StoredQuote): TopDerivation | null {
  if (rule == null) return null
  const source = (field: QuoteField) => (derived_from_id == null ? null : `${derived_from_id}.${field}`)
  return { rule, bid_source: source('ask'), ask_source: source('bid') }
}

/** Returns whether an outcome's newest quote shows other best prices than a stored book, and was seen later. */
export function contradicts(quote: StoredQuote, book: StoredBook): boolean {
  return isComparable(quote, book) && !standingTouch(sightingOfQuote(quote), sightingOfBook(book)).is_top_of_book
}

/** Returns the latest instant at which a book was known to stand: its own, or that of a quote with the same best prices. */
export function bookConfirmedAt(book: StoredBook, quote: StoredQuote | null): Micros {
  const own = sightingOfBook(book)
  if (quote === null || !isComparable(quote, book)) return own.confirmed_at
  const stands = standingTouch(sightingOfQuote(quote), own)
  return stands.is_top_of_book ? stands.confirmed_at : own.confirmed_at
}

/** Returns the latest instant at which the source was known to still show a stored quote; of a trade, when it was made. */
export function quoteConfirmedAt({ source_at, confirmed_at }: Pick<StoredQuote, 'source_at' | 'confirmed_at'>): Micros {
  return confirmedAt({
    source_at: toMicros(source_at),
    confirmed_at: confirmed_at == null ? null : toMicros(confirmed_at),
  })
}

function isOlder(a: StoredQuote, b: StoredQuote): boolean {
  const by_time = toMicros(a.source_at) - toMicros(b.source_at) || toMicros(a.received_at) - toMicros(b.received_at)
  return by_time !== 0 ? by_time < 0 : (a.source_series_id ?? '') < (b.source_series_id ?? '')
}

/** A book in odds, or of another source series, says nothing about a quote. */
function isComparable(quote: StoredQuote, book: StoredBook): boolean {
  return isSameSeries(quote, book) && (book.price_unit ?? 'probability') === 'probability'
}

function sightingOfQuote(quote: StoredQuote): Sighting {
  return { touch: touchOfQuote(quote), confirmed_at: quoteConfirmedAt(quote) }
}

function sightingOfBook(book: StoredBook): Sighting {
  return { touch: touchOfBook(book), confirmed_at: toMicros(book.source_at) }
}

function touchOfQuote({ bid, ask, last_trade, bid_depth, ask_depth }: StoredQuote): Touch {
  return {
    best_bid: bid ?? null,
    best_ask: ask ?? null,
    last_trade: last_trade ?? null,
    bid_depth: bid_depth ?? null,
    ask_depth: ask_depth ?? null,
  }
}

function touchOfBook({ bids, asks }: StoredBook): Omit<Touch, 'last_trade'> {
  const [bid, ask] = [bids?.[0], asks?.[0]]
  return {
    best_bid: bid?.price ?? null,
    best_ask: ask?.price ?? null,
    bid_depth: bid?.quantity ?? null,
    ask_depth: ask?.quantity ?? null,
  }
}

type Observed = Pick<StandingPrices, 'bid_source' | 'ask_source' | 'source_ids'>

/** Returns the observations of a quote that is shown; none for one without a stored record. */
function observed(quote: StoredQuote): Observed {
  const fields = quote.record_id == null ? [] : QUOTE_FIELDS.filter((field) => quote[field] != null)
  const idOf = (field: QuoteField) => (fields.includes(field) ? quoteObservation(quote, field) : null)
  return {
    bid_source: idOf('bid'),
    ask_source: idOf('ask'),
    source_ids: fields.map((field) => quoteObservation(quote, field)),
  }
}

/** Returns the id of the observation of a quote's field. The last trade of the tape is the observation of its trade. */
function quoteObservation({ record_id, last_trade_id }: StoredQuote, field: QuoteField): string {
  const of_trade = field === 'last_trade' && last_trade_id != null
  return `${of_trade ? last_trade_id : record_id}.${field}`
}

/** Returns the sources of prices that only the book shows: the book itself, named by its own id, and the quote's trade. */
function observedInBook({ order_book_id, bids, asks }: StoredBook, { source_ids }: Observed): Observed {
  const id = order_book_id ?? null
  const trade = source_ids.filter((source) => source.endsWith('.last_trade'))
  return {
    bid_source: (bids ?? []).length === 0 ? null : id,
    ask_source: (asks ?? []).length === 0 ? null : id,
    source_ids: id === null ? trade : [id, ...trade],
  }
}
