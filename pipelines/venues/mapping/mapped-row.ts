import { type DecimalString, SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { BINARY_OUTCOMES, METRIC_FIELDS } from '../../../vocabulary/market.ts'
import { plainDecimal, type RepeatedReaders, readOptionalQuantity, roundedSize } from '../../text/fields.ts'
import { checkClocks, type ValueRow } from '../forecastbench.ts'
import { adviceOn, type Parsed, parseRecord, Quarantined, type QuarantineReason, type Refusal } from '../quarantine.ts'
import type { MetricRecord, QuoteBook, QuoteRecord, ReferenceRecord } from '../record.ts'
import { convertPrice, decimalOf, type PriceUnit } from './convert-price.ts'
import { BAR_FIELDS, type MappedField, type Mapping, VALUES } from './mapping.ts'
import { timeReader } from './read-time.ts'

/** Records that one row of a file gives. `quote` and `metric` null: it states no price, or no size. */
export type MappedRow = {
  readonly quote: QuoteRecord | null
  readonly metric: MetricRecord | null
  /** The market as the row describes it. */
  readonly reference: ReferenceRecord
}

/** Reads one row; null if it states nothing. */
export type ReadRow = (row: ValueRow) => Parsed<MappedRow | null>

const QUANTITY_SCALE = 6
const WHOLE_DIGITS_MAX = 12

/**
 * Returns the reader of a file's rows, whose fields are in the order of the mapping's columns.
 * @param now the wall clock: nothing can have been received later
 */
export function rowReader(mapping: Mapping, read: RepeatedReaders, now: Micros): ReadRow {
  const ordinals = new Map([...mapping.columns.keys()].map((field, ordinal) => [field, ordinal]))
  const timeOf = timeReader(mapping.time)
  const isMissing = missingTest(mapping.missing)
  return (row) => {
    let last_read: MappedField = 'source_at'
    const writtenIn = (field: MappedField): string => {
      const ordinal = ordinals.get(field)
      return ordinal === undefined ? (mapping.constants.get(field) ?? '') : row.fields[ordinal]!.trim()
    }
    const textOf = (field: MappedField): string => {
      last_read = field
      const text = writtenIn(field)
      return isMissing(field, text) ? '' : text
    }
    const parsed = parseRecord(() => {
      if (VALUES.every((field) => textOf(field) === '')) return null
      const where = readWhere(textOf, row, { mapping, read, timeOf })
      checkClocks(where, now)
      return {
        quote: readQuote(textOf, where, { mapping, row, timeOf }),
        metric: readMetric(textOf, where),
        reference: readReference(textOf, where, mapping),
      }
    })
    return 'reason' in parsed ? named(parsed, last_read, writtenIn(last_read), mapping) : parsed
  }
}

/** Reasons that are about the field that was read last. */
const OF_A_FIELD: ReadonlySet<QuarantineReason> = new Set([
  'MISSING_FIELD',
  'BAD_ID',
  'BAD_DATE',
  'AMBIGUOUS_TIME',
  'BAD_VALUE',
  'VALUE_OUT_OF_RANGE',
  'UNKNOWN_OUTCOME',
])

/** Adds to a refusal the column that it is about and what is written there. */
function named(refusal: Refusal, field: MappedField, written: string, { columns }: Mapping): Refusal {
  if (!OF_A_FIELD.has(refusal.reason)) return refusal
  const column = columns.get(field)
  const where = column === undefined ? field : `column ${column} (${field})`
  const text = written === '' ? 'is empty' : `holds ${JSON.stringify(written.slice(0, TEXT_SHOWN_MAX))}`
  return { ...refusal, advice: `${where} ${text}: ${adviceOn(refusal)}` }
}

const TEXT_SHOWN_MAX = 60

const NUMBERS: ReadonlySet<MappedField> = new Set([...VALUES, ...BAR_FIELDS, 'bid_depth', 'ask_depth'])

/** Returns the test for missing values. In prices and sizes a marker that is a number stands for that number, however it is written. */
function missingTest(markers: Mapping['missing']): (field: MappedField, text: string) => boolean {
  const numbers = new Set([...markers].map(numberOf).filter((number) => number !== null))
  return (field, text) => {
    if (markers.has(text)) return true
    return numbers.size > 0 && NUMBERS.has(field) && numbers.has(numberOf(text) ?? '')
  }
}

/** Returns a number in its shortest form; null for a text that is no number. */
function numberOf(text: string): string | null {
  const number = parseRecord(() => plainDecimal(decimalOf(text)))
  return 'reason' in number ? null : number.record
}

type TextOf = (field: MappedField) => string
type Where = ReturnType<typeof readWhere>
type Reading = { readonly mapping: Mapping; readonly read: RepeatedReaders; readonly timeOf: (text: string) => Micros }

function readWhere(textOf: TextOf, { file, line }: ValueRow, { mapping, read, timeOf }: Reading) {
  const word = textOf('outcome')
  const outcome = mapping.labels.get(word) ?? read.id(word)
  if (!mapping.outcomes.includes(outcome)) throw new Quarantined('UNKNOWN_OUTCOME')
  const { bar } = mapping
  const stamped = timeOf(textOf('source_at'))
  const source_at = bar?.stamp === 'start' ? stamped + bar.length! : stamped
  const series = textOf('source_series_id')
  const source_series_id = series === '' ? null : read.id(series)
  const received = textOf('received_at')
  const received_at = received === '' ? source_at : timeOf(received)
  return {
    ...{ file, line, outcome, source_at, source_series_id, received_at },
    venue_id: read.id(textOf('venue_id')),
    source_market_id: read.id(textOf('source_market_id')),
  }
}

const PRICES = ['bid', 'ask', 'last_trade', 'reported_probability', ...BAR_FIELDS] as const
type Price = (typeof PRICES)[number]

function readQuote(textOf: TextOf, where: Where, { mapping, row, timeOf }: Omit<Reading, 'read'> & { row: ValueRow }) {
  const prices = new Map<Price, DecimalString>()
  for (const field of PRICES) {
    const text = textOf(field)
    if (text !== '') prices.set(field, convertPrice(text, mapping.unit))
  }
  checkBar(prices, mapping.unit)
  const close = mapping.bar === null ? null : (prices.get('close') ?? null)
  const priceOf = (field: Price) => prices.get(field) ?? (mapping.bar?.close === field ? close : null)
  const reported_probability = priceOf('reported_probability')
  const book = readBook(textOf, { where, timeOf, priceOf })
  if (reported_probability === null && book.bid === null && book.ask === null && book.last_trade === null) return null
  const raw = textOf(mapping.bar?.close === 'reported_probability' ? 'close' : 'reported_probability')
  const raw_value = reported_probability === null ? rawTexts(textOf, mapping) : raw
  return { ...where, reported_probability, raw_value, is_final: false, text: row.text, book } satisfies QuoteRecord
}

/** Texts of prices that are not stored as they were written, by field. */
function rawTexts(textOf: TextOf, { unit }: Mapping): string | null {
  const fields = PRICES.map((field) => [field, textOf(field)] as const).filter(([, text]) => text !== '')
  const is_exact =
    unit === 'probability' && fields.every(([, text]) => (text.split('.')[1] ?? '').length <= SCALE.observed_value)
  return is_exact ? null : fields.map(([field, text]) => `${field}=${text}`).join(' ')
}

/** A bar's prices that contradict each other show a wrong mapping. The highest odds are the lowest probability. */
function checkBar(prices: ReadonlyMap<Price, DecimalString>, unit: PriceUnit): void {
  const [top, bottom] = unit.endsWith('odds') ? (['low', 'high'] as const) : (['high', 'low'] as const)
  const [high = '2', low = ''] = [prices.get(top), prices.get(bottom)]
  // Texts with the same number of digits compare like their numbers.
  const is_within = BAR_FIELDS.every((field) => {
    const price = prices.get(field)
    return price === undefined || (price <= high && price >= low)
  })
  if (!is_within) throw new Quarantined('FIELDS_DISAGREE')
}

type BookReading = {
  readonly where: Where
  readonly timeOf: (text: string) => Micros
  readonly priceOf: (field: Price) => DecimalString | null
}

function readBook(textOf: TextOf, { where, timeOf, priceOf }: BookReading): QuoteBook {
  const [bid, ask, last_trade] = [priceOf('bid'), priceOf('ask'), priceOf('last_trade')]
  const stated = textOf('last_trade_at')
  const last_trade_at = last_trade === null ? null : stated === '' ? where.source_at : timeOf(stated)
  if (last_trade_at !== null && last_trade_at > where.received_at) throw new Quarantined('SOURCE_AFTER_RECEIVED')
  const depthOf = (price: DecimalString | null, field: 'bid_depth' | 'ask_depth') => {
    const text = textOf(field)
    if (text === '') return null
    const depth = readOptionalQuantity(decimalOf(text), QUANTITY_SCALE)
    if (price !== null) return depth
    if (!/[1-9]/.test(text)) return null // no price, no size: a side without orders
    throw new Quarantined('MISSING_FIELD', 'a size needs the price of its side, which is missing')
  }
  return {
    ...{ bid, ask, last_trade, last_trade_at, source_sequence: null, confirmed_at: null },
    bid_depth: depthOf(bid, 'bid_depth'),
    ask_depth: depthOf(ask, 'ask_depth'),
  }
}

function readMetric(textOf: TextOf, where: Where): MetricRecord | null {
  const [volume_24h, open_interest, liquidity_notional] = METRIC_FIELDS.map((field) => sizeOf(textOf(field)))
  if (volume_24h === null && open_interest === null && liquidity_notional === null) return null
  const { file, line, venue_id, source_market_id, source_at, received_at } = where
  return {
    ...{ file, line, venue_id, source_market_id, source_at, received_at },
    ...{ volume_24h: volume_24h!, open_interest: open_interest!, liquidity_notional: liquidity_notional! },
  }
}

function sizeOf(text: string): DecimalString | null {
  if (text === '') return null
  const decimal = decimalOf(text)
  if (decimal.startsWith('-')) throw new Quarantined('VALUE_OUT_OF_RANGE')
  const size = roundedSize(decimal, QUANTITY_SCALE)
  if (size.length > WHOLE_DIGITS_MAX + 1 + QUANTITY_SCALE) throw new Quarantined('BAD_VALUE')
  return size
}

/** A short description: of a market that is known already, what the file does not state stays. */
function readReference(textOf: TextOf, where: Where, { outcomes }: Mapping): ReferenceRecord {
  const { file, line, venue_id, source_series_id, source_market_id, received_at } = where
  const title = textOf('title') || source_market_id
  return {
    ...{ file, line, venue_id, source_series_id, source_market_id, received_at, title, outcomes },
    source_event_id: textOf('source_event_id') || source_market_id,
    source_at: received_at,
    event_title: textOf('event_title') || title,
    outcome_type: outcomes.join() === BINARY_OUTCOMES.join() ? 'binary' : 'categorical',
    ...{ description: null, category: null, status: null, resolution_criteria: null, source_url: null, trading: null },
    resolution_question: textOf('title') || null,
    ...{ opens_at: null, closes_at: null, expected_resolution_at: null, is_partial: true },
  }
}
