import { describe, expect, test } from 'vitest'
import { PARAMETER_SHEET } from '../../../pipelines/index/parameters.ts'
import { freshnessMs, isStale, STALE_AFTER_MICROS } from '../../../pipelines/market/freshness.ts'
import { complementTouch, midpointOf, qualityOfPrice, spreadOf } from '../../../pipelines/market/price-view.ts'
import { confirmedAt } from '../../../pipelines/market/quote.ts'
import { durationMicros } from '../../../primitives/instants.ts'

describe('price view', () => {
  test('a midpoint rounds half even at nine digits', () => {
    expect(midpointOf('0.580000000', '0.640000000')).toBe('0.610000000')
    expect(midpointOf('0.000000001', '0.000000002')).toBe('0.000000002')
    expect(midpointOf('0.000000002', '0.000000003')).toBe('0.000000002')
    expect(midpointOf('0.5', null)).toBeNull()
  })

  test('a spread is negative where the book is crossed, and null without both sides', () => {
    expect(spreadOf('0.620000000', '0.640000000')).toBe('0.020000000')
    expect(spreadOf('0.640000000', '0.620000000')).toBe('-0.020000000')
    expect(spreadOf(null, '0.620000000')).toBeNull()
  })

  test("the other outcome's bid is the ask, the other way round, and its trade is nobody else's", () => {
    const other = { best_bid: '0.62', best_ask: null, last_trade: '0.63', bid_depth: '3', ask_depth: null }
    expect(complementTouch(other)).toEqual({
      best_bid: null,
      best_ask: '0.380000000',
      last_trade: null,
      bid_depth: null,
      ask_depth: '3',
    })
  })

  test('stale outranks the status of a listed market, which outranks the label of the quote', () => {
    const facts = { listed_status: 'paused', stated: 'degraded' }
    expect(qualityOfPrice(0, STALE_AFTER_MICROS + 1, facts)).toBe('stale')
    expect(qualityOfPrice(0, STALE_AFTER_MICROS, facts)).toBe('suspended')
    expect(qualityOfPrice(0, 0, { ...facts, listed_status: null })).toBe('degraded')
    expect(qualityOfPrice(0, 0, { listed_status: null, stated: null })).toBe('valid')
  })
})

describe('freshness', () => {
  test('the limit of a price view is the default of fresh.stale_after; the boundary is fresh', () => {
    expect(STALE_AFTER_MICROS).toBe(durationMicros(PARAMETER_SHEET['fresh.stale_after'].default))
    expect([isStale(10, 15, 5), isStale(10, 16, 5)]).toEqual([false, true])
  })

  test('an age is counted from the last confirmation that is not after the cutoff', () => {
    const quote = { source_at: 10, confirmed_at: 20 }
    expect([confirmedAt(quote), confirmedAt(quote, 20), confirmedAt(quote, 19)]).toEqual([20, 20, 10])
    expect(confirmedAt({ source_at: 10, confirmed_at: 5 })).toBe(10)
    expect([freshnessMs(1000, 3999), freshnessMs(2000, 1000)]).toEqual([2, 0])
  })
})
