import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainDecimal } from '../../../pipelines/text/fields.ts'
import { plainNumber } from '../../../pipelines/text/plain-number.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import { Decimal } from '../../../primitives/decimal.ts'

describe('plainNumber', () => {
  test.each([
    ['0.45530000000000004', '0.45530000000000004'],
    ['1e-7', '0.0000001'],
    ['1.25E-3', '0.00125'],
    ['12.5e1', '125'],
    ['1.25e1', '12.5'],
    ['-5e+2', '-500'],
    ['0e9', '0'],
    ['0.05e1', '0.5'],
  ])('%s is %s: the same value without an exponent', (text, plain) => {
    expect(plainNumber(text)).toBe(plain)
  })

  test.each(['', 'NaN', 'Infinity', '0x1f', '.5', '5.', '+1', '01', '1e', '1e1000', '1e999', '--1', ' 1', '1,5'])(
    '%j is no number',
    (text) => expect(parseRecord(() => plainNumber(text))).toEqual({ reason: 'BAD_VALUE' }),
  )

  test('every double that a program prints keeps its exact value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = JSON.stringify(value)
        expect(new Decimal(plainNumber(text)).eq(new Decimal(text))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('a text with an exponent is not shortened, since its zeros count', () => {
    expect(plainDecimal('1.5e-10')).toBe('1.5e-10')
    expect(plainDecimal('1.50')).toBe('1.5')
    expect(plainDecimal('100')).toBe('100')
    expect(plainDecimal('0.000')).toBe('0')
  })
})
