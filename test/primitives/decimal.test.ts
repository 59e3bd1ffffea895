import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  Decimal,
  formatDecimal,
  isDecimalString,
  medianDecimal,
  parseDecimal,
  roundDecimal,
  sumDecimals,
} from '../../primitives/decimal.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { decimalText } from '../support/decimals.ts'

const d = (text: string) => new Decimal(text)

describe('decimal strings', () => {
  test.each(['0', '-0', '1', '-1', '0.25', '10.00', '-0.000000001', '123456789012345678901234567890.5'])(
    '%s is one',
    (text) => {
      expect(isDecimalString(text)).toBe(true)
      expect(parseDecimal(text, 'x').eq(text)).toBe(true)
    },
  )

  const REFUSED = [
    '',
    ' 1',
    '1 ',
    '+1',
    '01',
    '00',
    '-',
    '.5',
    '5.',
    '1e3',
    '1E-7',
    '1,5',
    '1_000',
    '0x10',
    'NaN',
    'Infinity',
  ]
  test.each([...REFUSED, '-Infinity', '١', '1\n', '--1', '1.2.3'])('%j is none', (text) => {
    expect(isDecimalString(text)).toBe(false)
    expect(() => parseDecimal(text, 'price')).toThrow(/^price is .*; allowed: a decimal string such as "0.25"/)
  })

  test.each([1, 0.5, null, undefined, true, {}, [], 1n])('a value that is no text (%o) is none', (value) => {
    expect(isDecimalString(value)).toBe(false)
  })

  test('the error has its code and its facts', () => {
    try {
      parseDecimal('1e3', 'target_weight')
      expect.unreachable()
    } catch (error) {
      expect(isServiceError(error, 'VALIDATION_DECIMAL_INVALID')).toBe(true)
      expect((error as { facts: unknown }).facts).toEqual({ field: 'target_weight', value: '1e3' })
    }
  })
})

describe('printing', () => {
  // value, scale, half even (methodology E21)
  const ROUNDED = [
    ['38.92505', 4, '38.9250'],
    ['38.92515', 4, '38.9252'],
    ['10.00015', 4, '10.0002'],
    ['10.00025', 4, '10.0002'],
    ['10.000250000000000000000000001', 4, '10.0003'],
    ['0.5', 0, '0'],
    ['1.5', 0, '2'],
    ['2.5', 0, '2'],
    ['-0.5', 0, '0'],
    ['-1.5', 0, '-2'],
    ['-2.5', 0, '-2'],
    ['-0.00004', 4, '0.0000'],
    ['-0.00005', 4, '0.0000'],
    ['-0.00006', 4, '-0.0001'],
    ['0', 9, '0.000000000'],
    ['-0', 4, '0.0000'],
    ['0.0000001', 7, '0.0000001'],
    ['123456789012345678901.5', 6, '123456789012345678901.500000'],
    ['9.99995', 4, '10.0000'],
  ] as const
  test.each(ROUNDED)('%s at %i places is %s', (text, scale, expected) => {
    expect(formatDecimal(d(text), scale)).toBe(expected)
  })

  test('never an exponent', () => {
    expect(d('0.0000000000000000000000000000000001').toString()).toBe('0.0000000000000000000000000000000001')
    expect(d('1').mul('1e30').toString()).toBe('1000000000000000000000000000000')
  })

  test('rounding twice at one scale is rounding once; the printed form is the rounded value', () => {
    fc.assert(
      fc.property(decimalText(), fc.integer({ min: 0, max: 12 }), (text, scale) => {
        const once = roundDecimal(d(text), scale)
        expect(roundDecimal(once, scale).eq(once)).toBe(true)
        expect(d(formatDecimal(d(text), scale)).eq(once)).toBe(true)
        expect(isDecimalString(formatDecimal(d(text), scale))).toBe(true)
      }),
    )
  })
})

describe('arithmetic', () => {
  test('34 significant digits, half even', () => {
    expect(d('1').div('3').toString()).toBe(`0.${'3'.repeat(34)}`)
    expect(d('2').div('3').toString()).toBe(`0.${'6'.repeat(33)}7`)
    // 34 digits kept: ...1234|5 is a tie and the last kept digit 4 is even.
    expect(d('1234567890123456789012345678901234').plus('0.5').toString()).toBe('1234567890123456789012345678901234')
    expect(d('1234567890123456789012345678901235').plus('0.5').toString()).toBe('1234567890123456789012345678901236')
  })

  test('tenths add up exactly, as floating point does not', () => {
    expect(sumDecimals(Array.from({ length: 10 }, () => d('0.1'))).eq(1)).toBe(true)
    expect(sumDecimals([]).eq(0)).toBe(true)
  })

  test('median: the middle of an odd count, the mean of the two middle ones of an even count', () => {
    expect(medianDecimal([d('3'), d('1'), d('2')]).toString()).toBe('2')
    expect(medianDecimal([d('0.62'), d('0.63')]).toString()).toBe('0.625')
    expect(medianDecimal([d('-1')]).toString()).toBe('-1')
    // As text '10' sorts before '9'.
    expect(medianDecimal([d('10'), d('9'), d('100')]).toString()).toBe('10')
  })

  test('median does not depend on order and does not change its argument', () => {
    fc.assert(
      fc.property(fc.array(decimalText(6, 6), { minLength: 1, maxLength: 12 }), (texts) => {
        const values = texts.map(d)
        const before = values.map(String)
        const median = medianDecimal(values)
        expect(values.map(String)).toEqual(before)
        expect(medianDecimal([...values].reverse()).eq(median)).toBe(true)
      }),
    )
  })
})
