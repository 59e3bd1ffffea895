import type { Micros } from '../../../primitives/instants.ts'
import { admissionOrder, isLaterRow, type QuoteColumns } from '../admission.ts'

/** Stands for a missing column, in which no row has a value. */
const NOTHING = new Float64Array(0)

/**
 * Rows of one outcome that are ever the newest admitted one, in the order in which they become it (methodology index-1 §3).
 * `rows` null: every row, in the order of the columns; the usual case, found by one pass and stored nowhere.
 */
export type QuoteFeed = {
  readonly columns: QuoteColumns
  readonly grace: Micros
  readonly count: number
  readonly rows: Uint32Array | null
  /** Instant at which each row could first be used. */
  readonly known_at: Float64Array
  /** Whether each row is known within the grace: then it is admitted from its source time on. */
  readonly in_time: boolean
  readonly bid: Float64Array
  readonly ask: Float64Array
  readonly bid_depth: Float64Array
  readonly ask_depth: Float64Array
  readonly last_trade: Float64Array
  readonly last_trade_at: Float64Array
  readonly reported: Float64Array
  readonly confirmed_at: Float64Array
}

/** Builds the feed of one outcome's columns under a grace. */
export function quoteFeed(columns: QuoteColumns, grace: Micros): QuoteFeed {
  const known_at = knownAt(columns)
  const { in_order, in_time } = rowOrder(columns, known_at, grace)
  const rows = in_order ? null : winners(columns, grace)
  return {
    columns,
    grace,
    count: rows === null ? columns.length : rows.length,
    rows,
    known_at,
    in_time,
    bid: columns.bid ?? NOTHING,
    ask: columns.ask ?? NOTHING,
    bid_depth: columns.bid_depth ?? NOTHING,
    ask_depth: columns.ask_depth ?? NOTHING,
    last_trade: columns.last_trade ?? NOTHING,
    last_trade_at: columns.last_trade_at ?? NOTHING,
    reported: columns.reported_probability ?? NOTHING,
    confirmed_at: columns.confirmed_at ?? NOTHING,
  }
}

/** Returns the value of a column at a row; NaN = none. Only feeds without `rows` may be read by ordinal instead. */
export function valueAt(column: Float64Array, row: number): number {
  return row < column.length ? column[row]! : Number.NaN
}

/** Returns the column's row at an ordinal of the feed. */
export function rowAt(feed: QuoteFeed, ordinal: number): number {
  return feed.rows === null ? ordinal : feed.rows[ordinal]!
}

/** Returns the cutoff from which the row at an ordinal is admitted; Infinity behind the last one. */
export function admittedFrom(feed: QuoteFeed, ordinal: number): Micros {
  if (ordinal >= feed.count) return Number.POSITIVE_INFINITY
  const row = rowAt(feed, ordinal)
  return Math.max(feed.columns.source_at[row]!, feed.known_at[row]! - feed.grace)
}

type RowOrder = { readonly in_order: boolean; readonly in_time: boolean }

/**
 * Checks in one pass whether each row follows its predecessor in source and admission time, and whether each is known within
 * the grace.
 */
function rowOrder({ source_at, length }: QuoteColumns, known_at: Float64Array, grace: Micros): RowOrder {
  let in_order = true
  let in_time = true
  let source_before = Number.NEGATIVE_INFINITY
  let known_before = Number.NEGATIVE_INFINITY
  for (let row = 0; row < length; row++) {
    const source = source_at[row]!
    const known = known_at[row]!
    if (source <= source_before || known < known_before) in_order = false
    if (known - grace > source) in_time = false
    source_before = source
    known_before = known
  }
  return { in_order, in_time }
}

function knownAt(columns: QuoteColumns): Float64Array {
  return columns.known_at ?? columns.received_at
}

function winners(columns: QuoteColumns, grace: Micros): Uint32Array {
  const { rows, at } = admissionOrder(columns, grace)
  const kept: number[] = []
  for (let ordinal = 0; ordinal < at.length; ordinal++) {
    const row = rows === null ? ordinal : rows[ordinal]!
    if (kept.length === 0 || isLaterRow(columns, row, kept.at(-1)!)) kept.push(row)
  }
  return Uint32Array.from(kept)
}
