import { Decimal } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { SettleFrom } from '../../vocabulary/index-level.ts'
import { canFreeze } from '../market/freeze.ts'
import type { MarketState, OutcomeInput, Quote, Resolution, Trade } from '../market/quote.ts'

/**
 * Quote records of one outcome and source series as columns, in any order. Probabilities are integers at scale 9, depths at
 * scale 6; NaN = no value. Instants in microseconds. If an optional column is missing, no row has a value.
 */
export type QuoteColumns = {
  readonly length: number
  readonly recordId: (row: number) => string
  readonly source_at: Float64Array
  readonly received_at: Float64Array
  readonly revision: Int32Array
  /** Instant at which the row could first be used; received_at if left out. */
  readonly known_at?: Float64Array
  readonly confirmed_at?: Float64Array
  readonly source_sequence?: Float64Array
  readonly bid?: Float64Array
  readonly ask?: Float64Array
  readonly bid_depth?: Float64Array
  readonly ask_depth?: Float64Array
  readonly last_trade?: Float64Array
  readonly last_trade_at?: Float64Array
  readonly reported_probability?: Float64Array
}

/** Numeric columns that are always present. */
export const REQUIRED_QUOTE_NUMBERS = ['source_at', 'received_at'] as const
/** Numeric columns present where some row has a value. */
export const OPTIONAL_QUOTE_NUMBERS = [
  'known_at',
  'confirmed_at',
  'source_sequence',
  'bid',
  'ask',
  'bid_depth',
  'ask_depth',
  'last_trade',
  'last_trade_at',
  'reported_probability',
] as const
export const QUOTE_NUMBERS = [...REQUIRED_QUOTE_NUMBERS, ...OPTIONAL_QUOTE_NUMBERS] as const

/** All records of one leg, before admission. */
export type LegData = {
  readonly quotes: QuoteColumns
  /** The other outcome of a binary market; null where there is none. */
  readonly other: QuoteColumns | null
  readonly resolutions: readonly Resolution[]
  readonly states: readonly MarketState[]
  readonly trades: readonly Trade[]
}

const PRICE_UNIT = new Decimal('1e-9')
const DEPTH_UNIT = new Decimal('1e-6')

/** Returns one row of the columns as a quote. */
export function quoteAt(columns: QuoteColumns, row: number): Quote {
  const number = (column: Float64Array | undefined) => {
    const value = column?.[row]
    return value === undefined || Number.isNaN(value) ? null : value
  }
  const price = (column: Float64Array | undefined, unit = PRICE_UNIT) => {
    const value = number(column)
    return value === null ? null : unit.times(value)
  }
  return {
    record_id: columns.recordId(row),
    revision: columns.revision[row]!,
    source_at: columns.source_at[row]!,
    received_at: columns.received_at[row]!,
    confirmed_at: number(columns.confirmed_at),
    source_sequence: number(columns.source_sequence),
    bid: price(columns.bid),
    ask: price(columns.ask),
    bid_depth: price(columns.bid_depth, DEPTH_UNIT),
    ask_depth: price(columns.ask_depth, DEPTH_UNIT),
    last_trade: price(columns.last_trade),
    last_trade_at: number(columns.last_trade_at),
    reported_probability: price(columns.reported_probability),
  }
}

/** Returns the rows in the order in which they become admissible: at max(source_at, known_at - grace). */
export function admissionOrder(
  columns: QuoteColumns,
  grace: Micros,
): { readonly rows: Uint32Array | null; readonly at: Float64Array } {
  const at = new Float64Array(columns.length)
  const known_at = columns.known_at ?? columns.received_at
  let sorted = true
  for (let row = 0; row < columns.length; row++) {
    at[row] = Math.max(columns.source_at[row]!, known_at[row]! - grace)
    if (row > 0 && at[row]! < at[row - 1]!) sorted = false
  }
  if (sorted) return { rows: null, at }
  const rows = Uint32Array.from(at.keys()).sort((a, b) => at[a]! - at[b]! || a - b)
  return { rows, at: Float64Array.from(rows, (row) => at[row]!) }
}

/** Returns whether row a is later than row b: greatest (source_at, received_at, revision). Rows of one source instant are one chain. */
export function isLaterRow(columns: QuoteColumns, a: number, b: number): boolean {
  const source = columns.source_at[a]! - columns.source_at[b]!
  if (source !== 0) return source > 0
  const received = columns.received_at[a]! - columns.received_at[b]!
  return received !== 0 ? received > 0 : columns.revision[a]! > columns.revision[b]!
}

/**
 * Sweeps one outcome's quotes forward: the newest admitted one at each cutoff (methodology index-1 §3).
 * A superseded revision never wins, because rows of one chain share their source instant.
 * @returns a function of the cutoff; cutoffs must not decrease
 */
export function quoteSweep(columns: QuoteColumns, grace: Micros): (cutoff: Micros) => number {
  const { rows, at } = admissionOrder(columns, grace)
  let next = 0
  let best = -1
  return (cutoff) => {
    for (; next < at.length && at[next]! <= cutoff; next++) {
      const row = rows === null ? next : rows[next]!
      if (best < 0 || isLaterRow(columns, row, best)) best = row
    }
    return best
  }
}

/**
 * Returns the admitted input of one leg at each cutoff.
 * @param settle_from instant from which a final resolution counts
 * @returns a function of the cutoff; cutoffs must not decrease
 */
export function admitLeg(
  data: LegData,
  grace: Micros,
  settle_from: SettleFrom = 'source_at',
): (cutoff: Micros) => OutcomeInput {
  const own = cachedSweep(data.quotes, grace)
  const other = data.other === null ? null : cachedSweep(data.other, grace)
  const can_freeze = canFreeze(data)
  return (cutoff) => ({
    quote: own(cutoff),
    resolution: currentResolution(data.resolutions, cutoff, grace, settle_from),
    market: newestAdmitted(data.states, cutoff, grace),
    other: other === null ? null : other(cutoff),
    can_freeze,
  })
}

function cachedSweep(columns: QuoteColumns, grace: Micros): (cutoff: Micros) => Quote | null {
  const sweep = quoteSweep(columns, grace)
  let row = -1
  let quote: Quote | null = null
  return (cutoff) => {
    const found = sweep(cutoff)
    if (found !== row) quote = quoteAt(columns, found)
    row = found
    return quote
  }
}

type Received = {
  readonly source_at: Micros
  readonly received_at: Micros
  readonly revision: number
  readonly known_at?: Micros | undefined
}

/** Returns the resolution that counts: the newest by source_at among the current revisions of each chain that are not withdrawn. */
export function currentResolution(
  resolutions: readonly Resolution[],
  cutoff: Micros,
  grace: Micros,
  settle_from: SettleFrom = 'source_at',
): Resolution | null {
  if (resolutions.length === 0) return null
  const heads = new Map<Micros, Resolution>()
  for (const resolution of resolutions) {
    if (!isAdmitted(resolution, cutoff, grace) || settlesFrom(resolution, settle_from) > cutoff) continue
    const head = heads.get(resolution.source_at)
    if (head === undefined || compareReceived(resolution, head) > 0) heads.set(resolution.source_at, resolution)
  }
  const live = [...heads.values()].filter((resolution) => resolution.finality !== 'withdrawn')
  return live.reduce<Resolution | null>((best, r) => (best === null || compareReceived(r, best) > 0 ? r : best), null)
}

/** Returns the instant before which a resolution does not count, whatever is known of it by then. */
export function settlesFrom(resolution: Resolution, settle_from: SettleFrom): Micros {
  const { source_at, final_at } = resolution
  return settle_from === 'final_at' ? Math.max(source_at, final_at ?? source_at) : source_at
}

function newestAdmitted<T extends Received>(records: readonly T[], cutoff: Micros, grace: Micros): T | null {
  let best: T | null = null
  for (const record of records) {
    if (isAdmitted(record, cutoff, grace) && (best === null || compareReceived(record, best) > 0)) best = record
  }
  return best
}

/** Returns whether a record is admitted: source_at <= cutoff and received_at <= cutoff + grace. */
export function isAdmitted(record: Received, cutoff: Micros, grace: Micros): boolean {
  return record.source_at <= cutoff && (record.known_at ?? record.received_at) <= cutoff + grace
}

function compareReceived(a: Received, b: Received): number {
  return a.source_at - b.source_at || a.received_at - b.received_at || a.revision - b.revision
}
