import { describe, expect, test } from 'vitest'
import { freshnessMs, isStale, levelBound } from '../../../pipelines/market/freshness.ts'
import { markDerivationRule } from '../../../pipelines/market/mark-derivation.ts'
import { bookPrices, complementTouch, type Sighting, standingTouch } from '../../../pipelines/market/price-view.ts'
import { confirmedAt } from '../../../pipelines/market/quote.ts'

describe('price view', () => {
  test('a midpoint rounds half even at nine digits; a spread is ask - bid', () => {
    const midpoint = (bid: string | null, ask: string | null) => bookPrices(bid, ask, false).midpoint
    expect(midpoint('0.580000000', '0.640000000')).toBe('0.610000000')
    expect(midpoint('0.000000001', '0.000000002')).toBe('0.000000002')
    expect(midpoint('0.000000002', '0.000000003')).toBe('0.000000002')
    expect(bookPrices('0.620000000', '0.640000000', false).spread).toBe('0.020000000')
    expect(bookPrices('0.5', null, false)).toEqual({ midpoint: null, spread: null, reason: null })
  })

  test.each([
    ['crossed', '0.640000000', '0.620000000', false, 'CROSSED_BOOK'],
    ['locked', '0.640000000', '0.640000000', false, 'CROSSED_BOOK'],
    ['of a paused market', '0.620000000', '0.640000000', true, 'MARKET_PAUSED'],
    ['one-sided, of a paused market', '0.620000000', null, true, 'MARKET_PAUSED'],
  ] as const)(
    'a book that is %s has no midpoint, no spread and no complement, with the reason',
    (_, bid, ask, is_paused, reason) => {
      expect(bookPrices(bid, ask, is_paused)).toEqual({ midpoint: null, spread: null, reason })
      const touch = { best_bid: bid, best_ask: ask, last_trade: null, bid_depth: '3', ask_depth: '4' }
      expect(complementTouch(touch, { is_paused, is_stale: false })).toBeNull()
    },
  )

  test("the other outcome's bid is the ask, the other way round, and its trade is nobody else's; an old one counts for nothing", () => {
    const other = { best_bid: '0.62', best_ask: null, last_trade: '0.63', bid_depth: '3', ask_depth: null }
    expect(complementTouch(other, { is_paused: false, is_stale: false })).toEqual({
      best_bid: null,
      best_ask: '0.380000000',
      last_trade: null,
      bid_depth: null,
      ask_depth: '3',
    })
    expect(complementTouch(other, { is_paused: false, is_stale: true })).toBeNull()
  })
})

describe('the touch that stands', () => {
  const seen = (best_bid: string | null, confirmed_at: number, bid_depth: string | null = '3'): Sighting => ({
    touch: { best_bid, best_ask: '0.7', bid_depth, ask_depth: '4' },
    confirmed_at,
  })

  test('a book with the same best prices confirms the quote, and the quote the book', () => {
    expect(standingTouch(seen('0.6', 10), seen('0.6', 20))).toMatchObject({ confirmed_at: 20, is_top_of_book: true })
    expect(standingTouch(seen('0.6', 30), seen('0.6', 20))).toMatchObject({ confirmed_at: 30, is_top_of_book: true })
    expect(standingTouch(seen('0.6', 30, null), seen('0.6', 20))).toMatchObject({ source: 'book', confirmed_at: 30 })
  })

  test('of two that differ the one seen later counts, of equals the book', () => {
    const quote = { source: 'quote', confirmed_at: 21, is_top_of_book: false }
    expect(standingTouch(seen('0.5', 21), seen('0.6', 20))).toEqual(quote)
    expect(standingTouch(seen('0.6', 21, '2'), seen('0.6', 20))).toEqual(quote)
    expect(standingTouch(seen(null, 21), seen('0.6', 20))).toEqual(quote)
    expect(standingTouch(seen('0.5', 20), seen('0.6', 20))).toMatchObject({ source: 'book', confirmed_at: 20 })
    expect(standingTouch(seen('0.5', 20), null)).toEqual({ source: 'quote', confirmed_at: 20, is_top_of_book: false })
  })
})

test('a mark is derived by the rule that formed it; one that was taken over is not', () => {
  const rules = ['M0', 'M1', 'M2', 'M3', 'M4', 'M5', 'M5r', 'M6', 'fixing', null].map((rule) => [
    rule,
    markDerivationRule(rule, null),
  ])
  expect(rules).toEqual([
    ['M0', null],
    ['M1', 'M1'],
    ['M2', 'M2'],
    ['M3', 'M3'],
    ['M4', 'M4'],
    ['M5', null],
    ['M5r', null],
    ['M6', 'one_minus_other_outcome'],
    ['fixing', null],
    [null, null],
  ])
  expect(markDerivationRule('M5', 'M5')).toBe('M5')
})

describe('freshness', () => {
  test('on the boundary a value is still fresh; a level may be two ticks and the grace old', () => {
    expect([isStale(10, 15, 5), isStale(10, 16, 5)]).toEqual([false, true])
    expect(levelBound(60, 5)).toBe(125)
  })

  test('an age is counted from the last confirmation that is not after the cutoff', () => {
    const quote = { source_at: 10, confirmed_at: 20 }
    expect([confirmedAt(quote), confirmedAt(quote, 20), confirmedAt(quote, 19)]).toEqual([20, 20, 10])
    expect(confirmedAt({ source_at: 10, confirmed_at: 5 })).toBe(10)
    expect([freshnessMs(1000, 3999), freshnessMs(2000, 1000)]).toEqual([2, 0])
  })
})
