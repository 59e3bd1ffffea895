import type { Micros } from '../../../primitives/instants.ts'
import { admittedFrom, type QuoteFeed } from './quote-feed.ts'
import { PRICE_ONE, PRICES_PER_MARK } from './units.ts'

/**
 * What the bulk replay needs of a feed, by position: computed once, read by every replay over the same data. M1 depends on
 * the row alone but for its age, so its mark can be known beforehand.
 */
export type TightBooks = {
  /** The cutoff from which each row is admitted, ascending, and its source time. */
  readonly admitted: Float64Array
  readonly source_at: Float64Array
  /** The M1 mark of a valid book with a spread within s_tight; NO_MARK for any other row. */
  readonly marks: Int32Array
}

export const NO_MARK = -1
const MID_UNIT = 2 * PRICES_PER_MARK

/** Prepares a feed for a bound on the spread. */
export function tightBooks(feed: QuoteFeed, s_tight: number): TightBooks {
  const { rows, columns } = feed
  const source_at = rows === null ? columns.source_at : Float64Array.from(rows, (row) => columns.source_at[row]!)
  return { admitted: feed.in_time ? source_at : admissions(feed), source_at, marks: tightMarks(feed, s_tight) }
}

function tightMarks({ count, rows, bid, ask, confirmed_at, columns }: QuoteFeed, s_tight: number): Int32Array {
  const marks = new Int32Array(count)
  const books = bid.length > 0 && ask.length > 0
  const confirmed = confirmed_at.length > 0
  for (let position = 0; position < count; position++) {
    const row = rows === null ? position : rows[position]!
    const low = books ? bid[row]! : Number.NaN
    const high = books ? ask[row]! : Number.NaN
    const tight = low >= 0 && high <= PRICE_ONE && low < high && high - low <= s_tight
    // A later confirmation makes a row young again: its age is no longer that of its source time.
    const ages = !confirmed || !(confirmed_at[row]! > columns.source_at[row]!)
    marks[position] = tight && ages ? roundMid(low + high) : NO_MARK
  }
  return marks
}

/** The position of the newest row admitted at a cutoff; -1 = none. */
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
  for (let position = 0; position < feed.count; position++) admitted[position] = admittedFrom(feed, position)
  return admitted
}

/**
 * (bid + ask) / 2 in marks, half even, without a branch: half a unit less one, plus one where the quotient is odd, makes
 * truncation round so. A sum of two prices in [0, 1] has 31 bits.
 */
function roundMid(sum: number): number {
  const whole = sum | 0
  const odd = ((whole / MID_UNIT) | 0) & 1
  return ((whole + (MID_UNIT / 2 - 1) + odd) / MID_UNIT) | 0
}
