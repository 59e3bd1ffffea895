import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvariantError } from '../../primitives/errors.ts'
import { minus, mulDivHalfEven, mulDivUp, plus, times } from '../../primitives/safe-integers.ts'
import { divideHalfEven } from '../../primitives/scaled.ts'

const LARGEST = Number.MAX_SAFE_INTEGER
const whole = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -1_000, max: 1_000 }))
const natural = fc.oneof(fc.maxSafeNat(), fc.nat(1_000))
const divisor = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom(10_000, 1_000_000, 10 ** 12))

/** Expects the exact result, or an error if it is not a safe integer. */
function outcome(exact: bigint, run: () => number): void {
  if (exact >= -BigInt(LARGEST) && exact <= BigInt(LARGEST)) expect(BigInt(run())).toBe(exact)
  else expect(run).toThrow(InvariantError)
}

test('sums, differences and products are exact or refused', () => {
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      outcome(BigInt(a) + BigInt(b), () => plus(a, b))
      outcome(BigInt(a) - BigInt(b), () => minus(a, b))
      outcome(BigInt(a) * BigInt(b), () => times(a, b))
    }),
  )
})

test('a product divided is what bigints give, half even and rounded up', () => {
  fc.assert(
    fc.property(whole, natural, divisor, (a, b, by) => {
      outcome(divideHalfEven(BigInt(a) * BigInt(b), BigInt(by)), () => mulDivHalfEven(a, b, by))
    }),
  )
  fc.assert(
    fc.property(natural, natural, divisor, (a, b, by) => {
      const product = BigInt(a) * BigInt(b)
      outcome(product / BigInt(by) + (product % BigInt(by) === 0n ? 0n : 1n), () => mulDivUp(a, b, by))
    }),
  )
})

test.each([
  [5, 1, 10, 0],
  [15, 1, 10, 2],
  [25, 1, 10, 2],
  [-5, 1, 10, 0],
  [-15, 1, 10, -2],
  // The quotient as a double would be rounded up to a whole number.
  [LARGEST, 1, 2, 4_503_599_627_370_496],
  [LARGEST - 1, 1, 10 ** 6, 9_007_199_255],
])('%d x %d / %d half even is %d', (a, b, by, expected) => {
  expect(mulDivHalfEven(a, b, by)).toBe(expected)
})
