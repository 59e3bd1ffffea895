import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeOdds } from '../../../pipelines/market/overround.ts'
import { Decimal, sumDecimals } from '../../../primitives/decimal.ts'
import { divideHalfEven, fromScaled, toScaled } from '../../../primitives/scaled.ts'
import { SEED } from '../../support/seed.ts'

describe('odds', () => {
  test('2 and 4 and 3: worked by hand', () => {
    // 1/2 + 1/4 + 1/3 = 13/12; shares 6/13, 3/13, 4/13
    expect(normalizeOdds(['2', '4', '3'])).toEqual({
      probabilities: ['0.461538462', '0.230769231', '0.307692308'],
      overround: '0.083333333',
    })
  })

  test.each([
    [['1024'], '-0.999023438'], // 0.0009765625 - 1 = -0.9990234375: up to the even 8
    [['1024', '1024', '1024'], '-0.997070312'], // 0.0029296875 - 1 = -0.9970703125: down to the even 2
  ])('%j: a half in the last place is rounded to even', (odds, expected) => {
    expect(normalizeOdds(odds)?.overround).toBe(expected)
  })

  test.each([[[]], [['2', null]], [[null, null]]])('%j: no part of a market is scaled to 1', (odds) => {
    expect(normalizeOdds(odds)).toBeNull()
  })

  test.each(['1', '0.5', '0', '-2'])('%s is no decimal odds', (odds) => {
    expect(() => normalizeOdds(['2', odds])).toThrow('decimal odds are above 1')
  })

  test('agree with exact fractions, lie in [0, 1] and sum to 1 within rounding', () => {
    const odds = fc.array(
      fc.bigInt({ min: 101n, max: 100_000n }).map((n) => fromScaled(n, 2)),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(odds, (list) => {
        const { probabilities, overround } = normalizeOdds(list)!
        const scaled = list.map((text) => toScaled(text, 2))
        const product = scaled.reduce((a, b) => a * b, 1n)
        const parts = scaled.map((n) => (100n * product) / n)
        const sum = parts.reduce((a, b) => a + b, 0n)
        expect(probabilities).toEqual(parts.map((part) => fromScaled(divideHalfEven(part * 10n ** 9n, sum), 9)))
        expect(overround).toBe(fromScaled(divideHalfEven((sum - product) * 10n ** 9n, product), 9))
        const total = sumDecimals(probabilities.map((text) => new Decimal(text)))
        expect(total.minus(1).abs().lte(new Decimal('0.0000000005').times(list.length))).toBe(true)
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
})
