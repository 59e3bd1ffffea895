import { SCALE } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import { type RepeatedReaders, readUnitValue, readWord } from '../text/fields.ts'
import { type Parsed, parseRecord, Quarantined } from './quarantine.ts'
import type { QuoteRecord } from './record.ts'

/** Columns of market_values_bitemporal.csv, read by name; any order in the file. */
export const VALUE_COLUMNS = [
  'question_set',
  'commit',
  'published_at',
  'source',
  'market_id',
  'resolution_date',
  'value',
  'resolved',
  'change',
] as const

const [FALSE, TRUE] = ['False', 'True'] as const

/** One row of the file, its fields in the order of VALUE_COLUMNS. */
export type ValueRow = {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly fields: readonly string[]
}

/**
 * Parses one row of a ForecastBench value archive as a quote: the probability that `source` showed for `market_id` on the day
 * `resolution_date` (source_at, midnight UTC), received at `published_at`. A row with resolved=True is a final payout. `change`
 * is new or revised; it is checked, but instants decide the correction chain, so a wrong label cannot break it.
 * @param read the archive's readers
 * @param now  the wall clock: nothing can have been received later
 */
export function parseForecastbenchValue(row: ValueRow, read: RepeatedReaders, now: Micros): Parsed<QuoteRecord> {
  return parseRecord(() => {
    const [question_set, , published_at, source, market_id, resolution_date, value, resolved, change] = row.fields
    const record = {
      file: row.file,
      line: row.line,
      venue_id: read.id(source!),
      source_series_id: read.id(question_set!),
      source_market_id: read.id(market_id!),
      outcome: 'YES',
      source_at: read.day(resolution_date!),
      received_at: read.instant(published_at!),
      reported_probability: readUnitValue(value!, SCALE.observed_value),
      raw_value: value!,
      is_final: readWord(resolved!, [FALSE, TRUE]) === TRUE,
      text: row.text,
      book: null,
    }
    readWord(change!, ['new', 'revised'])
    checkClocks(record, now)
    return record
  })
}

/** Checks that a record is received at or after the instant it is about, and not in the future. */
export function checkClocks(record: { source_at: Micros; received_at: Micros }, now: Micros): void {
  if (record.source_at > record.received_at) throw new Quarantined('SOURCE_AFTER_RECEIVED')
  if (record.received_at > now) throw new Quarantined('RECEIVED_IN_FUTURE')
}
