import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LevelRounder } from '../../../../pipelines/index/exact/level-rounder.ts'
import { newNumerator, numeratorPath } from '../../../../pipelines/index/exact/numerator.ts'
import { roundFiltered } from '../../../../pipelines/index/exact/rounding.ts'
import { printUnits, roundQuotient } from '../../../../pipelines/index/exact/units.ts'
import { formatLevel } from '../../../../pipelines/index/level.ts'
import { Decimal, sumDecimals } from '../../../../primitives/decimal.ts'
import { divideHalfEven } from '../../../../primitives/scaled.ts'

const HALF = 500_000

test('a quotient of whole numbers rounds half even, whatever its sign and size', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -1000, max: 1000 })),
      fc.oneof(fc.integer({ min: 1, max: 10_000_000_000 }), fc.integer({ min: 1, max: 8 })),
      (numerator, denominator) => {
        expect(BigInt(roundQuotient(numerator, denominator))).toBe(
          divideHalfEven(BigInt(numerator), BigInt(denominator)),
        )
      },
    ),
    {
      numRuns: 5000,
      examples: [
        [-Number.MAX_SAFE_INTEGER, 9_999_999_999],
        [-Number.MAX_SAFE_INTEGER + 2, 7_777_777_777],
        [Number.MAX_SAFE_INTEGER, 3],
        [-Number.MAX_SAFE_INTEGER, 3],
        [-1, 10_000_000_000],
      ],
    },
  )
})

describe('ties of a published level (methodology E21)', () => {
  test.each([
    ['100', '0.3892505', '38.9250'],
    ['100', '0.3892515', '38.9252'],
    ['100', '0.1000015', '10.0002'],
    ['100', '0.1000025', '10.0002'],
    ['1000', '0.38925005', '389.2500'],
    ['1000', '0.38925015', '389.2502'],
  ])('K %s, S %s: %s', (k, s, level) => {
    const denominator = 10_000_000_000
    const numerator = BigInt(new Decimal(s).times('1e16').toFixed()) - BigInt(HALF) * BigInt(denominator)
    expect(new LevelRounder(new Decimal(k)).text(Number(numerator), denominator)).toBe(level)
    expect(formatLevel(new Decimal(k), new Decimal(s))).toBe(level)
  })

  test('on a tie of K x S whose S has no end, the formula decides as the reference does', () => {
    // S = 1/3, K = 3 (n + 1/2) / 10^4: K x S is exactly half a unit, but 34 digits of 1/3 are not a third.
    for (let n = 0; n < 50; n++) {
      const k = new Decimal(3 * (2 * n + 1)).div(20_000)
      const numerator = 100_000_000_000_000n - 3n * BigInt(HALF) * 100_000_000n
      const expected = formatLevel(k, new Decimal(1).div(3))
      expect(new LevelRounder(k).text(Number(numerator), 300_000_000)).toBe(expected)
    }
  })
})

const share = fc.record({
  weights: fc.array(fc.integer({ min: 1, max: 2_000_000_000 }), { minLength: 1, maxLength: 5 }),
  marks: fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 5, maxLength: 5 }),
})
const factor = fc.oneof(
  fc.constant('100'),
  fc.bigInt({ min: 1n, max: 10n ** 16n }).map((units) => new Decimal(units.toString()).div('1e12').toFixed()),
  fc.integer({ min: 1, max: 40_000 }).map((units) => new Decimal(units).div(20_000).toFixed()),
  fc.bigInt({ min: 10n ** 30n, max: 10n ** 32n }).map((units) => new Decimal(units.toString()).div('1e12').toFixed()),
)

test('a level is the formula’s, for any link factor, weights and marks, held in any way', () => {
  fc.assert(
    fc.property(share, factor, ({ weights, marks }, k) => {
      const used = weights.reduce((sum, w) => sum + w, 0)
      const weighted = sumDecimals(weights.map((w, i) => new Decimal(w).times(marks[i]!)))
      const expected = formatLevel(new Decimal(k), weighted.div(used).div(1_000_000))
      for (const path of ['float64', 'two_limbs', 'bigint'] as const) {
        const numerator = newNumerator(path)
        weights.forEach((w, i) => {
          numerator.add(w, marks[i]!)
        })
        expect(new LevelRounder(new Decimal(k)).text(numerator.value(), used)).toBe(expected)
      }
    }),
    { numRuns: 3000 },
  )
})

describe('how a numerator is held', () => {
  test.each([
    [500_000, 'float64'],
    [900_000, 'float64'],
    [901_000, 'two_limbs'],
    [4e11, 'two_limbs'],
    [1e12, 'bigint'],
    [Number.POSITIVE_INFINITY, 'bigint'],
  ])('marks at most %d from one half: %s', (reach, path) => {
    expect(numeratorPath(reach)).toBe(path)
  })

  test('adding and removing marks far outside [0, 1] leaves what was there before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 1_000_000_000 }), fc.integer({ min: -1e9, max: 1e9 })), {
          maxLength: 8,
        }),
        (terms) => {
          const limbs = newNumerator('two_limbs')
          const exact = newNumerator('bigint')
          for (const [w, x] of terms) {
            limbs.add(w, x)
            exact.add(w, x)
          }
          expect(limbs.value()).toBe(exact.value())
          for (const [w, x] of terms) limbs.remove(w, x)
          expect(limbs.value()).toBe(0n)
        },
      ),
    )
  })
})

test('the formula is asked exactly where the estimate is too near a tie', () => {
  const asked = (estimate: number) => roundFiltered(estimate, 0.01, () => -1)
  expect([1.2, 1.489, 1.491, 1.5, 1.509, 1.511, 1.99].map(asked)).toEqual([1, 1, -1, -1, -1, 2, 2])
})

test('units print with all their fraction digits', () => {
  expect([0, 5, 389_250, -1].map((units) => printUnits(units, 4))).toEqual(['0.0000', '0.0005', '38.9250', '-0.0001'])
})
