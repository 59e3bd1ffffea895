import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quotientText, restText } from '../../../pipelines/text/quotient-text.ts'
import { divideHalfEven, fromScaled } from '../../../primitives/scaled.ts'
import { SEED } from '../../support/seed.ts'

describe('part of a whole with 9 fraction digits', () => {
  test.each([
    ['29', '118.715105117002', '0.244282309'],
    ['1', '3', '0.333333333'],
    ['2', '3', '0.666666667'],
    ['0.5', '1000000000', '0.000000000'], // half of the last digit: to the even one below
    ['1.5', '1000000000', '0.000000002'], // and above
    ['0.50000000001', '1000000000', '0.000000001'],
    ['999999999.5', '1000000000', '1.000000000'],
    ['0', '7', '0.000000000'],
    ['7', '7.000', '1.000000000'],
    ['-2', '-4', '0.500000000'],
  ])('%s / %s is %s', (part, whole, expected) => {
    expect(quotientText(part, whole)).toBe(expected)
  })

  test.each([
    ['3', '2'],
    ['-1', '2'],
    ['1', '-2'],
    ['3000000000000.123456789012', '2000000000000.123456789012'],
  ])('%s / %s lies outside [0, 1]', (part, whole) => {
    expect(quotientText(part, whole)).toBeNull()
    expect(restText(part, whole)).toBeNull()
  })

  const scaled = fc.record({ digits: fc.bigInt({ min: 0n, max: 10n ** 24n }), scale: fc.integer({ min: 0, max: 20 }) })
  test('is what whole numbers of any length give, also one minus it', () => {
    fc.assert(
      fc.property(scaled, scaled, fc.boolean(), ({ digits, scale }, other, negative) => {
        const [part, whole] = digits < other.digits ? [digits, other.digits] : [other.digits, digits]
        fc.pre(whole > 0n)
        const text = (integer: bigint) => fromScaled(negative ? -integer : integer, scale)
        const expected = (integer: bigint) => fromScaled(divideHalfEven(integer * 10n ** 9n, whole), 9)
        expect(quotientText(text(part), text(whole))).toBe(expected(part))
        expect(restText(text(part), text(whole))).toBe(expected(whole - part))
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  const short = fc.tuple(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 1, max: 10 ** 9 }))
  test('and what short ones give, where halves are frequent', () => {
    fc.assert(
      fc.property(short, fc.constantFrom(1, 2, 1024, 2 * 10 ** 9), ([first, second], factor) => {
        const [part, whole] = [BigInt(Math.min(first, second)), BigInt(Math.max(first, second, 1) * factor)]
        expect(quotientText(String(part), String(whole))).toBe(fromScaled(divideHalfEven(part * 10n ** 9n, whole), 9))
      }),
      { seed: SEED, numRuns: 500 },
    )
  })
})
