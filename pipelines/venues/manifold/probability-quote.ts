import { SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { readId, readUnitValue } from '../../text/fields.ts'
import type { JsonText } from '../../text/json-text.ts'
import { numberOrNull } from '../../text/plain-number.ts'
import type { PayloadOrigin } from '../read-payload.ts'
import type { QuoteBook, QuoteRecord } from '../record.ts'

/** The market and clocks of a probability. */
export type ProbabilityClocks = {
  readonly origin: PayloadOrigin
  readonly source_market_id: string
  readonly source_at: Micros
  readonly received_at: Micros
  /** Time the venue was known to still show it; null: it is an old value. */
  readonly confirmed_at: Micros | null
}

/**
 * Returns a probability as a quote, half even to 9 fraction digits with the venue's own text in raw_value; null if it is absent
 * or null. The venue is an automated market maker: there is no book.
 * @param outcome `YES` of a market with one probability, else the answer's id, because its text may change
 * @throws Quarantined BAD_VALUE, VALUE_OUT_OF_RANGE, BAD_ID
 */
function probabilityQuote(value: JsonText | undefined, outcome: string, clocks: ProbabilityClocks): QuoteRecord | null {
  const probability = numberOrNull(value)
  if (probability === null) return null
  const { origin, source_market_id, source_at, received_at, confirmed_at } = clocks
  return {
    file: origin.file,
    line: origin.line,
    path: origin.path,
    venue_id: 'manifold',
    source_series_id: null,
    source_market_id: readId(source_market_id),
    outcome: readId(outcome),
    source_at,
    received_at,
    reported_probability: readUnitValue(probability, SCALE.observed_value),
    raw_value: String(value),
    is_final: false,
    text: '',
    book: confirmed_at === null ? null : confirmedOnly(confirmed_at),
  }
}

function confirmedOnly(confirmed_at: Micros): QuoteBook {
  return {
    bid: null,
    ask: null,
    bid_depth: null,
    ask_depth: null,
    last_trade: null,
    last_trade_at: null,
    source_sequence: null,
    confirmed_at,
  }
}

/** Adds the quote, if there is one. */
export function pushProbability(
  quotes: QuoteRecord[],
  value: JsonText | undefined,
  outcome: string,
  clocks: ProbabilityClocks,
): void {
  const quote = probabilityQuote(value, outcome, clocks)
  if (quote !== null) quotes.push(quote)
}
