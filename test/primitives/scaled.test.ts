import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal, formatDecimal } from '../../primitives/decimal.ts'
import { divideHalfEven, fromScaled, pow10, quantize, toScaled } from '../../primitives/scaled.ts'
import { decimalText, integerText } from '../support/decimals.ts'

describe('toScaled', () => {
  const EXACT = [
    ['0', 0, 0n],
    ['-0', 4, 0n],
    ['0.25', 2, 25n],
    ['0.250000', 2, 25n],
    ['-0.25', 4, -2500n],
    ['-0.01', 2, -1n],
    ['12', 3, 12000n],
    ['99999999999999999999999999999999999999', 0, 99999999999999999999999999999999999999n],
  ] as const
  test.each(EXACT)('%s at scale %i is %s', (text, scale, expected) => {
    expect(toScaled(text, scale)).toBe(expected)
  })

  test('refuses a digit it would lose, and names the field', () => {
    expect(() => toScaled('0.555', 2, 'limit_price')).toThrow(
      'limit_price is 0.555; allowed: at most 2 fraction digits',
    )
    expect(() => toScaled('69.59', 0)).toThrow('value is 69.59; allowed: at most 0 fraction digits')
  })

  test.each(['', '1e3', '+1', '01', '.5', ' 1'])('refuses %j', (text) => {
    expect(() => toScaled(text, 2, 'weight')).toThrow(/^weight is .*; allowed: a decimal string/)
  })
})

describe('quantize', () => {
  const TIES = [
    ['0.5', 0, 0n],
    ['1.5', 0, 2n],
    ['2.5', 0, 2n],
    ['-0.5', 0, 0n],
    ['-1.5', 0, -2n],
    ['0.4999999999999999999999', 0, 0n],
    ['0.5000000000000000000001', 0, 1n],
    ['0.0000000005', 9, 0n],
    ['0.0000000015', 9, 2n],
    ['0.028900000000000002', 9, 28900000n],
    ['0.9999999999', 9, 1000000000n],
    ['-0.9999999999', 9, -1000000000n],
  ] as const
  test.each(TIES)('%s at scale %i is %s', (text, scale, expected) => {
    expect(quantize(text, scale)).toBe(expected)
  })

  test('gives the digits that Decimal gives', () => {
    fc.assert(
      fc.property(decimalText(), fc.integer({ min: 0, max: 12 }), (text, scale) => {
        expect(fromScaled(quantize(text, scale), scale)).toBe(formatDecimal(new Decimal(text), scale))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('fromScaled', () => {
  const PRINTED = [
    [0n, 0, '0'],
    [0n, 4, '0.0000'],
    [-5n, 2, '-0.05'],
    [5n, 0, '5'],
    [123456n, 4, '12.3456'],
    [-1000000n, 6, '-1.000000'],
  ] as const
  test.each(PRINTED)('%s at scale %i is %s', (integer, scale, expected) => {
    expect(fromScaled(integer, scale)).toBe(expected)
  })

  test('is undone by toScaled', () => {
    fc.assert(
      fc.property(integerText(38), fc.integer({ min: 0, max: 40 }), (integer, scale) => {
        expect(toScaled(fromScaled(integer, scale), scale)).toBe(integer)
      }),
    )
  })
})

describe('divideHalfEven', () => {
  const QUOTIENTS = [
    [1n, 2n, 0n],
    [3n, 2n, 2n],
    [5n, 2n, 2n],
    [-1n, 2n, 0n],
    [-3n, 2n, -2n],
    [-5n, 2n, -2n],
    [7n, 3n, 2n],
    [8n, 3n, 3n],
    [-8n, 3n, -3n],
    [0n, 7n, 0n],
  ] as const
  test.each(QUOTIENTS)('%s / %s is %s', (numerator, denominator, expected) => {
    expect(divideHalfEven(numerator, denominator)).toBe(expected)
  })

  test('gives what Decimal gives', () => {
    fc.assert(
      fc.property(integerText(15), fc.bigInt({ min: 1n, max: 10n ** 9n }), (numerator, denominator) => {
        const exact = new Decimal(numerator.toString()).div(denominator.toString())
        expect(divideHalfEven(numerator, denominator).toString()).toBe(formatDecimal(exact, 0))
      }),
      { numRuns: 2000 },
    )
  })

  test('is never further than half a denominator away, and even on a tie', () => {
    fc.assert(
      fc.property(integerText(30), fc.bigInt({ min: 1n, max: 10n ** 20n }), (numerator, denominator) => {
        const quotient = divideHalfEven(numerator, denominator)
        const twice = 2n * (numerator - quotient * denominator)
        const distance = twice < 0n ? -twice : twice
        expect(distance <= denominator).toBe(true)
        if (distance === denominator) expect(quotient % 2n).toBe(0n)
      }),
    )
  })
})

test('powers of ten, also beyond the table', () => {
  expect(pow10(0)).toBe(1n)
  expect(pow10(63)).toBe(10n ** 63n)
  expect(pow10(64)).toBe(10n ** 64n)
  expect(pow10(100)).toBe(10n ** 100n)
})
