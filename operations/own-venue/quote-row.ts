import { quoteIdOf } from '../../pipelines/revisions/identity.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { MarketTerms } from '../../trading/market/market-terms.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import { priceText, quantityText } from './amounts.ts'
import type { OutcomeState, QuoteState, QuoteValues } from './venue-state.ts'

type Scales = Pick<MarketTerms, 'price_scale' | 'quantity_scale'>

/** The touch of a book and the last trade, as a quote states them. */
export function quoteValues({ bids, asks, last_trade }: OutcomeState, scales: Scales): QuoteValues {
  const bid = best(bids, (price, than) => price > than)
  const ask = best(asks, (price, than) => price < than)
  const price = (value: number | null) => (value === null ? null : priceText(value, scales.price_scale))
  const depth = (side: ReadonlyMap<number, number>, at: number | null) =>
    at === null ? null : quantityText(side.get(at)!, scales.quantity_scale)
  return {
    bid: price(bid),
    ask: price(ask),
    bid_depth: depth(bids, bid),
    ask_depth: depth(asks, ask),
    last_trade: last_trade?.price ?? null,
    last_trade_at: last_trade?.at ?? null,
  }
}

function best(side: ReadonlyMap<number, number>, isBetter: (price: number, than: number) => boolean): number | null {
  let found: number | null = null
  for (const price of side.keys()) if (found === null || isBetter(price, found)) found = price
  return found
}

/** Whether two quotes state the same; no quote at all states nothing. */
export function sayTheSame(told: QuoteState | null, values: QuoteValues): boolean {
  return FIELDS.every((field) => (told?.[field] ?? null) === values[field])
}

const FIELDS = ['bid', 'ask', 'bid_depth', 'ask_depth', 'last_trade', 'last_trade_at'] as const

/** A quote as of the engine's stamp `source_at`. @param source_sequence of the event that brought it about */
export function newQuote(
  { market_id, outcome_id }: OutcomeState,
  values: QuoteValues,
  source: { readonly source_sequence: number; readonly source_at: Micros },
  received_at: Micros,
): QuoteState {
  const record_id = idOf(market_id, outcome_id, source.source_at, received_at)
  return { ...values, ...source, record_id, revision: 1, confirmed_at: source.source_at }
}

/** The same quote again, known to be shown still at `confirmed_at`. */
export function confirmedQuote(
  { market_id, outcome_id, quote }: OutcomeState & { readonly quote: QuoteState },
  confirmed_at: Micros,
  received_at: Micros,
): QuoteState {
  const record_id = idOf(market_id, outcome_id, quote.source_at, received_at)
  return { ...quote, record_id, revision: quote.revision + 1, confirmed_at }
}

/** A row of `market_quote`. @param before the quote that this one confirms */
export function quoteRow(
  { market_id, outcome_id }: OutcomeState,
  quote: QuoteState,
  received_at: Micros,
  before: QuoteState | null = null,
): Row {
  const { confirmed_at, ...values } = quote
  return {
    ...values,
    supersedes_id: before?.record_id ?? null,
    correction_reason: before === null ? null : 'CONFIRMED',
    venue_id: OWN_VENUE,
    source_series_id: null,
    source_market_id: market_id,
    market_id,
    outcome_id,
    reported_probability: null,
    raw_value: null,
    quality_state: 'valid',
    is_final: false,
    confirmed_at: before === null ? null : confirmed_at,
    received_at,
  }
}

function idOf(market_id: string, outcome_id: string, source_at: Micros, received_at: Micros) {
  const instrument = {
    venue_id: OWN_VENUE,
    source_series_id: null,
    source_market_id: market_id,
    outcome: outcome_id,
  }
  return quoteIdOf(instrument, formatMicros(source_at), formatMicros(received_at))
}
