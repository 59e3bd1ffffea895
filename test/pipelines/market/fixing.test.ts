import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { costToMove, fixingValue, volumeWeightedAverage, weightedMedian } from '../../../pipelines/market/fixing.ts'
import { d } from '../../support/index-world.ts'

const trade = (price: string, quantity: string) => ({ price: d(price), quantity: d(quantity) })
const part = (mark: string | null, ...trades: ReturnType<typeof trade>[]) => ({
  trades,
  mark: mark === null ? null : d(mark),
})

describe('volume-weighted median', () => {
  test('exactly half: the mean with the next price; at the last price there is no next', () => {
    expect(weightedMedian([trade('0.6', '10'), trade('0.7', '10')])!.toFixed()).toBe('0.65')
    expect(weightedMedian([trade('0.6', '10')])!.toFixed()).toBe('0.6')
  })

  test('trades of one price count together, in any order and spelling', () => {
    const split = [trade('0.70', '3'), trade('0.6', '4'), trade('0.7', '3')]
    expect(weightedMedian(split)!.toFixed()).toBe('0.7')
    expect(weightedMedian([...split].reverse())!.toFixed()).toBe('0.7')
  })

  test('no trades, or trades of no size, have none', () => {
    expect(weightedMedian([])).toBeNull()
    expect(weightedMedian([trade('0.6', '0')])).toBeNull()
    expect(volumeWeightedAverage([])).toBeNull()
  })

  test('lies among the prices and one print cannot move it past the next price', () => {
    const trades = fc.array(fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 500 })), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(trades, (list) => {
        const all = list.map(([price, size]) => trade((price / 100).toFixed(2), String(size)))
        const median = weightedMedian(all)!
        const prices = list.map(([price]) => price / 100)
        expect(median.gte(Math.min(...prices)) && median.lte(Math.max(...prices))).toBe(true)
      }),
    )
  })
})

describe('fixing', () => {
  test('a partition without trades uses its mark; without both it is dropped', () => {
    const parts = [part('0.60'), part(null), part('0.90', trade('0.62', '1'))]
    expect(fixingValue(parts, { minimum: 2, trim: 0 })!.toFixed()).toBe('0.61')
    expect(fixingValue(parts, { minimum: 3, trim: 0 })).toBeNull()
  })

  test('trim drops partitions at both ends by value, not by time', () => {
    const parts = ['0.99', '0.50', '0.52', '0.01', '0.54'].map((mark) => part(mark))
    expect(fixingValue(parts, { minimum: 5, trim: 1 })!.toFixed()).toBe('0.52')
  })
})

test('moving the touch to a price leaves the orders at that price', () => {
  const asks = [trade('0.64', '300'), trade('0.68', '500')]
  expect(costToMove(asks, 'buy', d('0.68')).toFixed()).toBe('192')
  expect(costToMove([trade('0.62', '400'), trade('0.58', '9')], 'sell', d('0.58')).toFixed()).toBe('152')
})
