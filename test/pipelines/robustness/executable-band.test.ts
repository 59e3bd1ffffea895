import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mirrorDepth, type PriceLevel } from '../../../pipelines/robustness/depth.ts'
import { executableBand } from '../../../pipelines/robustness/executable-band.ts'
import { usableOf, weightedSums } from '../../../pipelines/robustness/level-basis.ts'
import { missingInputBound } from '../../../pipelines/robustness/missing-input.ts'
import { Decimal, formatDecimal, roundDecimal } from '../../../primitives/decimal.ts'
import { d } from '../../support/index-world.ts'
import { basisOf, depth, type PricedWorld, pricedWorlds } from './robustness-world.ts'

test('a notional is bought and sold through the books, with the weights of the level', () => {
  const basis = basisOf([
    ['0.6', '0.50'],
    ['0.4', '0.25'],
  ])
  const depths = new Map([
    ['con_a', depth(['0.49x60', '0.45x1000'], ['0.51x30', '0.53x1000'])],
    ['con_b', depth(['0.24x1000'], ['0.26x10', '0.28x20', '0.40x1000'])],
  ])
  // S = 0.4: a notional of 40 is 100 baskets, 60 contracts of con_a and 40 of con_b.
  const { bid, ask } = executableBand(basis, depths, d('40'))
  expect(bid).toEqual({
    level: '39.0000',
    reason: null,
    legs: [
      { constituent_id: 'con_a', quantity: '60.000000', average_price: '0.490000', reason: null },
      { constituent_id: 'con_b', quantity: '40.000000', average_price: '0.240000', reason: null },
    ],
  })
  expect(ask.legs.map(({ average_price }) => average_price)).toEqual(['0.520000', '0.305000'])
  expect(ask.level).toBe('43.4000')
  expect(executableBand(basis, depths, d('0')).ask.level).toBe('41.0000')
})

test('a side without depth has no level, never a level of fewer constituents', () => {
  const basis = basisOf([
    ['0.5', '0.50'],
    ['0.5', '0.50'],
  ])
  const one_sided = new Map([
    ['con_a', depth(['0.49x10'], ['0.51x10'])],
    ['con_b', depth(['0.49x10'], [])],
  ])
  const { bid, ask } = executableBand(basis, one_sided, d('1'))
  expect([bid.level, ask.level, ask.reason]).toEqual(['49.0000', null, 'DEPTH_INSUFFICIENT'])
  const unknown = executableBand(basis, new Map([['con_a', depth(['0.49x10'], ['0.51x10'])]]), d('1'))
  expect([unknown.bid.level, unknown.bid.reason, unknown.bid.legs[1]!.average_price]).toEqual([
    null,
    'DEPTH_NOT_STORED',
    null,
  ])
  const shallow = executableBand(basis, one_sided, d('10.01'))
  expect([shallow.bid.level, shallow.bid.reason]).toEqual([null, 'DEPTH_INSUFFICIENT'])
})

test('a settled constituent is its payout on both sides; a missing one is in neither', () => {
  const basis = basisOf([
    ['0.4', '0.50'],
    ['0.4', '1', 'settled'],
    ['0.2', null],
  ])
  const { bid, ask } = executableBand(basis, new Map([['con_a', depth(['0.40x99'], ['0.60x99'])]]), d('10'))
  expect([bid.level, ask.level]).toEqual(['70.0000', '80.0000'])
  expect(bid.legs.map(({ constituent_id, quantity }) => [constituent_id, quantity])).toEqual([
    ['con_a', '6.666667'],
    ['con_b', null],
  ])
})

test('a level of 0 has no notional', () => {
  const basis = basisOf([['1', '0']])
  expect(executableBand(basis, new Map(), d('1')).bid).toEqual({ level: null, reason: 'LEVEL_ZERO', legs: [] })
})

test('the mirror of a bid is an ask at 1 - price', () => {
  const { depth: book } = depth(['0.30x5', '0.20x7'], ['0.35x9'])
  expect(mirrorDepth(book!)).toEqual(depth(['0.65x9'], ['0.70x5', '0.80x7']).depth)
  expect(mirrorDepth(mirrorDepth(book!))).toEqual(book)
})

/** The slow way: contract after contract. */
function slowAverage(side: readonly PriceLevel[], quantity: Decimal): Decimal | null {
  if (quantity.isZero()) return side[0]?.price ?? null
  let [left, spent] = [quantity, d('0')]
  for (const { price, quantity: resting } of side) {
    for (let there = resting; left.gt(0) && there.gt(0); ) {
      const lot = Decimal.min(left, there, 1)
      spent = spent.plus(price.times(lot))
      left = left.minus(lot)
      there = there.minus(lot)
    }
  }
  return left.gt(0) ? null : spent.div(quantity)
}

function slowLevel({ basis, depths }: PricedWorld, notional: Decimal, side: 'bids' | 'asks'): string | null {
  const used = usableOf(basis)
  const { weighted, weight } = weightedSums(used)
  let sum = d('0')
  for (const { constituent_id, w } of used) {
    const quantity = roundDecimal(notional.times(w).div(weighted), 6)
    const price = slowAverage(depths.get(constituent_id)!.depth![side], quantity)
    if (price === null) return null
    sum = sum.plus(w.times(roundDecimal(price, 6)))
  }
  return formatDecimal(basis.k.times(sum.div(weight)), 4)
}

test('asked twice: the band is that of a slow walk, holds the level and widens with the notional', () => {
  const notionals = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 3 })
  fc.assert(
    fc.property(pricedWorlds(4, 4), notionals, (world, unsorted) => {
      const level = missingInputBound(world.basis)!.level
      let [low, high] = [d(level), d(level)]
      for (const notional of [...unsorted].sort((a, b) => a - b)) {
        const { bid, ask } = executableBand(world.basis, world.depths, d(`${notional}`))
        expect(bid.level).toBe(slowLevel(world, d(`${notional}`), 'bids'))
        expect(ask.level).toBe(slowLevel(world, d(`${notional}`), 'asks'))
        if (bid.level !== null) expect(d(bid.level).lte(low)).toBe(true)
        if (ask.level !== null) expect(d(ask.level).gte(high)).toBe(true)
        low = d(bid.level ?? '0')
        high = d(ask.level ?? '100')
      }
    }),
    { numRuns: 60 },
  )
})
