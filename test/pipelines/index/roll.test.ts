import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contractPair, daysToResolution, nearWeight, rollPrice } from '../../../pipelines/index/roll.ts'
import type { Roll } from '../../../pipelines/index/version.ts'
import { DAY, d, HOUR, NOW } from '../../support/index-world.ts'

const roll = (mode: Roll['mode'] = 'linear'): Roll => ({ target_days: d('45'), stop_days: d('3'), mode })
const contract = (days: string, p = '0.5') => ({ days: d(days), p: d(p) })
const pairOf = (...days: string[]) =>
  contractPair(
    days.map((text) => contract(text)),
    roll(),
  )?.map((c) => c.days.toFixed()) ?? null

describe('weights', () => {
  test.each([
    ['20', '80', '0.5833333333'],
    ['45', '80', '1'],
    ['3', '80', '0'],
    ['3.000001', '80', '0.4545454604'],
    ['50', '80', '1'],
    ['20', '40', '0'],
  ])('near %s days, far %s days: %s', (near, far, weight) => {
    expect(nearWeight(d(near), d(far), roll()).toFixed()).toBe(weight)
  })

  test('days count from midnight of the cutoff, so weights move once a day', () => {
    const at = NOW + 30 * DAY
    expect(daysToResolution(at, NOW).toFixed()).toBe('30')
    expect(daysToResolution(at, NOW + 23 * HOUR).toFixed()).toBe('30')
    expect(daysToResolution(at, NOW + DAY).toFixed()).toBe('29')
  })
})

describe('contracts', () => {
  test.each([
    [
      ['80', '20', '200'],
      ['20', '80'],
    ],
    [
      ['45', '80'],
      ['45', '80'],
    ],
    [['10', '20'], ['20']],
    [['50', '80'], ['50']],
    [['2', '80'], ['80']],
    [['0', '-5', '80'], ['80']],
    [['2', '1'], ['2']],
    [['0', '-5'], null],
    [[], null],
  ])('of %j: %j', (days, expected) => {
    expect(pairOf(...days)).toEqual(expected)
  })
})

describe('price', () => {
  const near = contract('20', '0.32')

  test('nested questions may not fall with time: 0.01 is tolerated, a digit more is named; linear asks nothing', () => {
    expect(rollPrice(contract('20', '0.48'), contract('80', '0.47'), roll('hazard')).violated).toBe(false)
    expect(rollPrice(contract('20', '0.480001'), contract('80', '0.47'), roll('hazard')).violated).toBe(true)
    expect(rollPrice(contract('20', '0.9'), contract('80', '0.1'), roll('linear')).violated).toBe(false)
  })

  test('hazard of a certain contract is one, unless it has no weight', () => {
    expect(rollPrice(near, contract('80', '1'), roll('hazard')).x.toFixed()).toBe('1')
    expect(rollPrice(contract('20', '1'), contract('80', '1'), roll('hazard')).x.toFixed()).toBe('1')
    expect(rollPrice(contract('2', '1'), contract('80', '0.4'), roll('hazard')).x.toFixed(6)).toBe('0.400000')
  })

  test('lies between the two prices in both modes', () => {
    const p = fc.nat(1000).map((n) => (n / 1000).toFixed(3))
    fc.assert(
      fc.property(p, p, fc.integer({ min: 4, max: 44 }), fc.integer({ min: 46, max: 300 }), (a, b, t1, t2) => {
        for (const mode of ['linear', 'hazard'] as const) {
          const { x } = rollPrice(contract(String(t1), a), contract(String(t2), b), roll(mode))
          expect(x.plus('1e-30').gte(Math.min(+a, +b)) && x.minus('1e-30').lte(Math.max(+a, +b))).toBe(true)
        }
      }),
    )
  })
})
