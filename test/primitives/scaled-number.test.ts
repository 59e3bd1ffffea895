import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalLimits, scaledNumber } from '../../primitives/scaled-number.ts'
import { SEED } from '../support/seed.ts'

const TYPES = [
  { width: 18, scale: 9 },
  { width: 18, scale: 6 },
  { width: 12, scale: 4 },
  { width: 38, scale: 12 },
]

const digits = fc.stringMatching(/^[0-9]{0,18}$/)
const decimalLike = fc
  .tuple(fc.constantFrom('', '-', '+'), digits, fc.constantFrom('', '.'), digits)
  .map((p) => p.join(''))

/** Returns the value of digits and a point by bigints alone; null if the text is invalid. */
function exactly(text: string, { width, scale }: (typeof TYPES)[number]): bigint | null {
  const [, sign, whole, fraction = ''] = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined || /[1-9]/.test(fraction.slice(scale))) return null
  const magnitude = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'))
  if (magnitude >= 10n ** BigInt(width)) return null
  return sign === '-' ? -magnitude : magnitude
}

test('property: a number is the exact scaled integer, and no text that is refused gives one', () => {
  fc.assert(
    fc.property(fc.oneof(decimalLike, fc.string({ maxLength: 12 })), fc.constantFrom(...TYPES), (text, type) => {
      const number = scaledNumber(text, decimalLimits(type))
      if (!Number.isNaN(number)) expect(BigInt(number)).toBe(exactly(text, type))
    }),
    { numRuns: 5_000, seed: SEED },
  )
})

test.each([
  ['0.56', 560_000_000],
  ['1', 1_000_000_000],
  ['-0.000000001', -1],
  ['9007199.254740991', Number.MAX_SAFE_INTEGER],
])('%s is read at once', (text, number) => {
  expect(scaledNumber(text, decimalLimits({ width: 18, scale: 9 }))).toBe(number)
})

test.each(['', '.', '-', '1.', '.5', '01', '1e3', '1.2.3', '--1', '-0', '9007199.254740992', '0.0000000001', '１'])(
  '%j is left to the exact way',
  (text) => {
    expect(scaledNumber(text, decimalLimits({ width: 18, scale: 9 }))).toBeNaN()
  },
)

test('a number that the width of the type does not hold is left to the exact way, which refuses it', () => {
  expect(scaledNumber('99999999', decimalLimits({ width: 12, scale: 4 }))).toBe(999_999_990_000)
  expect(scaledNumber('100000000', decimalLimits({ width: 12, scale: 4 }))).toBeNaN()
})
