import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logOddsPool, sumToOne } from '../../../pipelines/index/normalize.ts'
import { formatDecimal, ONE, sumDecimals } from '../../../primitives/decimal.ts'
import { d, parameters } from '../../support/index-world.ts'

const P = parameters().pool
const legs = (...prices: string[]) => prices.map((p, i) => ({ key: `leg_${i}`, p: d(p), weight: d('1') }))
const pool = (prices: readonly string[], before: readonly number[] = []) =>
  logOddsPool(legs(...prices), new Set(before.map((i) => `leg_${i}`)), P)

describe('log-odds pool', () => {
  test('clips at eps, so that neither 0 nor 1 is for ever', () => {
    expect(formatDecimal(pool(['0']).x, 6)).toBe('0.005000')
    expect(formatDecimal(pool(['1']).x, 6)).toBe('0.995000')
    expect(formatDecimal(pool(['0', '1']).x, 6)).toBe('0.500000')
  })

  test('two venues: 0.10 apart is no dispersion, a digit more is; both are kept', () => {
    expect(pool(['0.50', '0.60'])).toMatchObject({ dispersed: false, excluded: new Map() })
    expect(pool(['0.50', '0.600000001'])).toMatchObject({ dispersed: true, excluded: new Map() })
  })

  test('three venues: 0.10 from the median stays, a digit more goes', () => {
    expect(pool(['0.60', '0.62', '0.72']).excluded.size).toBe(0)
    const far = pool(['0.60', '0.62', '0.720000001'])
    expect([...far.excluded.keys()]).toEqual(['leg_2'])
    expect(far.dispersed).toBe(false)
  })

  test('an excluded venue comes back only when it is nearer than 0.05', () => {
    expect([...pool(['0.60', '0.62', '0.67'], [2]).excluded.keys()]).toEqual(['leg_2'])
    expect(pool(['0.60', '0.62', '0.669999'], [2]).excluded.size).toBe(0)
    expect(pool(['0.60', '0.62', '0.67']).excluded.size).toBe(0)
  })

  test('two camps with nobody near the median: all are kept and the pool is dispersed', () => {
    const split = pool(['0.10', '0.12', '0.88', '0.90'])
    expect(split).toMatchObject({ dispersed: true, excluded: new Map() })
    expect(formatDecimal(split.x, 6)).toBe('0.500000')
  })

  const price = fc.nat(1000).map((n) => (n / 1000).toFixed(3))
  const prices = fc.array(price, { minLength: 1, maxLength: 7 })

  test('lies between the lowest and the highest clipped price that is in it', () => {
    fc.assert(
      fc.property(prices, (list) => {
        const result = pool(list)
        const inside = list
          .filter((_, i) => !result.excluded.has(`leg_${i}`))
          .map((p) => Math.min(Math.max(+p, 0.005), 0.995))
        expect(
          result.x.plus('1e-30').gte(Math.min(...inside)) && result.x.minus('1e-30').lte(Math.max(...inside)),
        ).toBe(true)
      }),
    )
  })

  test('one minus every price gives one minus the pool', () => {
    fc.assert(
      fc.property(prices, (list) => {
        const mirrored = list.map((p) => ONE.minus(p).toFixed(3))
        expect(pool(mirrored).x.plus(pool(list).x).minus(1).abs().lt('1e-30')).toBe(true)
      }),
    )
  })

  test('the order of the venues does not change six digits', () => {
    fc.assert(
      fc.property(prices, (list) => {
        expect(formatDecimal(pool([...list].reverse()).x, 9)).toBe(formatDecimal(pool(list).x, 9))
      }),
    )
  })
})

describe('sum to one', () => {
  const limit = d('0.15')

  test('an overround of 0.15 is normalized, a digit more is refused, either way', () => {
    expect(sumToOne(['0.60', '0.55'].map(d), 0, limit)!.overround.toFixed()).toBe('0.15')
    expect(sumToOne(['0.60', '0.550001'].map(d), 0, limit)).toBeNull()
    expect(sumToOne(['0.40', '0.45'].map(d), 0, limit)).not.toBeNull()
    expect(sumToOne(['0.40', '0.449999'].map(d), 0, limit)).toBeNull()
  })

  test('marks of zero give zero, all zero is refused', () => {
    expect(sumToOne(['0', '1'].map(d), 0, limit)!.x.toFixed()).toBe('0')
    expect(sumToOne(['0', '0'].map(d), 0, d('1'))).toBeNull()
  })

  test('the outcomes sum to one to the last of 34 digits', () => {
    const marks = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(marks, (list) => {
        const values = list.map((n) => d(String(n)).div(1000))
        const shares = values.map((_, own) => sumToOne(values, own, d('10'))!.x)
        expect(sumDecimals(shares).minus(1).abs().lt('1e-30')).toBe(true)
      }),
    )
  })
})
