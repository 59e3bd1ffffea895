import type { Micros } from '../../../primitives/instants.ts'
import type { IntegerParameters } from './integer-parameters.ts'
import { type QuoteFeed, valueAt } from './quote-feed.ts'
import { C_OF_RULE, DEPTH_ONE, NONE, PRICE_ONE, PRICES_PER_MARK, RULE, roundQuotient } from './units.ts'

/** A mark in whole numbers. One object is reused: no allocation per tick. */
export type IntegerMark = {
  rule: number
  /** In marks. */
  value: number
  /** c_rule in hundredths. */
  c: number
  confirmed_at: Micros
  source_at: Micros
  /** Key of the source observations: see sourceKey. Two marks are one observation iff key and value are equal. */
  key: number
}

/** Returns an empty mark. */
export function noMark(): IntegerMark {
  return { rule: NONE, value: 0, c: 0, confirmed_at: 0, source_at: 0, key: NONE }
}

/** Copies every field. */
export function copyMark(from: IntegerMark, to: IntegerMark): void {
  to.rule = from.rule
  to.value = from.value
  to.c = from.c
  to.confirmed_at = from.confirmed_at
  to.source_at = from.source_at
  to.key = from.key
}

/** Fields of a quote record that a rule reads, by the code in a key. */
export const SOURCE_FIELDS: readonly (readonly string[])[] = [
  ['bid', 'ask'],
  ['bid', 'ask', 'last_trade'],
  ['last_trade'],
  ['reported_probability'],
]
const BOOK = 0
const BOOK_AND_TRADE = 1
const TRADE = 2
const REPORTED = 3

/** Returns one number for one list of source observations: row x 8 + fields x 2 + side (1 = the other outcome). */
export function sourceKey(row: number, fields: number, other: boolean): number {
  return row * 8 + fields * 2 + (other ? 1 : 0)
}

/** Returns the latest instant, not after the cutoff, at which the row was known to still be shown (methodology index-1 §3). */
export function confirmedAt(feed: QuoteFeed, row: number, cutoff: Micros): Micros {
  const source_at = feed.columns.source_at[row]!
  const confirmed = valueAt(feed.confirmed_at, row)
  return confirmed <= cutoff && confirmed > source_at ? confirmed : source_at
}

/**
 * Computes the mark that one row gives at a cutoff: the first of M1..M5r that applies (methodology index-1 §4).
 * @param other the row belongs to the other outcome; books false: the market is paused, only M5 counts, unclamped
 * @returns false if no rule applies; `out` then keeps rule NONE
 */
export function markOfRow(
  feed: QuoteFeed,
  row: number,
  cutoff: Micros,
  p: IntegerParameters,
  other: boolean,
  books: boolean,
  out: IntegerMark,
): boolean {
  out.rule = NONE
  out.source_at = feed.columns.source_at[row]!
  out.confirmed_at = confirmedAt(feed, row, cutoff)
  const fields = books ? bookMark(feed, row, cutoff, p, out) : NONE
  const found = fields !== NONE ? fields : tradeMark(feed, row, cutoff, p, books, out)
  const last = found !== NONE || !books ? found : reportedMark(feed, row, cutoff, p, out)
  if (last === NONE) return false
  out.c = C_OF_RULE[out.rule]!
  out.key = sourceKey(row, last, other)
  return true
}

/** Applies M1 to M4 to a valid book: 0 <= bid < ask <= 1 and young enough; a comparison with a missing side is false. */
function bookMark(feed: QuoteFeed, row: number, cutoff: Micros, p: IntegerParameters, out: IntegerMark): number {
  const bid = valueAt(feed.bid, row)
  const ask = valueAt(feed.ask, row)
  if (!(bid >= 0 && ask <= PRICE_ONE && bid < ask) || cutoff - out.confirmed_at > p.book_max_age) return NONE
  const spread = ask - bid
  if (spread <= p.s_tight) return found(out, RULE.M1, roundQuotient(bid + ask, 2 * PRICES_PER_MARK), BOOK)
  if (spread <= p.s_micro) {
    const bid_depth = valueAt(feed.bid_depth, row)
    const ask_depth = valueAt(feed.ask_depth, row)
    if (bid_depth >= p.q_min && ask_depth >= p.q_min)
      return found(out, RULE.M2, microprice(bid, ask, bid_depth, ask_depth), BOOK)
  }
  const last = valueAt(feed.last_trade, row)
  if (spread <= p.s_wide && !Number.isNaN(last) && cutoff - valueAt(feed.last_trade_at, row) <= p.t_recent) {
    const median = Math.max(bid, Math.min(last, ask))
    return found(out, RULE.M3, roundQuotient(median, PRICES_PER_MARK), BOOK_AND_TRADE)
  }
  if (spread > p.s_micro) return NONE
  return found(out, RULE.M4, roundQuotient(bid + ask, 2 * PRICES_PER_MARK), BOOK)
}

/** Applies M5: the last trade, clamped to the sides of a fresh, uncrossed book. */
function tradeMark(
  feed: QuoteFeed,
  row: number,
  cutoff: Micros,
  p: IntegerParameters,
  books: boolean,
  out: IntegerMark,
): number {
  const last = valueAt(feed.last_trade, row)
  const last_at = valueAt(feed.last_trade_at, row)
  if (Number.isNaN(last) || !(cutoff - last_at <= p.t_last)) return NONE
  const bid = valueAt(feed.bid, row)
  const ask = valueAt(feed.ask, row)
  const sides = books && cutoff - out.confirmed_at <= p.book_max_age && !(bid >= ask)
  const raised = sides && last < bid ? bid : last
  const clamped = sides && raised > ask ? ask : raised
  out.confirmed_at = last_at
  out.source_at = last_at
  return found(out, RULE.M5, roundQuotient(clamped, PRICES_PER_MARK), TRADE)
}

/** Applies M5r: one probability and neither book nor trade. */
function reportedMark(feed: QuoteFeed, row: number, cutoff: Micros, p: IntegerParameters, out: IntegerMark): number {
  const reported = valueAt(feed.reported, row)
  const shown =
    !Number.isNaN(valueAt(feed.bid, row)) ||
    !Number.isNaN(valueAt(feed.ask, row)) ||
    !Number.isNaN(valueAt(feed.last_trade, row))
  if (Number.isNaN(reported) || shown || cutoff - out.confirmed_at > p.max_carry) return NONE
  return found(out, RULE.M5r, roundQuotient(reported, PRICES_PER_MARK), REPORTED)
}

function found(out: IntegerMark, rule: number, value: number, fields: number): number {
  out.rule = rule
  out.value = value
  return fields
}

/**
 * Returns (bid x ask_depth + ask x bid_depth) / (bid_depth + ask_depth), half even to a mark. Whole marks and whole contracts are
 * used as units where all four numbers allow it; then the products stay below 2^53 for any real depth. Else BigInt.
 */
function microprice(bid: number, ask: number, bid_depth: number, ask_depth: number): number {
  const price_unit = bid % PRICES_PER_MARK === 0 && ask % PRICES_PER_MARK === 0 ? PRICES_PER_MARK : 1
  const lot = bid_depth % DEPTH_ONE === 0 && ask_depth % DEPTH_ONE === 0 ? DEPTH_ONE : 1
  const denominator = ((bid_depth + ask_depth) / lot) * (PRICES_PER_MARK / price_unit)
  const numerator = (bid / price_unit) * (ask_depth / lot) + (ask / price_unit) * (bid_depth / lot)
  if (numerator < Number.MAX_SAFE_INTEGER && denominator < 2 ** 52) return roundQuotient(numerator, denominator)
  return exactMicroprice(bid, ask, bid_depth, ask_depth)
}

function exactMicroprice(bid: number, ask: number, bid_depth: number, ask_depth: number): number {
  const denominator = (BigInt(bid_depth) + BigInt(ask_depth)) * BigInt(PRICES_PER_MARK)
  const twice = 2n * (BigInt(bid) * BigInt(ask_depth) + BigInt(ask) * BigInt(bid_depth))
  const quotient = twice / (2n * denominator)
  const rest = twice - 2n * denominator * quotient
  const up = rest > denominator || (rest === denominator && quotient % 2n === 1n)
  return Number(up ? quotient + 1n : quotient)
}
