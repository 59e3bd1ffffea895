import { quoteIdOf } from '../../pipelines/revisions/identity.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { priceText } from '../../trading/public-market/amounts.ts'
import { isTopDerived } from '../../trading/public-market/derived-top.ts'
import { otherOutcome } from '../../trading/public-market/other-outcome.ts'
import type { PublicOutcome } from '../../trading/public-market/public-market.ts'
import { LADDER_RULE } from '../../vocabulary/market.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import type { Row } from '../../warehouse/schema.ts'
import { storedQuantity } from './stored-amounts.ts'
import type { QuoteState, QuoteValues } from './venue-state.ts'

/** Returns the top of an outcome's book and its last trade, as a quote states them. */
export function quoteValues({ market: { terms }, book, last_trade }: PublicOutcome): QuoteValues {
  const [bid, ask] = [book.bids[0], book.asks[0]]
  return {
    bid: bid === undefined ? null : priceText(terms, bid.price),
    ask: ask === undefined ? null : priceText(terms, ask.price),
    bid_depth: bid === undefined ? null : storedQuantity(terms, bid.quantity),
    ask_depth: ask === undefined ? null : storedQuantity(terms, ask.quantity),
    last_trade: last_trade === null ? null : priceText(terms, last_trade.price),
    last_trade_at: last_trade?.traded_at ?? null,
    derived: isTopDerived(book),
  }
}

/** Whether the newest quote has these values already; without a quote every value is null. */
export function isSameQuote(quote: QuoteState | null, values: QuoteValues): boolean {
  return FIELDS.every((field) => (quote?.[field] ?? null) === values[field])
}

const FIELDS = ['bid', 'ask', 'bid_depth', 'ask_depth', 'last_trade', 'last_trade_at', 'derived'] as const

/** Returns a new quote; one that is derived names the quote of the other outcome that is stated with it. @param source the last event that changed it, and the engine's stamp */
export function newQuote(
  outcome: PublicOutcome,
  values: QuoteValues,
  source: { readonly source_sequence: number; readonly source_at: Micros },
  received_at: Micros,
): QuoteState {
  const record_id = recordIdOf(outcome, source.source_at, received_at)
  const other = values.derived === true ? otherOutcome(outcome) : null
  const derived_from_id = other && recordIdOf(other, source.source_at, received_at)
  return { ...values, ...source, record_id, derived_from_id, revision: 1, confirmed_at: source.source_at }
}

/** Returns the same quote, confirmed to be in force still at `confirmed_at`. */
export function confirmedQuote(
  outcome: PublicOutcome,
  quote: QuoteState,
  confirmed_at: Micros,
  received_at: Micros,
): QuoteState {
  const record_id = recordIdOf(outcome, quote.source_at, received_at)
  return { ...quote, record_id, confirmed_at }
}

/** Returns a row of `market_quote`. @param before the quote that this one confirms */
export function quoteRow(
  { market: { market_id }, outcome_id }: PublicOutcome,
  quote: QuoteState,
  received_at: Micros,
  before: QuoteState | null = null,
): Row {
  const { confirmed_at, ...values } = quote
  return {
    ...values,
    supersedes_id: null,
    correction_reason: null,
    confirms_id: before?.record_id ?? null,
    venue_id: OWN_VENUE,
    source_series_id: null,
    source_market_id: market_id,
    market_id,
    outcome_id,
    derivation_rule: quote.derived === true ? LADDER_RULE : null,
    reported_probability: null,
    raw_value: null,
    quality_state: 'valid',
    is_final: false,
    confirmed_at: before === null ? null : confirmed_at,
    received_at,
  }
}

function recordIdOf({ market: { market_id }, outcome_id }: PublicOutcome, source_at: Micros, received_at: Micros) {
  const instrument = {
    venue_id: OWN_VENUE,
    source_series_id: null,
    source_market_id: market_id,
    outcome: outcome_id,
  }
  return quoteIdOf(instrument, formatMicros(source_at), formatMicros(received_at))
}
