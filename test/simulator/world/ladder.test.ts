import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ceilToGrid, floorToGrid, type Grid, PRICE_ONE, tickAt } from '../../../simulator/world/grid.ts'
import { bestAsk, bestBid, changeLevel, emptyLadder } from '../../../simulator/world/ladder.ts'

const GRIDS: readonly Grid[] = ['cent', 'deci_cent', 'tapered']

test('a level is added, grows, shrinks and goes', () => {
  const ladder = emptyLadder()
  expect(changeLevel(ladder, 'bid', 4_000, 500)).toMatchObject({ size: 500, best_bid: 4_000, best_ask: null })
  expect(changeLevel(ladder, 'bid', 4_100, 100)).toMatchObject({ size: 100, best_bid: 4_100 })
  expect(changeLevel(ladder, 'ask', 4_300, 700)).toMatchObject({ size: 700, best_ask: 4_300 })
  expect(changeLevel(ladder, 'bid', 4_000, -200)).toMatchObject({ size: 300, delta: -200 })
  expect(changeLevel(ladder, 'bid', 4_100, -100)).toMatchObject({ size: 0, best_bid: 4_000 })
  expect(ladder).toEqual({ bids: [{ price: 4_000, size: 300 }], asks: [{ price: 4_300, size: 700 }] })
})

test('a ladder that would cross, or hold less than nothing, is a bug', () => {
  const ladder = emptyLadder()
  changeLevel(ladder, 'bid', 4_000, 500)
  expect(() => changeLevel(ladder, 'ask', 4_000, 100)).toThrow('meets')
  expect(() => changeLevel(ladder, 'bid', 4_000, -501)).toThrow('leaves -1')
})

test('levels stay sorted best first, whatever the order of the changes', () => {
  const change = fc.record({ price: fc.integer({ min: 1, max: 99 }), size: fc.integer({ min: 1, max: 50 }) })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const ladder = emptyLadder()
      for (const { price, size } of changes) {
        if (price < 50) changeLevel(ladder, 'bid', price, size)
        else changeLevel(ladder, 'ask', price, size)
      }
      const prices = (levels: readonly { price: number }[]) => levels.map(({ price }) => price)
      expect(prices(ladder.bids)).toEqual([...new Set(prices(ladder.bids))].sort((a, b) => b - a))
      expect(prices(ladder.asks)).toEqual([...new Set(prices(ladder.asks))].sort((a, b) => a - b))
      expect(bestBid(ladder) ?? 0).toBeLessThan(bestAsk(ladder) ?? 100)
    }),
  )
})

test('tapered: tenths of a cent below 0.10 and from 0.90, cents between', () => {
  expect([999, 1_000, 8_999, 9_000].map((price) => tickAt('tapered', price))).toEqual([10, 100, 100, 10])
})

test('prices are put on the grid downwards and upwards, at most one tick away', () => {
  fc.assert(
    fc.property(fc.constantFrom(...GRIDS), fc.integer({ min: 0, max: PRICE_ONE }), (grid, price) => {
      const [low, high] = [floorToGrid(grid, price), ceilToGrid(grid, price)]
      expect(low).toBeLessThanOrEqual(price)
      expect(high).toBeGreaterThanOrEqual(price)
      expect(high - low === 0 || high - low === tickAt(grid, low)).toBe(true)
      expect(low % tickAt(grid, low)).toBe(0)
    }),
  )
})
