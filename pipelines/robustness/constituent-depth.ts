import { type Decimal, formatDecimal, parseDecimal, SCALE } from '../../primitives/decimal.ts'
import { COMPUTED_MARK_RULES } from '../../vocabulary/index-level.ts'
import type { DepthReason } from '../../vocabulary/robustness.ts'
import type { StoredBook } from '../market/stored-records.ts'
import { type ConstituentDepth, type Depth, isCrossed, mirrorDepth } from './depth.ts'
import type { PublishedInput, PublishedLeg } from './published-level.ts'

/** Books by outcome, as they were stored at a tick. */
export type BooksAtTick = ReadonlyMap<string, Pick<StoredBook, 'bids' | 'asks' | 'price_unit'>>

/**
 * Returns the depth behind a published input: the book of its outcome, if the best prices of that book give the mark that entered the
 * level (methodology robustness-1 §1). The depth of an inverse constituent is mirrored.
 */
export function constituentDepth(input: PublishedInput, books: BooksAtTick): ConstituentDepth {
  const { legs, normalization } = input
  const [leg] = legs
  const is_single = normalization === 'probability_0_1' || normalization === 'inverse'
  if (!is_single || leg === undefined) return absent(is_single ? 'MARK_NOT_FROM_BOOK' : 'SEVERAL_LEGS')
  const book = books.get(leg.outcome_id)
  if (book === undefined) return absent(isBookMark(leg) ? 'DEPTH_NOT_STORED' : 'MARK_NOT_FROM_BOOK')
  if ((book.price_unit ?? 'probability') !== 'probability') return absent('PRICE_UNIT_NOT_PROBABILITY')
  const depth = { bids: levelsOf(book.bids), asks: levelsOf(book.asks) }
  const reason = refusedDepth(depth, leg)
  if (reason !== null) return absent(reason)
  return { depth: normalization === 'inverse' ? mirrorDepth(depth) : depth, reason: null }
}

function absent(reason: DepthReason): ConstituentDepth {
  return { depth: null, reason }
}

function isBookMark({ mark_rule }: PublishedLeg): boolean {
  return COMPUTED_MARK_RULES.includes(mark_rule)
}

function levelsOf(side: StoredBook['bids']): Depth['bids'] {
  return (side ?? []).map(({ price, quantity }) => ({
    price: parseDecimal(price, 'price'),
    quantity: parseDecimal(quantity, 'quantity'),
  }))
}

/** Returns why a stored book is not the one behind a mark; null: it is. */
function refusedDepth(depth: Depth, leg: PublishedLeg): DepthReason | null {
  if (!isBookMark(leg)) return 'MARK_NOT_FROM_BOOK'
  if (isCrossed(depth)) return 'DEPTH_CROSSED'
  const [bid, ask] = [depth.bids[0], depth.asks[0]]
  if (bid === undefined || ask === undefined) return 'DEPTH_NOT_OF_TICK'
  const mark = parseDecimal(leg.value, 'value')
  if (leg.mark_rule === 'M3') return mark.gte(bid.price) && mark.lte(ask.price) ? null : 'DEPTH_NOT_OF_TICK'
  const [of_bid, of_ask] = leg.mark_rule === 'M2' ? [ask.quantity, bid.quantity] : [EQUAL, EQUAL]
  return isMean(mark, [bid.price, of_bid], [ask.price, of_ask]) ? null : 'DEPTH_NOT_OF_TICK'
}

const EQUAL = parseDecimal('1', 'weight')

/** Returns whether a mark is the mean of two prices by weight, as published. */
function isMean(
  mark: Decimal,
  [a, of_a]: readonly [Decimal, Decimal],
  [b, of_b]: readonly [Decimal, Decimal],
): boolean {
  const mean = a.times(of_a).plus(b.times(of_b)).div(of_a.plus(of_b))
  return formatDecimal(mean, SCALE.mark) === formatDecimal(mark, SCALE.mark)
}
