import { ServiceError } from '../../../primitives/errors.ts'
import { durationMicros, type Micros } from '../../../primitives/instants.ts'
import { isTimeZone } from '../../../primitives/local-time.ts'
import { BINARY_OUTCOMES } from '../../../vocabulary/market.ts'
import { PRICE_UNITS, type PriceUnit } from './convert-price.ts'

/** Fields of a quote that a column of a file, or a constant, may give. docs/archives.md has one row per field. */
export const MAPPED_FIELDS = {
  venue_id: 'id of the venue; required',
  source_series_id: 'id of the series, or none',
  source_event_id: 'id of the event; without it a market is its own',
  source_market_id: 'id of the market; required',
  title: "the market's title; default its id",
  event_title: "the event's title; default the market's",
  outcome: 'outcome that the row is about; required',
  source_at: 'instant that the row is about; required',
  received_at: 'instant at which the recorder had it; default source_at',
  bid: 'price',
  ask: 'price',
  bid_depth: 'contracts at the bid',
  ask_depth: 'contracts at the ask',
  last_trade: 'price of the last trade',
  last_trade_at: 'its instant; default source_at',
  reported_probability: 'price that is neither a bid nor an ask nor a trade: a midpoint, a forecast',
  open: 'first price of a bar: checked, not stored',
  high: 'highest price of a bar: checked, not stored',
  low: 'lowest price of a bar: checked, not stored',
  close: 'last price of a bar, at its end: becomes `bar.close`',
  volume_24h: 'volume of the last 24 hours, in the asset of the prices',
  open_interest: 'open interest, in the asset of the prices',
  liquidity_notional: 'liquidity, in the asset of the prices',
} as const satisfies Record<string, string>
export type MappedField = keyof typeof MAPPED_FIELDS

const FIELD_NAMES = Object.keys(MAPPED_FIELDS) as MappedField[]
const REQUIRED: readonly MappedField[] = ['venue_id', 'source_market_id', 'outcome', 'source_at']
/** Fields of a row; a row without any of them is empty. */
export const VALUES = [
  'bid',
  'ask',
  'last_trade',
  'reported_probability',
  'close',
  'volume_24h',
  'open_interest',
  'liquidity_notional',
] as const satisfies readonly MappedField[]

/** Forms of instants in a file. */
export const TIME_FORMATS = {
  rfc3339: 'date and time with a zone: 2026-01-17T00:00:00Z, 2026-01-17 00:00:00+01:00',
  epoch_seconds: 'seconds since 1970, with any fraction',
  epoch_milliseconds: 'milliseconds since 1970',
  epoch_microseconds: 'microseconds since 1970',
  local: 'date and time without a zone, in `time.zone`',
  day: 'a date in `time.zone` (default UTC): what is known at its end',
} as const satisfies Record<string, string>
type TimeFormat = keyof typeof TIME_FORMATS

/** Fields that the close of a bar may become. */
const CLOSES = ['last_trade', 'reported_probability'] as const

/** Bars of open, high, low and close: only the close is a statement about one instant, the end of the bar. */
type Bar = {
  /** Whether the file's time is the start or the end of the bar. */
  readonly stamp: 'start' | 'end'
  /** Needed with `start`; days of a zone end with the day. */
  readonly length: Micros | null
  readonly close: (typeof CLOSES)[number]
}

/** Rules by which the columns of a file become quotes. */
export type Mapping = {
  /** Name of the file that it was read from, for messages. */
  readonly name: string
  readonly columns: ReadonlyMap<MappedField, string>
  readonly constants: ReadonlyMap<MappedField, string>
  readonly outcomes: readonly string[]
  /** Outcomes by the words of the file. */
  readonly labels: ReadonlyMap<string, string>
  readonly unit: PriceUnit
  readonly time: { readonly format: TimeFormat; readonly zone: string | null }
  /** Texts that stand for a missing value. */
  readonly missing: ReadonlySet<string>
  readonly bar: Bar | null
}

const KEYS = ['columns', 'constants', 'outcomes', 'labels', 'unit', 'time', 'missing', 'bar'] as const

/**
 * Checks a mapping.
 * @param value what its YAML or JSON says
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the field of the mapping, its value and what is accepted
 */
export function readMapping(value: unknown, name: string): Mapping {
  const check = checker(name)
  const mapping = check.object('mapping', value, KEYS)
  const columns = check.texts('columns', mapping.columns, FIELD_NAMES)
  const constants = check.texts('constants', mapping.constants, FIELD_NAMES)
  for (const field of REQUIRED) {
    if (!columns.has(field) && !constants.has(field))
      throw check.fault(`columns.${field}`, undefined, `a column of the file, or constants.${field}`)
  }
  for (const field of constants.keys()) {
    if (columns.has(field))
      throw check.fault(`constants.${field}`, constants.get(field), `none beside columns.${field}`)
  }
  if (!VALUES.some((field) => columns.has(field)))
    throw check.fault('columns', [...columns.keys()], `at least one of ${VALUES.join(', ')}`)
  const outcomes = mapping.outcomes === undefined ? BINARY_OUTCOMES : check.list('outcomes', mapping.outcomes, 2)
  const labels = check.texts('labels', mapping.labels, null)
  for (const [word, outcome] of [
    ...labels,
    ...(constants.has('outcome') ? [['', constants.get('outcome')!] as const] : []),
  ]) {
    const field = word === '' ? 'constants.outcome' : `labels.${word}`
    if (!outcomes.includes(outcome)) throw check.fault(field, outcome, `one of the outcomes ${outcomes.join(', ')}`)
  }
  const time = readTimes(check, mapping.time)
  const bar = readBar(check, mapping.bar, columns, time.format)
  return {
    ...{ name, columns, constants, outcomes, labels, time, bar },
    unit: mapping.unit === undefined ? 'probability' : check.word('unit', mapping.unit, PRICE_UNITS),
    missing: new Set(mapping.missing === undefined ? [''] : ['', ...check.list('missing', mapping.missing, 0)]),
  }
}

function readTimes(check: Checker, value: unknown): Mapping['time'] {
  const time = check.object('time', value ?? {}, ['format', 'zone'])
  const formats = Object.keys(TIME_FORMATS) as TimeFormat[]
  const format = time.format === undefined ? 'rfc3339' : check.word('time.format', time.format, formats)
  const { zone = null } = time
  if (format !== 'local' && format !== 'day') {
    if (zone !== null) throw check.fault('time.zone', zone, `none with time.format ${format}`)
    return { format, zone: null }
  }
  if (zone === null && format === 'day') return { format, zone: 'UTC' }
  if (typeof zone !== 'string' || !isTimeZone(zone))
    throw check.fault(
      'time.zone',
      zone ?? undefined,
      'the IANA name of a time zone such as America/New_York or UTC, or an offset such as +05:30',
    )
  return { format, zone }
}

export const BAR_FIELDS = ['open', 'high', 'low', 'close'] as const

function readBar(check: Checker, value: unknown, columns: Mapping['columns'], format: TimeFormat): Bar | null {
  const used = BAR_FIELDS.filter((field) => columns.has(field))
  if (value === undefined) {
    if (used.length === 0) return null
    throw check.fault('bar', undefined, `{stamp: start or end, length: PT1H} beside columns.${used[0]}`)
  }
  const bar = check.object('bar', value, ['stamp', 'length', 'close'])
  if (!columns.has('close')) throw check.fault('columns.close', undefined, 'a column of the file, beside bar')
  const close = bar.close === undefined ? 'last_trade' : check.word('bar.close', bar.close, CLOSES)
  if (columns.has(close))
    throw check.fault(`columns.${close}`, columns.get(close), 'none beside columns.close, which becomes it')
  const stamp = check.word('bar.stamp', bar.stamp, ['start', 'end'])
  if (format === 'day') {
    if (bar.length !== undefined)
      throw check.fault('bar.length', bar.length, 'none with time.format day: bars end with the day')
    return { stamp: 'end', length: null, close }
  }
  if (stamp === 'end') return { stamp, length: null, close }
  return { stamp, length: check.duration('bar.length', bar.length), close }
}

type Checker = ReturnType<typeof checker>

function checker(name: string) {
  const fault = (field: string, value: unknown, allowed: string) => {
    const seen = value === undefined ? 'missing' : JSON.stringify(value)
    const message = `${name}: ${field} is ${seen}; allowed: ${allowed}`
    return new ServiceError('VALIDATION_DEFINITION_INVALID', message, { field, value: seen })
  }
  const object = (field: string, value: unknown, keys: readonly string[] | null): Readonly<Record<string, unknown>> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw fault(field, value, keys === null ? 'an object' : `an object with ${keys.join(', ')}`)
    const other = keys === null ? undefined : Object.keys(value).find((key) => !keys.includes(key))
    if (other !== undefined)
      throw fault(
        `${field === 'mapping' ? '' : `${field}.`}${other}`,
        (value as Record<string, unknown>)[other],
        `the fields ${keys!.join(', ')}`,
      )
    return value as Record<string, unknown>
  }
  const text = (field: string, value: unknown): string => {
    if (typeof value !== 'string' || value === '')
      throw fault(field, value, 'a text; quote YES, NO, numbers and dates in YAML')
    return value
  }
  return {
    fault,
    object,
    /** Reads texts by key. @param keys null = any */
    texts<K extends string>(field: string, value: unknown, keys: readonly K[] | null): ReadonlyMap<K, string> {
      const entries = Object.entries(object(field, value ?? {}, keys))
      return new Map(entries.map(([key, entry]) => [key as K, text(`${field}.${key}`, entry)]))
    },
    list(field: string, value: unknown, length_min: number): readonly string[] {
      const is_list =
        Array.isArray(value) && value.length >= length_min && value.every((item) => typeof item === 'string')
      if (!is_list || new Set(value).size !== value.length)
        throw fault(
          field,
          value,
          `a list of ${length_min > 0 ? `at least ${length_min} ` : ''}different texts; quote them in YAML`,
        )
      return value
    },
    word<W extends string>(field: string, value: unknown, words: readonly W[]): W {
      const found = words.find((word) => word === value)
      if (found === undefined) throw fault(field, value, words.join(', '))
      return found
    },
    duration(field: string, value: unknown): Micros {
      try {
        const length = durationMicros(value, field)
        if (length > 0) return length
      } catch {
        // Named below, with the mapping.
      }
      throw fault(field, value, 'an ISO 8601 duration of fixed length above 0 such as PT1H')
    },
  }
}

/**
 * Checks that a file has every column of a mapping.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the field of the mapping, its value and the file's columns
 */
export function checkColumns(mapping: Mapping, file: string, columns: readonly string[]): void {
  for (const [field, column] of mapping.columns) {
    const found = columns.filter((one) => one === column).length
    if (found === 1) continue
    throw checker(mapping.name).fault(
      `columns.${field}`,
      column,
      `${found === 0 ? 'a column' : 'a column that is there once'} of ${file}: ${columns.map((one) => JSON.stringify(one)).join(', ')}`,
    )
  }
}
