import {
  type Decimal,
  formatDecimal,
  medianDecimal,
  ONE,
  parseDecimal,
  roundDecimal,
  SCALE,
} from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { MarkRule } from '../../vocabulary/index-level.ts'
import type { MarkParameters } from './parameters.ts'
import { confirmedAt, type Quote } from './quote.ts'

/** A mark: the methodology's reference value of one outcome, already rounded to 6 decimals. */
export type Mark = {
  readonly rule: MarkRule
  /** The rule that first formed the value; differs from `rule` for M7 and frozen. */
  readonly origin_rule: MarkRule
  readonly value: Decimal
  /** Confidence of the rule, in [0, 1]. */
  readonly c_rule: Decimal
  /** Source time of the value; it never moves. */
  readonly source_at: Micros
  /** Every age is cutoff - confirmed_at. */
  readonly confirmed_at: Micros
  /** Cutoff at which the value was formed. */
  readonly cutoff_at: Micros
  readonly source_ids: readonly string[]
  readonly derivation_rule: string | null
}

const c = (text: string) => parseDecimal(text, 'c_rule')
export const C_RULE = {
  M0: ONE,
  M1: ONE,
  M2: c('0.90'),
  M3: c('0.80'),
  M4: c('0.60'),
  M5: c('0.50'),
  M5r: c('0.50'),
  M6: c('0.90'),
  M7: c('0.25'),
  frozen: c('0.25'),
  fixing: ONE,
} as const

/** Reports whether a mark was formed at an earlier tick: its source was received before the newest quote. */
export function isKept(rule: unknown): boolean {
  return rule === 'M7' || rule === 'frozen'
}

/** derivation_rule of a price or mark taken from the other outcome of a binary market (M6). */
export const COMPLEMENT_RULE = 'one_minus_other_outcome'

/** Fields of a quote record that a rule reads: observation_id = record id + "." + field. */
const SOURCE_FIELDS: Partial<Record<MarkRule, readonly string[]>> = {
  M1: ['bid', 'ask'],
  M2: ['bid', 'ask'],
  M3: ['bid', 'ask', 'last_trade'],
  M4: ['bid', 'ask'],
  M5: ['last_trade'],
  M5r: ['reported_probability'],
}

type Found = { rule: MarkRule; value: Decimal; confirmed_at: Micros; source_at: Micros }

/**
 * Returns the mark that one outcome's own quote gives at a cutoff: the first of M1..M5r that applies, else null.
 * @param books false while the market is paused: only M5 counts then, unclamped
 */
export function markOfQuote(quote: Quote, cutoff: Micros, p: MarkParameters, books = true): Mark | null {
  const confirmed_at = confirmedAt(quote, cutoff)
  const found = books
    ? (bookMark(quote, cutoff, confirmed_at, p) ??
      tradeMark(quote, cutoff, confirmed_at, p) ??
      reportedMark(quote, cutoff, confirmed_at, p))
    : tradeMark({ ...quote, bid: null, ask: null }, cutoff, confirmed_at, p)
  return found === null
    ? null
    : {
        ...found,
        value: roundDecimal(found.value, SCALE.mark),
        origin_rule: found.rule,
        c_rule: C_RULE[found.rule],
        cutoff_at: cutoff,
        source_ids: SOURCE_FIELDS[found.rule]!.map((field) => `${quote.record_id}.${field}`),
        derivation_rule: null,
      }
}

/** Forms the mark by M6: one minus the other outcome's M1..M5r mark; binary markets only. */
export function complementOf(other: Mark): Mark {
  return {
    ...other,
    rule: 'M6',
    origin_rule: 'M6',
    value: ONE.minus(other.value),
    c_rule: C_RULE.M6.times(other.c_rule),
    derivation_rule: COMPLEMENT_RULE,
  }
}

/** Forms the mark by M7: the previous mark with its original source time, while its age is within max_carry. */
export function carry(previous: Mark, cutoff: Micros, p: MarkParameters): Mark | null {
  if (cutoff - previous.confirmed_at > p.max_carry) return null
  return { ...previous, rule: 'M7', c_rule: C_RULE.M7 }
}

const HALF = parseDecimal('0.5', 'half')

/** Returns both sides of a usable book: 0 <= bid < ask <= 1 and young enough; else null (crossed and locked books count as absent). */
function validBook(
  quote: Quote,
  age: Micros,
  p: MarkParameters,
): { bid: Decimal; ask: Decimal; spread: Decimal } | null {
  const { bid, ask } = quote
  if (bid === null || ask === null || age > p.book_max_age) return null
  if (bid.isNegative() || ask.gt(1) || bid.gte(ask)) return null
  return { bid, ask, spread: ask.minus(bid) }
}

function bookMark(quote: Quote, cutoff: Micros, confirmed_at: Micros, p: MarkParameters): Found | null {
  const book = validBook(quote, cutoff - confirmed_at, p)
  if (book === null) return null
  const at = { confirmed_at, source_at: quote.source_at }
  const mid = book.bid.plus(book.ask).times(HALF)
  if (book.spread.lte(p.s_tight)) return { rule: 'M1', value: mid, ...at }
  const micro = book.spread.lte(p.s_micro) ? microprice(quote, book, p) : null
  if (micro !== null) return { rule: 'M2', value: micro, ...at }
  const recent = quote.last_trade !== null && quote.last_trade_at !== null && cutoff - quote.last_trade_at <= p.t_recent
  if (book.spread.lte(p.s_wide) && recent)
    return { rule: 'M3', value: medianDecimal([book.bid, book.ask, quote.last_trade!]), ...at }
  return book.spread.lte(p.s_micro) ? { rule: 'M4', value: mid, ...at } : null
}

function microprice(quote: Quote, book: { bid: Decimal; ask: Decimal }, p: MarkParameters): Decimal | null {
  const { bid_depth, ask_depth } = quote
  if (bid_depth === null || ask_depth === null || bid_depth.lt(p.q_min) || ask_depth.lt(p.q_min)) return null
  return book.bid.times(ask_depth).plus(book.ask.times(bid_depth)).div(bid_depth.plus(ask_depth))
}

/** Applies M5: the last trade, clamped to the sides of a fresh book. */
function tradeMark(quote: Quote, cutoff: Micros, confirmed_at: Micros, p: MarkParameters): Found | null {
  const { last_trade, last_trade_at } = quote
  if (last_trade === null || last_trade_at === null || cutoff - last_trade_at > p.t_last) return null
  const sides = freshSides(quote, cutoff - confirmed_at, p)
  let value = last_trade
  if (sides.bid !== null && value.lt(sides.bid)) value = sides.bid
  if (sides.ask !== null && value.gt(sides.ask)) value = sides.ask
  return { rule: 'M5', value, confirmed_at: last_trade_at, source_at: last_trade_at }
}

/** Returns the sides of a fresh book; a crossed or locked one has none. */
function freshSides(quote: Quote, age: Micros, p: MarkParameters): { bid: Decimal | null; ask: Decimal | null } {
  const crossed = quote.bid !== null && quote.ask !== null && quote.bid.gte(quote.ask)
  return age > p.book_max_age || crossed ? { bid: null, ask: null } : { bid: quote.bid, ask: quote.ask }
}

/** Applies M5r: a venue or archive publishes one probability only (no book, no trade). */
function reportedMark(quote: Quote, cutoff: Micros, confirmed_at: Micros, p: MarkParameters): Found | null {
  const only = quote.bid === null && quote.ask === null && quote.last_trade === null
  if (quote.reported_probability === null || !only || cutoff - confirmed_at > p.max_carry) return null
  return { rule: 'M5r', value: quote.reported_probability, confirmed_at, source_at: quote.source_at }
}

/** Returns the published text of a mark. */
export function formatMark(mark: Mark): string {
  return formatDecimal(mark.value, SCALE.mark)
}
