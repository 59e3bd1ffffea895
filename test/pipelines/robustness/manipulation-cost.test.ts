import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costToMove } from '../../../pipelines/market/fixing.ts'
import { usableOf, weightedSums } from '../../../pipelines/robustness/level-basis.ts'
import { manipulationCost } from '../../../pipelines/robustness/manipulation-cost.ts'
import type { PushDirection } from '../../../pipelines/robustness/push-costs.ts'
import { Decimal, formatDecimal } from '../../../primitives/decimal.ts'
import { d } from '../../support/index-world.ts'
import { basisOf, depth, type PricedWorld, pricedWorlds } from './robustness-world.ts'

const ONE_LEG = new Map([['con_a', depth(['0.49x100', '0.48x200', '0.40x1000'], ['0.51x50', '0.52x100', '0.60x500'])]])

test('one constituent: whole price levels are taken until the touch is far enough', () => {
  // 2 % of 0.5 is 0.01, which the second level of each side reaches.
  const cost = manipulationCost(basisOf([['1', '0.50']]), ONE_LEG, 200)
  expect(cost.up).toEqual({
    notional_at_least: '25.500000',
    notional_sufficient: '25.500000',
    reason: null,
    touches: [{ constituent_id: 'con_a', touch: '0.520000000', notional: '25.500000' }],
  })
  expect(cost.down).toMatchObject({ notional_at_least: '51.000000', notional_sufficient: '51.000000' })
  expect([cost.notional_at_least, cost.notional_sufficient, cost.reason]).toEqual(['25.500000', '25.500000', null])
})

test('two constituents: a part of the last push bounds the cost from below, all of it from above', () => {
  const depths = new Map([
    ['con_a', depth(['0.49x100'], ['0.51x100', '0.53x1000'])],
    ['con_b', depth(['0.49x100'], ['0.51x10', '0.53x1000'])],
  ])
  const { up } = manipulationCost(
    basisOf([
      ['0.5', '0.50'],
      ['0.5', '0.50'],
    ]),
    depths,
    300,
  )
  expect([up.notional_at_least, up.notional_sufficient]).toEqual(['30.600000', '56.100000'])
  expect(up.touches.map(({ constituent_id, notional }) => [constituent_id, notional])).toEqual([
    ['con_b', '5.100000'],
    ['con_a', '51.000000'],
  ])
})

test('the cheaper of two constituents is pushed, weighted by what it counts', () => {
  const depths = new Map([
    ['con_a', depth(['0.49x100'], ['0.51x100', '0.53x1000'])],
    ['con_b', depth(['0.49x100'], ['0.51x10', '0.53x1000'])],
  ])
  const { up } = manipulationCost(
    basisOf([
      ['0.5', '0.50'],
      ['0.5', '0.50'],
    ]),
    depths,
    200,
  )
  expect(up.touches).toEqual([{ constituent_id: 'con_b', touch: '0.530000000', notional: '5.100000' }])
})

test('without a depth the cost may be less than any bound, but what is known to suffice still does', () => {
  const basis = basisOf([
    ['0.5', '0.50'],
    ['0.5', '0.50'],
  ])
  const cost = manipulationCost(basis, ONE_LEG, 200)
  expect(cost.without_depth).toEqual([{ constituent_id: 'con_b', reason: 'DEPTH_NOT_STORED' }])
  expect([cost.notional_at_least, cost.reason]).toEqual([null, 'DEPTH_NOT_STORED'])
  expect(cost.notional_sufficient).not.toBeNull()
  const none = manipulationCost(basis, new Map(), 200)
  expect([none.notional_at_least, none.notional_sufficient, none.reason]).toEqual([null, null, 'DEPTH_NOT_STORED'])
})

test('a settled constituent cannot be pushed; a move beyond all depth and a level of 0 have no cost', () => {
  const settled = manipulationCost(
    basisOf([
      ['0.9', '1', 'settled'],
      ['0.1', '0.50'],
    ]),
    new Map(),
    100,
  )
  expect(settled.without_depth.map(({ constituent_id }) => constituent_id)).toEqual(['con_b'])
  const certain = manipulationCost(basisOf([['1', '1', 'settled']]), new Map(), 100)
  expect([certain.notional_at_least, certain.reason]).toEqual([null, 'DEPTH_INSUFFICIENT'])
  expect(manipulationCost(basisOf([['1', '0']]), new Map(), 100).reason).toBe('LEVEL_ZERO')
})

test('a lower bound is rounded down and a sufficient cost up, at the seventh decimal', () => {
  const fine = new Map([['con_a', depth(['0.490000001x0.333333', '0.40x9'], ['0.510000001x0.333333', '0.60x9'])]])
  const { up, down } = manipulationCost(basisOf([['1', '0.50']]), fine, 100)
  expect([up.notional_at_least, up.notional_sufficient]).toEqual(['0.169999', '0.170000'])
  expect([down.notional_at_least, down.notional_sufficient]).toEqual(['0.169999', '0.170000'])
})

test('E22 the cost of a push is the cost to move a market', () => {
  const book = depth(['0.62x400', '0.60x300'], ['0.64x300', '0.66x500', '0.69x1000'])
  const cost = manipulationCost(basisOf([['1', '0.63']]), new Map([['con_a', book]]), 793)
  expect(cost.up.notional_sufficient).toBe('522.000000')
  expect(costToMove(book.depth!.asks, 'buy', d('0.68')).toFixed()).toBe('522')
})

const fixed = (value: Decimal) => formatDecimal(value, 6)

/** The slow way: every combination of pushes, priced by the rule of one market. */
function cheapestPush({ basis, depths }: PricedWorld, basis_points: number, direction: PushDirection): Decimal | null {
  const target = weightedSums(usableOf(basis)).weighted.times(basis_points).div(10_000)
  let partial: (readonly [gain: Decimal, cost: Decimal])[] = [[d('0'), d('0')]]
  for (const { constituent_id, w } of usableOf(basis)) {
    const { bids, asks } = depths.get(constituent_id)!.depth!
    const side = direction === 'up' ? asks : bids
    const limits = [...side.map(({ price }) => price), d(direction === 'up' ? '1' : '0')]
    const options = limits.map((limit) => {
      const cost = costToMove(side, direction === 'up' ? 'buy' : 'sell', limit)
      return [limit.minus(side[0]!.price).abs().times(w), cost] as const
    })
    partial = partial.flatMap(([gain, cost]) => options.map(([g, c]) => [gain.plus(g), cost.plus(c)] as const))
  }
  const enough = partial.filter(([gain]) => gain.gte(target)).map(([, cost]) => cost)
  return enough.length === 0 ? null : Decimal.min(...enough)
}

test('asked twice: the cheapest of all pushes lies between the two bounds, and a larger move costs no less', () => {
  fc.assert(
    fc.property(pricedWorlds(3, 3), fc.integer({ min: 1, max: 3000 }), (world, basis_points) => {
      const cost = manipulationCost(world.basis, world.depths, basis_points)
      for (const direction of ['up', 'down'] as const) {
        const { notional_at_least: low, notional_sufficient: high } = cost[direction]
        const least = cheapestPush(world, basis_points, direction)
        expect([low === null, high === null]).toEqual([least === null, least === null])
        if (least === null) continue
        expect(d(low!).lte(least) && least.lte(high!)).toBe(true)
        if (usableOf(world.basis).length === 1) expect([low, high]).toEqual([fixed(least), fixed(least)])
      }
      const more = manipulationCost(world.basis, world.depths, basis_points + 100)
      if (more.notional_at_least !== null) expect(d(more.notional_at_least).gte(cost.notional_at_least!)).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test('the pushes that suffice do suffice', () => {
  fc.assert(
    fc.property(pricedWorlds(4, 4), fc.integer({ min: 1, max: 3000 }), ({ basis, depths }, basis_points) => {
      const { up } = manipulationCost(basis, depths, basis_points)
      if (up.notional_sufficient === null) return
      const { weighted } = weightedSums(usableOf(basis))
      const gain = up.touches.reduce((sum, { constituent_id, touch }) => {
        const { w } = basis.constituents.find((c) => c.constituent_id === constituent_id)!
        return sum.plus(w.times(d(touch).minus(depths.get(constituent_id)!.depth!.asks[0]!.price)))
      }, d('0'))
      expect(gain.gte(weighted.times(basis_points).div(10_000))).toBe(true)
      const spent = up.touches.reduce((sum, { notional }) => sum.plus(notional), d('0'))
      expect(spent.minus(up.notional_sufficient).abs().lte('0.000004')).toBe(true)
    }),
    { numRuns: 80 },
  )
})
