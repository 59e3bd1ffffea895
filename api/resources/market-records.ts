import { isStale } from '../../pipelines/market/freshness.ts'
import { complementPrice } from '../../pipelines/market/price-view.ts'
import { qualityOf } from '../../pipelines/market/quality-label.ts'
import { bookConfirmedAt, contradicts } from '../../pipelines/market/standing-prices.ts'
import type { StoredBook, StoredQuote } from '../../pipelines/market/stored-records.ts'
import { type Decimal, parseDecimal } from '../../primitives/decimal.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { SCHEMA_VERSION } from '../../protocol/envelope.ts'
import type { LevelQuote } from '../../protocol/resources/index-observation.ts'
import type { MarketObservation } from '../../protocol/resources/market-price.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import type { Trade } from '../../protocol/resources/trade.ts'
import { LADDER_RULE } from '../../vocabulary/market.ts'
import type { Placed } from '../../warehouse/reader/reader.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'
import { QUANTITY } from '../../warehouse/tables/columns.ts'
import { PRICE_BOUND } from './market-price.ts'
import { booleanOf, CLOCK_FIELDS, fieldsOf, rowsOf, textOrNull, textsOf } from './pick.ts'

const OBSERVATION_FIELDS = [
  'observation_id',
  'revision',
  'supersedes_id',
  'correction_reason',
  'market_id',
  'outcome_id',
  'field',
  'value',
  'venue_id',
  'source_series_id',
  'source_market_id',
] as const

/**
 * Converts a market observation to the resource. It says what was observed at its own instant, so its label does not age: a
 * price that is old now was not old then.
 */
export function marketObservationOf(row: Row): MarketObservation {
  return {
    ...fieldsOf(row, OBSERVATION_FIELDS),
    source_observation_ids: textsOf(row.source_observation_ids),
    derived: booleanOf(row.derived),
    derivation_rule: row.derivation_rule ?? null,
    quality_state: qualityOf({ has_value: true, is_stale: false, status: null, stated: textOrNull(row.quality_state) }),
    ...fieldsOf(row, ['source_at', 'tick_at', 'received_at', 'calculated_at', 'published_at']),
    schema_version: SCHEMA_VERSION,
    ...fieldsOf(row, ['methodology_id', 'methodology_version']),
  } as unknown as MarketObservation
}

const QUOTE_FIELDS = [
  'bid',
  'ask',
  'bid_depth',
  'ask_depth',
  'last_trade',
  'last_trade_at',
  'reported_probability',
  'confirmed_at',
] as const

/** The same with the quote that contains the value; null for a derived value, which has no quote of its own. */
export function marketObservationWithQuote(row: Row, quote: Row | null): MarketObservation {
  const shown = quote === null ? null : fieldsOf(quote, QUOTE_FIELDS)
  return { ...marketObservationOf(row), quote: shown } as unknown as MarketObservation
}

/** Converts a stored quote to the source of a level. @param observation_id value of it that a leg names first */
export function levelQuoteOf(row: Row, observation_id: string): LevelQuote {
  return {
    observation_id,
    ...fieldsOf(row, ['revision', 'market_id', 'outcome_id', 'source_at', 'received_at', 'published_at']),
    quote: fieldsOf(row, QUOTE_FIELDS),
  } as unknown as LevelQuote
}

/** A stored book with the quote, the market status and the instant that decide its label. */
export type BookFacts = {
  readonly book: Placed
  /** Newest quote of the outcome, of the series that the market is priced by; null: none. */
  readonly quote: Row | null
  readonly market_status: string | null
  readonly at: Micros
}

/** A book as the resource, and the latest instant at which its top was known to stand. */
export type BookView = { readonly book: OrderBook; readonly confirmed_at: Micros }

/**
 * Converts a row of order_book to the resource, at most `depth` price levels a side, best first. Its sequence is its version in the
 * table, as on the stream.
 */
export function orderBookOf(facts: BookFacts, depth: number): BookView {
  const { quote } = facts
  const { row } = facts.book
  const [stored, newest] = [row as StoredBook & Row, quote as (StoredQuote & Row) | null]
  const confirmed_at = bookConfirmedAt(stored, newest)
  const is_older = newest !== null && contradicts(newest, stored)
  const book = {
    ...bookLevelsOf(facts, depth, confirmed_at),
    confirmed_at: formatMicros(confirmed_at),
    newer_quote_at: is_older ? newest.source_at : null,
  }
  return { book: book as OrderBook, confirmed_at }
}

/** Converts a row of order_book to the resource without what a quote says about it: the same in every process. */
export function bookLevelsOf(
  { book: { row, seq }, market_status, at }: Omit<BookFacts, 'quote'>,
  depth: number,
  confirmed_at = toMicros(row.source_at),
): OrderBook {
  const asks_derived = booleanOf(row.asks_derived)
  const bids = levelsOf(row.bids, row.bid_derived_quantities, false, depth)
  const asks = levelsOf(row.asks, row.ask_derived_quantities, asks_derived, depth)
  return {
    ...fieldsOf(row, ['market_id', 'outcome_id']),
    sequence: seq,
    bids,
    asks,
    asks_derived,
    ...fieldsOf(row, CLOCK_FIELDS),
    quality_state: qualityOf({
      has_value: bids.length + asks.length > 0,
      is_stale: isStale(confirmed_at, at, PRICE_BOUND),
      status: market_status,
      stated: textOrNull(row.quality_state),
    }),
  } as unknown as OrderBook
}

/**
 * Returns the price levels of one side; order counts are not stored.
 * @param derived the derived quantity of each level; null: `is_derived` holds for whole levels
 */
function levelsOf(side: RowValue, derived: RowValue, is_derived: boolean, depth: number): OrderBook['bids'] {
  const levels = rowsOf(side).slice(0, depth)
  return levels.map(({ price, quantity }, ordinal) => {
    const whole = quantityOf(quantity)
    const of_other = derived == null ? (is_derived ? whole : ZERO) : quantityOf((derived as RowValue[])[ordinal])
    const parts = [partOf(whole.minus(of_other), false), partOf(of_other, true)].filter((part) => part !== null)
    return { price, quantity, order_count: null, derived: parts.some((part) => part.derived), parts }
  }) as OrderBook['bids']
}

const ZERO = parseDecimal('0', 'quantity')

function quantityOf(text: RowValue): Decimal {
  return parseDecimal(String(text), 'quantity')
}

function partOf(quantity: Decimal, derived: boolean): OrderBook['bids'][number]['parts'][number] | null {
  if (quantity.isZero()) return null
  const text = quantity.toFixed(QUANTITY.scale)
  return { quantity: text, order_count: null, derived, derivation_rule: derived ? LADDER_RULE : null }
}

const TRADE_FIELDS = ['trade_id', 'market_id', 'outcome_id', 'price', 'quantity', 'aggressor_side'] as const

/** Converts a row of public_trade to the resource; it names no account. A revision corrects the record that it supersedes. */
export function tradeOf(row: Row): Trade {
  const kind = row.correction_kind ?? (row.supersedes_id == null ? null : 'correction')
  return {
    ...fieldsOf(row, TRADE_FIELDS),
    ...fieldsOf(row, ['venue_id', 'source_series_id', 'source_trade_id']),
    source_trade_ids: row.source_trade_ids ?? [row.source_trade_id],
    ...fieldsOf(row, ['source_sequence', 'source_at', 'received_at', 'published_at']),
    correction: kind === null ? null : { kind, supersedes_trade_id: row.supersedes_id ?? null },
    derived: false,
    derivation_rule: null,
    match_kind: row.match_kind ?? null,
    segments: rowsOf(row.segments ?? null).map((segment) => fieldsOf(segment, SEGMENT_FIELDS)),
  } as unknown as Trade
}

const SEGMENT_FIELDS = ['match_kind', 'outcome_id', 'quantity'] as const

/** The same as the tape of an outcome shows it: a trade of the other outcome of a complementary market is derived. */
export function tradeOfTape(row: Row, outcome_id: string | null): Trade {
  const trade = tradeOf(row)
  if (outcome_id === null || row.outcome_id === outcome_id) return trade
  const price = complementPrice(trade.price)
  const aggressor_side = trade.aggressor_side === 'BUY' ? 'SELL' : 'BUY'
  return { ...trade, outcome_id, price, aggressor_side, derived: true, derivation_rule: LADDER_RULE }
}
