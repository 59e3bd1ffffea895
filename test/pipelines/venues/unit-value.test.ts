import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readOptionalQuantity, readUnitValue } from '../../../pipelines/text/fields.ts'
import { fromScaled, quantize } from '../../../primitives/scaled.ts'
import { SEED } from '../../support/seed.ts'

test.each([
  ['0.1234567885', '0.123456788'],
  ['0.1234567895', '0.123456790'],
  ['0.12345678851', '0.123456789'],
  ['0.1234567896', '0.123456790'],
  ['0.9999999996', '1.000000000'],
  ['0.5', '0.500000000'],
  ['0.4999999994999', '0.499999999'],
])('%s is %s half even', (text, expected) => {
  expect(readUnitValue(text, 9)).toBe(expected)
})

test('any fraction is rounded as integers are', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^0\.[0-9]{1,20}$/), fc.constantFrom(1, 4, 9), (text, scale) => {
      expect(readUnitValue(text, scale)).toBe(fromScaled(quantize(text, scale), scale))
    }),
    { seed: SEED, numRuns: 2000 },
  )
})

test('any quantity gets the zeros that integers give it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?$/), (text) => {
      expect(readOptionalQuantity(text, 6)).toBe(fromScaled(quantize(text, 6), 6))
    }),
    { seed: SEED, numRuns: 1000 },
  )
})
