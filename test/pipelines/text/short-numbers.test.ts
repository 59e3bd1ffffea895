import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readId, readOptionalQuantity, readUnitValue } from '../../../pipelines/text/fields.ts'
import { shortQuantity } from '../../../pipelines/text/short-quantity.ts'
import { wholeNumber } from '../../../pipelines/text/whole-number.ts'
import { gridPrice } from '../../../pipelines/venues/grid-price.ts'
import { SEED } from '../../support/seed.ts'

/** Short ways to read the numbers of nearly every message: each beside the pattern or the reader that it stands for. */

const text = fc.oneof(
  fc.stringMatching(/^-?\d{0,14}\.?\d{0,8}$/),
  fc.stringMatching(/^0\.\d{0,6}$/),
  fc.stringMatching(/^\d{0,17}$/),
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    '',
    '.',
    '0',
    '00',
    '0.',
    '.5',
    '0.5.',
    '1.0',
    '٣',
    '0.٣',
    '1e3',
    ' 1',
    '1 ',
    '-0',
    '+1',
    '/',
    ':',
    '0./',
  ),
)
const check = (property: (value: string) => void) =>
  fc.assert(fc.property(text, property), { seed: SEED, numRuns: 20_000 })

test('a whole number is one of 1 to 15 digits', () => {
  check((value) => {
    expect(wholeNumber(value)).toBe(/^[0-9]{1,15}$/.test(value) ? Number(value) : -1)
  })
  expect([wholeNumber('999999999999999'), wholeNumber('1000000000000000')]).toEqual([999_999_999_999_999, -1])
})

test('a price on the grid is the unit value of the same text', () => {
  check((value) => {
    expect(gridPrice(value)).toBe(/^0\.[0-9]{1,4}$/.test(value) ? readUnitValue(value, 9) : null)
  })
  expect(['0.1', '0.01', '0.9999', '0.0', '0.00001', '1.0'].map(gridPrice)).toEqual([
    '0.100000000',
    '0.010000000',
    '0.999900000',
    '0.000000000',
    null,
    null,
  ])
})

test('a short quantity is the quantity of the same text', () => {
  const short = /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?$/
  check((value) => {
    expect(shortQuantity(value)).toBe(short.test(value) ? readOptionalQuantity(value, 6) : null)
  })
  expect(['999999999999.999999', '1000000000000', '0.0000001', '01', '5.'].map(shortQuantity)).toEqual([
    '999999999999.999999',
    null,
    null,
    null,
    null,
  ])
})

test('an id of visible ASCII is taken as every other one is', () => {
  expect(['!', '~', 'a'.repeat(512), 'é', 'a b'].map(readId)).toEqual(['!', '~', 'a'.repeat(512), 'é', 'a b'])
  for (const bad of ['a'.repeat(513), ' a', 'a\u007f', 'a\n']) expect(() => readId(bad)).toThrow(expect.anything())
})
