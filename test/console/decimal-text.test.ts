import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asPercent,
  groupDigits,
  groupSigned,
  percentChange,
  signOf,
  subtractDecimals,
  trimZeros,
} from '../../console/data/decimal-text.ts'
import { Decimal } from '../../primitives/decimal.ts'
import { divideHalfEven, fromScaled, toScaled } from '../../primitives/scaled.ts'
import { decimalText } from '../support/decimals.ts'

/** Decimals as the API writes them: never "-0", never without a digit before the point. */
const decimals = decimalText(9, 9).map((text) => new Decimal(text).toFixed(9))

describe('what is shown', () => {
  test.each([
    ['1489.7357', '1,489.7357'],
    ['-1234567.0000', '−1,234,567.0000'],
    ['999.1234567', '999.1234567'],
    ['0', '0'],
    ['1000', '1,000'],
  ])('%s as %s', (text, shown) => expect(groupDigits(text)).toBe(shown))

  test('every digit is kept', () => {
    fc.assert(fc.property(decimals, (text) => groupDigits(text).replaceAll(',', '').replace('−', '-') === text))
  })

  test.each([
    ['0.0000', '0.0000'],
    ['0.0001', '+0.0001'],
    ['-3.5', '−3.5'],
  ])('%s with its sign as %s', (text, shown) => expect(groupSigned(text)).toBe(shown))

  test.each([
    ['1.000000', '100'],
    ['0.935000', '93.5'],
    ['0.6', '60'],
    ['0.000001', '0.0001'],
  ])('the ratio %s as %s percent', (text, shown) => expect(asPercent(text)).toBe(shown))

  test('trailing zeros after the point alone are left out', () => {
    expect([trimZeros('0.600'), trimZeros('100'), trimZeros('5.000')]).toEqual(['0.6', '100', '5'])
  })
})

describe('what is calculated', () => {
  test('a difference is exact', () => {
    expect(subtractDecimals('38.5600', '35.2')).toBe('3.3600')
    expect(subtractDecimals('0.1', '0.3')).toBe('-0.2')
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(subtractDecimals(a, b)).toBe(fromScaled(toScaled(a, 9) - toScaled(b, 9), 9))
      }),
    )
  })

  test('a change in percent is rounded half even, and there is none of zero', () => {
    expect(percentChange('35.2000', '38.5600')).toBe('9.55')
    expect(percentChange('200', '200.01')).toBe('0.00')
    expect(percentChange('200', '200.03')).toBe('0.02')
    expect(percentChange('-200', '-199')).toBe('-0.50')
    expect(percentChange('0.00', '5')).toBeNull()
    fc.assert(
      fc.property(decimals, decimals, (from, to) => {
        const [a, b] = [toScaled(from, 9), toScaled(to, 9)]
        const expected =
          a === 0n ? null : fromScaled(divideHalfEven((b - a) * 10_000n * (a < 0n ? -1n : 1n), a < 0n ? -a : a), 2)
        expect(percentChange(from, to)).toBe(expected)
      }),
    )
  })

  test('a sign is that of the digits', () => {
    expect(['0.000', '-0.001', '12'].map(signOf)).toEqual([0, -1, 1])
  })
})
