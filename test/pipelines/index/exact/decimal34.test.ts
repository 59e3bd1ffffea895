import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  add34,
  compare34,
  type Decimal34,
  divide34,
  multiply34,
  parse34,
  subtract34,
  toUnits,
} from '../../../../pipelines/index/exact/decimal34.ts'
import { Decimal, formatDecimal } from '../../../../primitives/decimal.ts'
import { fromScaled } from '../../../../primitives/scaled.ts'
import { decimalText } from '../../../support/decimals.ts'

/** Texts with more digits than fit, many ending in a tie. */
const text = decimalText(20, 40)
const short = decimalText(6, 10)
const pair = fc.oneof(fc.tuple(text, text), fc.tuple(text, short), fc.tuple(short, short))

/** decimal.js rounds an argument only when it computes with it, so both sides start from the same exact value. */
function same(ours: Decimal34, theirs: Decimal): void {
  expect(new Decimal(`${ours.m}e${ours.e}`).eq(theirs)).toBe(true)
}

describe('each operation is that of the one decimal configuration', () => {
  test.each([
    ['sum', add34, (a: Decimal, b: Decimal) => a.plus(b)],
    ['difference', subtract34, (a: Decimal, b: Decimal) => a.minus(b)],
    ['product', multiply34, (a: Decimal, b: Decimal) => a.times(b)],
  ] as const)('%s', (_, ours, theirs) => {
    fc.assert(
      fc.property(pair, ([a, b]) => same(ours(parse34(a), parse34(b)), theirs(new Decimal(a), new Decimal(b)))),
      { numRuns: 2000 },
    )
  })

  test('quotient', () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        fc.pre(!new Decimal(b).isZero())
        same(divide34(parse34(a), parse34(b)), new Decimal(a).div(b))
      }),
      { numRuns: 4000 },
    )
  })

  test('comparison and publication', () => {
    fc.assert(
      fc.property(pair, fc.constantFrom(0, 4, 6, 12), ([a, b], scale) => {
        expect(compare34(parse34(a), parse34(b))).toBe(new Decimal(a).cmp(b))
        expect(fromScaled(toUnits(parse34(a), scale), scale)).toBe(formatDecimal(new Decimal(a), scale))
      }),
      { numRuns: 2000 },
    )
  })
})

test.each([
  ['1', '3', '0.3333333333333333333333333333333333'],
  ['2', '3', '0.6666666666666666666666666666666667'],
  // 35 digits, the last a five: half even looks at the 34th.
  ['1.0000000000000000000000000000000005', '1', '1.000000000000000000000000000000000'],
  ['1.0000000000000000000000000000000015', '1', '1.000000000000000000000000000000002'],
  // A remainder behind the five decides against the tie.
  ['10000000000000000000000000000000000.5', '10', '1000000000000000000000000000000000'],
])('%s / %s = %s', (a, b, expected) => {
  same(divide34(parse34(a), parse34(b)), new Decimal(expected))
})
