import type { Micros } from '../../../primitives/instants.ts'
import { admittedFrom, type QuoteFeed, rowAt, valueAt } from './quote-feed.ts'
import { PRICE_ONE } from './units.ts'

/**
 * Columns that the bulk replay needs from a feed, by ordinal: computed once, read by every replay over the same data. M1
 * depends only on the row, except for its age, so its mark is computed beforehand.
 */
export type TightBooks = {
  /** The cutoff from which each row is admitted, ascending. */
  readonly admitted: Float64Array
  /** The M1 mark of a valid book with a spread within s_tight, admitted from its source time on; NO_MARK for any other row. */
  readonly marks: Int32Array
}

const NO_MARK = -1

/** Prepares a feed for a bound on the spread. */
export function tightBooks(feed: QuoteFeed, s_tight: number): TightBooks {
  const { rows, in_time, columns, bid, ask, confirmed_at, count } = feed
  const marks = bid.length > 0 && ask.length > 0 ? midMarks(bid, ask, s_tight) : new Int32Array(count).fill(NO_MARK)
  if (rows === null && in_time && confirmed_at.length === 0) return { admitted: columns.source_at, marks }
  const admitted = admissions(feed)
  return { admitted, marks: plainMarks(feed, admitted, marks) }
}

/** Returns the midpoint's mark of every row with a valid, tight book. */
function midMarks(bid: Float64Array, ask: Float64Array, s_tight: number): Int32Array {
  const marks = new Int32Array(bid.length)
  const one = PRICE_ONE
  for (let row = 0; row < marks.length; row++) {
    const low = bid[row]!
    const high = ask[row]!
    const tight = low >= 0 && high <= one && low < high && high - low <= s_tight
    marks[row] = tight ? roundMid(low + high) : NO_MARK
  }
  return marks
}

/** Reorders marks by ordinal, without rows that arrive late and those that a later confirmation refreshes. */
function plainMarks(feed: QuoteFeed, admitted: Float64Array, marks: Int32Array): Int32Array {
  const { source_at } = feed.columns
  return Int32Array.from(admitted, (from, ordinal) => {
    const row = rowAt(feed, ordinal)
    const confirmed = valueAt(feed.confirmed_at, row) > source_at[row]!
    return from === source_at[row]! && !confirmed ? (marks[row] ?? NO_MARK) : NO_MARK
  })
}

/** Returns the ordinal of the newest row admitted at a cutoff; -1 = none. */
export function newestAdmitted({ admitted }: TightBooks, cutoff: Micros): number {
  let low = 0
  let high = admitted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (admitted[middle]! <= cutoff) low = middle + 1
    else high = middle
  }
  return low - 1
}

function admissions(feed: QuoteFeed): Float64Array {
  const admitted = new Float64Array(feed.count)
  for (let ordinal = 0; ordinal < feed.count; ordinal++) admitted[ordinal] = admittedFrom(feed, ordinal)
  return admitted
}

/**
 * Returns (bid + ask) / 2 in marks, half even, without a branch: half a unit less one, plus one where the quotient is odd, makes
 * truncation round so. A sum of two prices in [0, 1] has 31 bits. 2000 is 2 x PRICES_PER_MARK, as a literal that the
 * machine divides by without dividing.
 */
function roundMid(sum: number): number {
  const whole = sum | 0
  const odd = ((whole / 2000) | 0) & 1
  return ((whole + 999 + odd) / 2000) | 0
}
