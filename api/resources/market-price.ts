import { type Micros, toMicros } from '../../primitives/instants.ts'
import { divideHalfEven, fromScaled, toScaled } from '../../primitives/scaled.ts'
import type { MarketPrice } from '../../protocol/resources/market-price.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import { QUOTE_FIELDS } from '../../vocabulary/market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'
import { booleanOf, CLOCK_FIELDS, fieldsOf, rowsOf, textOrNull, textsOf } from './pick.ts'

/** A quote without a confirmation for longer than this is labelled stale (fresh.stale_after's default, methodology 4.16). */
export const STALE_AFTER_MICROS: Micros = 15 * 60 * 1_000_000

/** Fraction digits of published prices. */
const DIGITS = 9
const ONE = toScaled('1', DIGITS)

/** A derived side of a binary market, named like the mark rule of the same kind (methodology 4.2, M6). */
const COMPLEMENT_RULE = 'one_minus_other_outcome'

/**
 * What the prices of a market listed here are worth as it stands: nobody can trade at one of a paused market (suspended), none moves
 * any more after the close (stale, as methodology 4.2 has frozen marks), and before the opening there is no market (indicative).
 */
export const QUALITY_OF_STATUS = {
  scheduled: 'indicative',
  open: 'valid',
  paused: 'suspended',
  closed: 'stale',
  resolving: 'stale',
  resolved: 'stale',
  voided: 'stale',
  archived: 'stale',
} as const satisfies Record<MarketStatus, string>

/** The newest quotes and marks of one market. A quote without a record_id is not stored: no observation is named for it. */
export type PriceRows = { readonly market: Row; readonly quotes: readonly Row[]; readonly marks: readonly Row[] }

/** A market price as the resource, and what ages with the clock. */
export type PriceView = {
  readonly price: MarketPrice
  /** The latest instant at which the source was known to still show it. */
  readonly confirmed_at: Micros
}

/**
 * The price view of the source series with the newest record: greatest (source_at, received_at), then source_series_id.
 * @param at the instant that the view is of: now, or as_of
 * @returns  null where no quote of the market is known
 */
export function marketPriceOf({ market, quotes, marks }: PriceRows, at: Micros): PriceView | null {
  const newest = [...quotes].sort(newestFirst)[0]
  if (newest === undefined) return null
  const of_series = (row: Row) =>
    row.venue_id === newest.venue_id && (row.source_series_id ?? null) === (newest.source_series_id ?? null)
  const series = { quotes: quotes.filter(of_series), marks: marks.filter(of_series) }
  const confirmed_at = Math.max(...series.quotes.map(confirmedAt))
  const mark = series.marks[0]
  const price = {
    market_id: newest.market_id,
    market_status: market.status ?? null,
    outcomes: outcomePrices(market, series),
    ...fieldsOf(newest, ['venue_id', 'source_market_id', 'source_series_id', 'source_sequence']),
    ...fieldsOf(newest, CLOCK_FIELDS),
    quality_state: at - confirmed_at > STALE_AFTER_MICROS ? 'stale' : qualityOf(newest, market),
    methodology_id: mark?.methodology_id ?? null,
    methodology_version: mark?.methodology_version ?? null,
  }
  return { price: price as unknown as MarketPrice, confirmed_at }
}

function qualityOf({ venue_id, quality_state }: Row, { status }: Row): RowValue {
  if (venue_id === OWN_VENUE && typeof status === 'string' && isMarketStatus(status)) return QUALITY_OF_STATUS[status]
  return quality_state ?? 'valid'
}

function isMarketStatus(status: string): status is keyof typeof QUALITY_OF_STATUS {
  return status in QUALITY_OF_STATUS
}

function outcomePrices(market: Row, series: { quotes: readonly Row[]; marks: readonly Row[] }) {
  const outcomes = rowsOf(market.outcomes)
  return outcomes.map(({ outcome_id }) => {
    const quote = series.quotes.find((row) => row.outcome_id === outcome_id) ?? null
    const other = otherQuote(market, outcome_id, series.quotes)
    const mark = series.marks.find((row) => row.outcome_id === outcome_id) ?? null
    const sides = quote === null && other !== null ? complementSides(other) : ownSides(quote)
    const mark_derived = booleanOf(mark?.derived)
    return {
      outcome_id,
      ...sides.values,
      midpoint: midpointOf(sides.values.best_bid, sides.values.best_ask),
      mark: mark?.mark ?? null,
      implied_probability: mark?.implied_probability ?? null,
      spread: spreadOf(sides.values.best_bid, sides.values.best_ask),
      derived: sides.derived || mark_derived,
      derivation_rule: sides.derived ? COMPLEMENT_RULE : mark_derived ? textOrNull(mark?.derivation_rule) : null,
      source_observation_ids: sourceIds(sides.source_ids, mark),
      mark_rule: mark?.mark_rule ?? null,
      mark_observation_id: mark === null ? null : `${mark.mark_id}.mark`,
    }
  })
}

type Sides = {
  readonly values: {
    best_bid: RowValue
    best_ask: RowValue
    last_trade: RowValue
    bid_depth: RowValue
    ask_depth: RowValue
  }
  readonly derived: boolean
  readonly source_ids: readonly string[]
}

function ownSides(quote: Row | null): Sides {
  const { bid = null, ask = null, last_trade = null, bid_depth = null, ask_depth = null } = quote ?? {}
  const stored = quote?.record_id == null ? [] : QUOTE_FIELDS
  const fields = stored.filter((field) => quote?.[field] != null)
  return {
    values: { best_bid: bid, best_ask: ask, last_trade, bid_depth, ask_depth },
    derived: false,
    source_ids: fields.map((field) => `${quote?.record_id}.${field}`),
  }
}

/** The other outcome's real bid is this one's ask and the reverse; a trade stays with the outcome that it was made in. */
function complementSides(other: Row): Sides {
  return {
    values: {
      best_bid: complementOf(other.ask),
      best_ask: complementOf(other.bid),
      last_trade: null,
      bid_depth: other.ask_depth ?? null,
      ask_depth: other.bid_depth ?? null,
    },
    derived: other.bid != null || other.ask != null,
    source_ids: ['ask', 'bid'].filter((field) => other[field] != null).map((field) => `${other.record_id}.${field}`),
  }
}

function otherQuote(market: Row, outcome_id: RowValue, quotes: readonly Row[]): Row | null {
  if (market.outcome_type !== 'binary' || rowsOf(market.outcomes).length !== 2) return null
  return quotes.find((row) => row.outcome_id !== outcome_id) ?? null
}

function sourceIds(own: readonly string[], mark: Row | null): string[] {
  return [...new Set([...own, ...textsOf(mark?.source_observation_ids)])].sort()
}

function complementOf(price: RowValue): string | null {
  return typeof price === 'string' ? fromScaled(ONE - toScaled(price, DIGITS), DIGITS) : null
}

/** (bid + ask) / 2 with 9 fraction digits, half even; null without both sides. */
export function midpointOf(bid: RowValue, ask: RowValue): string | null {
  if (typeof bid !== 'string' || typeof ask !== 'string') return null
  return fromScaled(divideHalfEven(toScaled(bid, DIGITS) + toScaled(ask, DIGITS), 2n), DIGITS)
}

function spreadOf(bid: RowValue, ask: RowValue): string | null {
  if (typeof bid !== 'string' || typeof ask !== 'string') return null
  return fromScaled(toScaled(ask, DIGITS) - toScaled(bid, DIGITS), DIGITS)
}

function confirmedAt(quote: Row): Micros {
  const source_at = toMicros(quote.source_at)
  return quote.confirmed_at == null ? source_at : Math.max(source_at, toMicros(quote.confirmed_at))
}

function newestFirst(a: Row, b: Row): number {
  const by_time = toMicros(b.source_at) - toMicros(a.source_at) || toMicros(b.received_at) - toMicros(a.received_at)
  const series = [String(a.source_series_id ?? ''), String(b.source_series_id ?? '')] as const
  return by_time !== 0 ? by_time : series[0] < series[1] ? 1 : -1
}
