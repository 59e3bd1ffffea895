import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedQuantity } from '../../../../pipelines/venues/kalshi/quantities.ts'
import { fromScaled } from '../../../../primitives/scaled.ts'
import { SEED } from '../../../support/seed.ts'

test.each([
  ['372.250000', '-372.250000', '0.000000'],
  ['0.000000', '409.000000', '409.000000'],
  ['1.000000', '-1.000001', null],
  ['0.000001', '0.000009', '0.000010'],
  ['999999999999.999999', '0.000001', '1000000000000.000000'],
])('%s and a change of %s are %s', (quantity, change, expected) => {
  expect(changedQuantity(quantity, change)).toBe(expected)
})

test('a change is exact, short or long', () => {
  const millionths = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.bigInt({ min: 0n, max: 10n ** 18n }))
  fc.assert(
    fc.property(millionths, millionths, fc.boolean(), (resting, amount, takes) => {
      const change = takes ? -amount : amount
      const total = resting + change
      const expected = total < 0n ? null : fromScaled(total, 6)
      expect(changedQuantity(fromScaled(resting, 6), fromScaled(change, 6))).toBe(expected)
    }),
    { seed: SEED },
  )
})
