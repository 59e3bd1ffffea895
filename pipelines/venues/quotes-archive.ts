import { type DecimalString, SCALE } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import { TRADE_CORRECTIONS } from '../../vocabulary/market.ts'
import { SIDES } from '../../vocabulary/order.ts'
import {
  type RepeatedReaders,
  readId,
  readOptionalInstant,
  readOptionalInteger,
  readOptionalPrice,
  readOptionalQuantity,
  readUnitValue,
  readWord,
  required,
} from '../text/fields.ts'
import { checkClocks, type ValueRow } from './forecastbench.ts'
import { missingField, type Parsed, parseRecord, Quarantined } from './quarantine.ts'
import type { QuoteBook, QuoteRecord, TradeRecord } from './record.ts'
import { isZero } from './zero-values.ts'

/** The neutral archive format `quotes` (docs/archives.md): prices of any venue in one form. */

/** Fraction digits of a quantity, in contracts. */
const QUANTITY_SCALE = 6

export const QUOTE_COLUMNS = [
  'received_at',
  'source_at',
  'venue_id',
  'source_series_id',
  'source_market_id',
  'outcome',
  'bid',
  'ask',
  'bid_depth',
  'ask_depth',
  'last_trade',
  'last_trade_at',
  'reported_probability',
  'source_sequence',
  'confirmed_at',
] as const

export const TRADE_COLUMNS = [
  'received_at',
  'source_at',
  'venue_id',
  'source_series_id',
  'source_market_id',
  'outcome',
  'price',
  'quantity',
  'aggressor_side',
  'source_trade_id',
  'source_sequence',
  'correction_kind',
] as const

/** Outcome labels of the markets that the archive describes, by marketKey. */
export type KnownOutcomes = ReadonlyMap<string, readonly string[]>

/** Facts that the rows of one archive are read with. */
export type ArchiveContext = {
  readonly outcomes: KnownOutcomes
  readonly read: RepeatedReaders
  /** The wall clock: nothing can have been received later. */
  readonly now: Micros
}

/** Returns the key of a venue's market within one archive. */
export function marketKey(venue_id: string, source_market_id: string): string {
  return `${venue_id}\u001f${source_market_id}`
}

/** Parses one row of quotes.csv. Its fields are in the order of QUOTE_COLUMNS; empty = the venue showed none. */
export function parseQuoteRow(row: ValueRow, archive: ArchiveContext): Parsed<QuoteRecord> {
  return parseRecord(() => {
    const [received_at, source_at, venue, series, market, outcome, ...values] = row.fields
    const where = readWhere([received_at!, source_at!, venue!, series!, market!, outcome!], row, archive)
    const reported = values[6]!
    const book = readBook(values)
    checkBook(book, where)
    return {
      ...where,
      reported_probability: reported === '' ? null : readUnitValue(reported, SCALE.observed_value),
      raw_value: reported === '' ? null : reported,
      is_final: false,
      text: row.text,
      book,
    }
  })
}

/** Parses one row of trades.csv. Its fields are in the order of TRADE_COLUMNS. */
export function parseTradeRow(row: ValueRow, archive: ArchiveContext): Parsed<TradeRecord> {
  return parseRecord(() => {
    const [received_at, source_at, venue, series, market, outcome, price, quantity, side, id, sequence, kind] =
      row.fields
    return {
      ...readWhere([received_at!, source_at!, venue!, series!, market!, outcome!], row, archive),
      price: required(readOptionalPrice(price!, SCALE.observed_value)),
      quantity: readTraded(quantity!, kind!),
      aggressor_side: side === '' ? null : readWord(side!, SIDES),
      source_trade_id: readId(id!),
      source_sequence: readOptionalInteger(sequence!),
      correction_kind: kind === '' ? null : readWord(kind!, TRADE_CORRECTIONS),
    }
  })
}

/** Reads the quantity of a trade: above 0, but a void one may have none left. */
function readTraded(text: string, correction_kind: string): DecimalString {
  const quantity = required(readOptionalQuantity(text, QUANTITY_SCALE))
  if (isZero(quantity) && correction_kind !== 'void') throw new Quarantined('VALUE_OUT_OF_RANGE')
  return quantity
}

type WhereFields = readonly [string, string, string, string, string, string]

function readWhere(fields: WhereFields, row: ValueRow, { outcomes, read, now }: ArchiveContext) {
  const [received_at, source_at, venue, series, market, outcome] = fields
  const where = {
    file: row.file,
    line: row.line,
    venue_id: read.id(venue),
    source_series_id: series === '' ? null : read.id(series),
    source_market_id: read.id(market),
    outcome: read.id(outcome),
    source_at: read.instant(source_at),
    received_at: read.instant(received_at),
  }
  checkClocks(where, now)
  const labels = outcomes.get(marketKey(where.venue_id, where.source_market_id))
  if (labels === undefined) throw new Quarantined('UNKNOWN_MARKET')
  if (!labels.includes(where.outcome)) throw new Quarantined('UNKNOWN_OUTCOME')
  return where
}

function readBook(values: readonly string[]): QuoteBook {
  const [bid, ask, bid_depth, ask_depth, last_trade, last_trade_at, , source_sequence, confirmed_at] = values
  return {
    bid: readOptionalPrice(bid!, SCALE.observed_value),
    ask: readOptionalPrice(ask!, SCALE.observed_value),
    bid_depth: readOptionalQuantity(bid_depth!, QUANTITY_SCALE),
    ask_depth: readOptionalQuantity(ask_depth!, QUANTITY_SCALE),
    last_trade: readOptionalPrice(last_trade!, SCALE.observed_value),
    last_trade_at: readOptionalInstant(last_trade_at!),
    source_sequence: readOptionalInteger(source_sequence!),
    confirmed_at: readOptionalInstant(confirmed_at!),
  }
}

/**
 * Checks that a depth has its price and a last trade its time, and that neither trade nor confirmation is after the receipt.
 */
function checkBook(book: QuoteBook, { source_at, received_at }: { source_at: Micros; received_at: Micros }): void {
  const halves = [
    ['bid_depth', 'bid'],
    ['ask_depth', 'ask'],
    ['last_trade_at', 'last_trade'],
    ['last_trade', 'last_trade_at'],
  ] as const
  const half = halves.find(([given, needed]) => book[given] !== null && book[needed] === null)
  if (half !== undefined) throw missingField(`${half[1]} beside ${half[0]}`)
  const { last_trade_at, confirmed_at } = book
  if (Math.max(last_trade_at ?? source_at, confirmed_at ?? source_at) > received_at) {
    throw new Quarantined('SOURCE_AFTER_RECEIVED')
  }
  if (confirmed_at !== null && confirmed_at < source_at) throw new Quarantined('BAD_DATE')
}
