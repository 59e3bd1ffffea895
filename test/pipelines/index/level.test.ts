import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contributions, type TickResult } from '../../../pipelines/index/calculate.ts'
import type { ConstituentFile } from '../../../pipelines/index/definition-schema.ts'
import { Decimal, ONE, sumDecimals } from '../../../primitives/decimal.ts'
import { d, definitionFile, HOUR, legData, MINUTE, NOW, type QuoteText, series } from '../../support/index-world.ts'

/** A basket: price in millionths or none, and age in minutes, per constituent; raw weights. */
type Basket = readonly { readonly x: number | null; readonly age: number; readonly raw: number }[]

const basket = fc.array(
  fc.record({
    x: fc.option(fc.nat(1_000_000), { freq: 6, nil: null }),
    age: fc.constantFrom(0, 1, 15, 16, 700, 1440),
    raw: fc.integer({ min: 1, max: 1000 }),
  }),
  { minLength: 1, maxLength: 8 },
)

/** Weights with 10 decimals that sum to 1: shares, the last one takes the rest. */
function weightsOf(items: Basket): string[] {
  const total = items.reduce((sum, { raw }) => sum + raw, 0)
  const shares = items.map(({ raw }) => new Decimal(raw).div(total).toDecimalPlaces(10, Decimal.ROUND_DOWN))
  const rest = ONE.minus(sumDecimals(shares))
  return shares.map((share, i) => (i === shares.length - 1 ? share.plus(rest) : share).toFixed(10))
}

function constituentsOf(items: Basket, normalization: 'probability_0_1' | 'inverse' = 'probability_0_1') {
  const weights = weightsOf(items)
  return items.map(
    (_, i): Partial<ConstituentFile> => ({ constituent_id: `con_${i}`, target_weight: weights[i]!, normalization }),
  )
}

const recordsOf = (items: Basket) =>
  Object.fromEntries(
    items.map(({ x, age }, i) => {
      const shown: QuoteText[] =
        x === null ? [] : [{ reported_probability: (x / 1e6).toFixed(6), source_at: NOW - age * MINUTE }]
      return [`con_${i}`, legData(shown)]
    }),
  )

/** The first tick of a gauge over the basket. */
function tick(items: Basket, constituents = constituentsOf(items)): TickResult {
  const [step] = series(definitionFile(constituents), recordsOf(items), { to: NOW + 1 })
  return step!.result
}

const usable = (items: Basket) => items.filter(({ x }) => x !== null)
const RUNS = { numRuns: 40 }

describe('for any basket', () => {
  test('the level lies between the lowest and the highest x', () => {
    fc.assert(
      fc.property(basket, (items) => {
        const { level } = tick(items)
        if (level === null) return
        const prices = usable(items).map(({ x }) => x! / 10_000)
        expect(
          d(level)
            .plus('0.00005')
            .gte(Math.min(...prices)) &&
            d(level)
              .minus('0.00005')
              .lte(Math.max(...prices)),
        ).toBe(true)
      }),
      RUNS,
    )
  })

  test('the order in which constituents are written does not matter', () => {
    fc.assert(
      fc.property(basket, (items) => {
        const forward = tick(items)
        const backward = tick(items, constituentsOf(items).reverse())
        const { version: _, constituents: _c, ...facts } = forward
        const { version: _v, constituents: _d, ...others } = backward
        expect(JSON.stringify(others)).toBe(JSON.stringify(facts))
        expect(contributions(backward)).toEqual(contributions(forward))
      }),
      RUNS,
    )
  })

  test('raising one x never lowers the level', () => {
    fc.assert(
      fc.property(basket, fc.nat(7), fc.nat(1_000_000), (items, which, up) => {
        const i = which % items.length
        if (items[i]!.x === null) return
        const raised = items.map((item, j) => (j === i ? { ...item, x: Math.min(1_000_000, item.x! + up) } : item))
        const [before, after] = [tick(items).level, tick(raised).level]
        if (before !== null && after !== null) expect(d(after).gte(before)).toBe(true)
      }),
      RUNS,
    )
  })

  test('inverted, a gauge shows 100 minus itself, to the last digit unless that digit is a tie', () => {
    fc.assert(
      fc.property(basket, (items) => {
        const plain = tick(items)
        const inverse = tick(items, constituentsOf(items, 'inverse'))
        expect(inverse.quality_state).toBe(plain.quality_state)
        if (plain.level === null || plain.quality_state === 'stale') return
        const exact = sumDecimals(
          plain.constituents.map(({ x, constituent }) => (x ?? d('0')).times(constituent.target_weight)),
        )
          .div(plain.used_weight)
          .times(1e6)
        fc.pre(!exact.minus(exact.floor()).eq('0.5'))
        expect(d(inverse.level!).plus(plain.level).toFixed(4)).toBe('100.0000')
      }),
      RUNS,
    )
  })

  test('a missing price is renormalized: the level is that of the others alone, not that of a zero', () => {
    fc.assert(
      fc.property(basket, (items) => {
        fc.pre(items.some(({ x }) => x === null) && usable(items).length > 0)
        const result = tick(items)
        expect(result.missing_constituent_ids).toEqual(items.flatMap(({ x }, i) => (x === null ? [`con_${i}`] : [])))
        expect(result.quality_state).not.toBe('valid')
        if (result.level === null || result.quality_state === 'stale') return
        const weights = weightsOf(items)
        const kept = items.flatMap(({ x }, i) => (x === null ? [] : [{ x: d(String(x)), w: d(weights[i]!) }]))
        const mean = sumDecimals(kept.map(({ x, w }) => x.times(w))).div(sumDecimals(kept.map(({ w }) => w)))
        expect(d(result.level).minus(mean.div(10_000)).abs().lte('0.00005')).toBe(true)
        const zeroed = tick(items.map((item) => ({ ...item, x: item.x ?? 0, age: 0 })))
        if (kept.some(({ x }) => x.gt(0))) expect(d(zeroed.level!).lte(result.level)).toBe(true)
      }),
      RUNS,
    )
  })

  test('contributions add up to the level, to the rounding of their 12 decimals', () => {
    fc.assert(
      fc.property(basket, (items) => {
        const result = tick(items)
        if (result.level === null || result.quality_state === 'stale') return
        const total = sumDecimals(contributions(result).map((share) => d(share ?? '0')))
        expect(total.minus(result.level).abs().lte('0.00005000001')).toBe(true)
      }),
      RUNS,
    )
  })

  test('coverage counts what is fresh or settled, and never exceeds what is usable', () => {
    fc.assert(
      fc.property(basket, (items) => {
        const result = tick(items)
        const weights = weightsOf(items)
        const sum = (test: (item: Basket[number]) => boolean) =>
          sumDecimals(items.flatMap((item, i) => (item.x !== null && test(item) ? [d(weights[i]!)] : [])))
        expect(result.coverage_ratio).toBe(sum(({ age }) => age <= 15).toFixed(6))
        expect(result.used_weight.eq(sum(() => true))).toBe(true)
      }),
      RUNS,
    )
  })
})

test('while no input changes the level is the same string, and no source time moves', () => {
  const items: Basket = [
    { x: 333_333, age: 0, raw: 1 },
    { x: 777_777, age: 0, raw: 3 },
  ]
  const steps = series(definitionFile(constituentsOf(items)), recordsOf(items), { to: NOW + HOUR })
  expect(steps).toHaveLength(60)
  expect(new Set(steps.slice(0, 16).map(({ result }) => result.level)).size).toBe(1)
  const sources = steps.flatMap(({ result }) =>
    result.constituents.flatMap((c) => c.used.map((u) => u.evaluation.mark!.source_at)),
  )
  expect(new Set(sources)).toEqual(new Set([NOW]))
  expect(steps.map(({ result }) => result.quality_state).slice(14, 18)).toEqual([
    'indicative',
    'indicative',
    'stale',
    'stale',
  ])
})
