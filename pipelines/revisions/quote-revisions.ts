import type { RecordId } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import { plainDecimal } from '../text/fields.ts'
import { instantText } from '../text/instant-text.ts'
import type { QuoteBook, QuoteRecord } from '../venues/record.ts'
import { type Facts, statesMore } from './economic-difference.ts'
import type { Identities } from './identities.ts'
import { quoteIdOf } from './identity.ts'
import { completionOf, type Placed, type RevisionRule } from './plan-revisions.ts'

/** Returns the chain of a `market_quote` row: (venue, series, outcome, source instant); the outcome id includes the market. */
export function quoteChain(venue_id: string, series: string | null, outcome_id: string, source_at: Micros): string {
  return `${venue_id}\u001f${series ?? ''}\u001f${outcome_id}\u001f${source_at}`
}

type QuoteValues = Pick<QuoteRecord, 'is_final' | 'raw_value' | 'reported_probability' | 'book'>

/**
 * Returns a quote's values in one canonical text. The probability counts as the source wrote it, without trailing zeros.
 * Sequence and confirmation are not values: they do not make two quotes of one instant differ.
 */
export function quoteFacts({ is_final, raw_value, reported_probability, book }: QuoteValues): Facts {
  // Without a probability the raw texts are those of the other prices, which count as they are stored.
  const raw = reported_probability === null ? null : (raw_value ?? reported_probability)
  const probability = raw === null ? '' : plainDecimal(raw)
  return {
    kind: is_final ? 'final' : 'open',
    content: book === null ? probability : `${probability}${bookContent(book)}`,
  }
}

function bookContent(book: QuoteBook): string {
  const values = [book.bid, book.ask, book.bid_depth, book.ask_depth, book.last_trade, book.last_trade_at]
  return values.every((value) => value === null) ? '' : `|${values.map((value) => value ?? '').join('|')}`
}

/** A quote's values. Bid and ask are one: beside the other, a missing one states that nobody offers. */
function statedValues(content: string): string[] {
  const [probability = '', bid = '', ask = '', ...others] = content.split('|')
  return [probability, bid === '' && ask === '' ? '' : `${bid}|${ask}`, ...others]
}

function quoteCompletes(previous: Facts, next: Facts): boolean {
  return previous.kind === next.kind && statesMore(statedValues(previous.content), statedValues(next.content))
}

/** Returns why a quote supersedes another, in the words of the correction reasons. */
function quoteReason(previous: Facts, next: Facts): string {
  if (previous.kind !== next.kind) return next.kind === 'final' ? 'RESOLVED' : 'RESOLUTION_WITHDRAWN'
  if (quoteCompletes(previous, next)) return 'COMPLETED'
  return next.kind === 'final' ? 'RESOLUTION_CORRECTED' : 'SOURCE_CORRECTION'
}

/** Returns the rule by which quotes form chains. */
export function quoteRule(ids: Identities): RevisionRule<QuoteRecord> {
  const outcomeId = (q: QuoteRecord) => ids.outcomeId(ids.marketId(q.venue_id, q.source_market_id), q.outcome)
  return {
    chainOf: (q) => quoteChain(q.venue_id, q.source_series_id, outcomeId(q), q.source_at),
    // Series of a venue share its outcomes: the chain distinguishes their quotes of one instant.
    subject: { of: outcomeId, at: (q) => q.source_at },
    idOf: quoteId,
    factsOf: quoteFacts,
    reasonOf: quoteReason,
    // A candle of an hour without a trade does not correct that of the day which ends with it.
    addsNothing: (previous, q) => q.is_trade_unstated === true && quoteCompletes(quoteFacts(q), previous),
    completes: quoteCompletes,
    keeps_confirmations: true,
  }
}

function quoteId(quote: QuoteRecord, placed?: Placed): RecordId {
  return quoteIdOf(quote, instantText(quote.source_at), instantText(quote.received_at), ...completionOf(placed))
}

/** Returns a row of `market_quote`. */
export function quoteRow(quote: QuoteRecord, revised: Placed, ids: Identities) {
  const { book } = quote
  const market_id = ids.marketId(quote.venue_id, quote.source_market_id)
  return {
    record_id: quoteId(quote, revised),
    revision: revised.revision,
    supersedes_id: revised.supersedes_id,
    correction_reason: revised.correction_reason,
    confirms_id: 'confirms_id' in revised ? revised.confirms_id : null,
    venue_id: quote.venue_id,
    source_series_id: quote.source_series_id,
    source_market_id: quote.source_market_id,
    market_id,
    outcome_id: ids.outcomeId(market_id, quote.outcome),
    bid: book?.bid ?? null,
    ask: book?.ask ?? null,
    bid_depth: book?.bid_depth ?? null,
    ask_depth: book?.ask_depth ?? null,
    last_trade: book?.last_trade ?? null,
    last_trade_at: book?.last_trade_at ?? null,
    reported_probability: quote.reported_probability,
    raw_value: quote.raw_value,
    source_sequence: book?.source_sequence ?? null,
    quality_state: revised.supersedes_id === null ? 'valid' : 'corrected',
    is_final: quote.is_final,
    confirmed_at: book?.confirmed_at ?? null,
    source_at: quote.source_at,
    received_at: quote.received_at,
  }
}

/** Formats an instant that may be missing. */
export function instantOrNull(micros: Micros | null): string | null {
  return micros === null ? null : instantText(micros)
}
