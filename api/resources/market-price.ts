import { COMPLEMENT_RULE } from '../../pipelines/market/mark.ts'
import { complementTouch, midpointOf, qualityOfPrice, spreadOf, type Touch } from '../../pipelines/market/price-view.ts'
import { confirmedAt } from '../../pipelines/market/quote.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { MarketPrice } from '../../protocol/resources/market-price.ts'
import { QUOTE_FIELDS } from '../../vocabulary/market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'
import { booleanOf, CLOCK_FIELDS, fieldsOf, rowsOf, textOrNull, textsOf } from './pick.ts'
import { quoteObservation } from './quote-observation.ts'

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
  const confirmed_at = Math.max(...series.quotes.map(confirmationOf))
  const mark = series.marks[0]
  const price = {
    market_id: newest.market_id,
    market_status: market.status ?? null,
    outcomes: outcomePrices(market, series),
    ...fieldsOf(newest, ['venue_id', 'source_market_id', 'source_series_id', 'source_sequence']),
    ...fieldsOf(newest, CLOCK_FIELDS),
    quality_state: qualityOfPrice(confirmed_at, at, {
      listed_status: newest.venue_id === OWN_VENUE ? textOrNull(market.status) : null,
      stated: textOrNull(newest.quality_state),
    }),
    methodology_id: mark?.methodology_id ?? null,
    methodology_version: mark?.methodology_version ?? null,
  }
  return { price: price as unknown as MarketPrice, confirmed_at }
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
      last_trade_at: sides.values.last_trade === null ? null : (quote?.last_trade_at ?? null),
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

type Sides = { readonly values: Touch; readonly derived: boolean; readonly source_ids: readonly string[] }

function ownSides(quote: Row | null): Sides {
  const stored = quote?.record_id == null ? [] : QUOTE_FIELDS
  const fields = stored.filter((field) => quote?.[field] != null)
  return {
    values: touchOf(quote ?? {}),
    derived: false,
    source_ids: quote === null ? [] : fields.map((field) => quoteObservation(quote, field)),
  }
}

function complementSides(other: Row): Sides {
  const fields = ['ask', 'bid'].filter((field) => other[field] != null)
  return {
    values: complementTouch(touchOf(other)),
    derived: fields.length > 0,
    source_ids: fields.map((field) => `${other.record_id}.${field}`),
  }
}

function touchOf(quote: Row): Touch {
  return {
    best_bid: textOrNull(quote.bid),
    best_ask: textOrNull(quote.ask),
    last_trade: textOrNull(quote.last_trade),
    bid_depth: textOrNull(quote.bid_depth),
    ask_depth: textOrNull(quote.ask_depth),
  }
}

function otherQuote(market: Row, outcome_id: RowValue, quotes: readonly Row[]): Row | null {
  if (market.outcome_type !== 'binary' || rowsOf(market.outcomes).length !== 2) return null
  return quotes.find((row) => row.outcome_id !== outcome_id) ?? null
}

function sourceIds(own: readonly string[], mark: Row | null): string[] {
  return [...new Set([...own, ...textsOf(mark?.source_observation_ids)])].sort()
}

function confirmationOf({ source_at, confirmed_at }: Row): Micros {
  return confirmedAt({
    source_at: toMicros(source_at),
    confirmed_at: confirmed_at == null ? null : toMicros(confirmed_at),
  })
}

function newestFirst(a: Row, b: Row): number {
  const by_time = toMicros(b.source_at) - toMicros(a.source_at) || toMicros(b.received_at) - toMicros(a.received_at)
  const series = [String(a.source_series_id ?? ''), String(b.source_series_id ?? '')] as const
  return by_time !== 0 ? by_time : series[0] < series[1] ? 1 : -1
}
