import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal } from '../../primitives/decimal.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import { timeTicks } from '../../report/time-axis.ts'
import { fixedDomain, valueDomain, valueScale } from '../../report/value-axis.ts'

const BOX = { width: 840, height: 300, left: 58, right: 724, top: 16, bottom: 286 }
const labels = (from: string, to: string, count: number) =>
  timeTicks({ from: toMicros(from), to: toMicros(to) }, count).map(({ label, context }) =>
    context === null ? label : `${label}|${context}`,
  )

describe('instants on an axis', () => {
  test.each([
    ['2025-07-10T00:00:00Z', '2025-10-05T00:00:00Z', 8, ['15 Jul|2025', 'Aug', '15 Aug', 'Sep', '15 Sep', 'Oct']],
    ['2025-10-01T00:00:00Z', '2026-10-01T00:00:00Z', 8, ['Oct|2025', 'Jan|2026', 'Apr', 'Jul']],
    ['2026-02-26T00:00:00Z', '2026-03-03T00:00:00Z', 8, ['26 Feb|2026', '27 Feb', '28 Feb', '1 Mar', '2 Mar']],
    ['2026-01-31T22:30:00Z', '2026-02-01T01:00:00Z', 4, ['23:00|31 Jan 2026', '00:00|1 Feb 2026']],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:20Z', 8, ['00:00|1 Jan 2026', '00:00:05', '00:00:10', '00:00:15']],
    [
      '2025-12-01T00:00:00Z',
      '2026-01-19T00:00:00Z',
      8,
      ['1 Dec|2025', '8 Dec', '15 Dec', '22 Dec', '29 Dec', '5 Jan|2026', '12 Jan'],
    ],
  ])('%s to %s', (from, to, count, expected) => {
    expect(labels(from, to, count)).toEqual(expected)
  })

  test('ascending, inside the domain, no more than asked for, whole seconds', () => {
    const instant = fc.integer({ min: toMicros('1990-01-01T00:00:00Z'), max: toMicros('2090-01-01T00:00:00Z') })
    const span = fc
      .integer({ min: 1, max: 40 })
      .chain((power) => fc.integer({ min: 2_000_000, max: 2_000_000 * 2 ** power }))
    fc.assert(
      fc.property(instant, span, fc.integer({ min: 2, max: 12 }), (from, length, count) => {
        const to = Math.min(from + length, toMicros('2190-01-01T00:00:00Z'))
        const instants = timeTicks({ from, to }, count).map(({ at }) => at)
        expect(instants.length).toBeLessThanOrEqual(count)
        expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b))
        for (const at of instants) {
          expect(at >= from && at < to).toBe(true)
          expect(formatMicros(at)).toMatch(/:\d\dZ$/)
        }
      }),
    )
  })
})

describe('values on an axis', () => {
  test.each([
    [['688.4104', '1526.7346'], 6, ['600', '800', '1000', '1200', '1400', '1600']],
    [['0.0012', '0.0031'], 4, ['0.0010', '0.0015', '0.0020', '0.0025', '0.0030', '0.0035']],
    [['-12.5', '57.7259'], 4, ['-20', '0', '20', '40', '60']],
  ])('%j with about %i labels', (values, count, expected) => {
    expect(valueDomain(values, { count }).ticks).toEqual(expected)
  })

  test('no difference at all has labels with the digits of a level, and no more', () => {
    expect(valueDomain(['0.0000', '0.0000'], { count: 4, zero: true }).ticks).toEqual(['-0.0001', '0.0000', '0.0001'])
  })

  test('equal values and one value have room above and below', () => {
    for (const value of ['5.0000', '0.0000', '1000.0000']) {
      const { low, high } = valueDomain([value, value], { count: 5 })
      expect([low.lt(value), high.gt(value)]).toEqual([true, true])
    }
  })

  test('an axis of areas has zero in it', () => {
    expect(valueDomain(['900.0000', '1000.0000'], { count: 5, zero: true }).ticks[0]).toBe('0')
  })

  test('every value lies in the domain, every label is a whole number of steps, few labels', () => {
    const value = fc
      .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.integer({ min: 0, max: 8 }))
      .map(([units, scale]) => new Decimal(units.toString()).div(new Decimal(10).pow(scale)).toFixed(scale))
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), fc.integer({ min: 2, max: 8 }), (values, count) => {
        const domain = valueDomain(values, { count })
        for (const one of values) expect(domain.low.lte(one) && domain.high.gte(one)).toBe(true)
        const steps = domain.ticks.slice(1).map((tick, i) => new Decimal(tick).minus(domain.ticks[i]!).toFixed())
        expect(new Set(steps).size).toBeLessThanOrEqual(1)
        expect(domain.ticks.length).toBeLessThanOrEqual(count + 3)
        expect(domain.ticks.at(-1)).toBe(
          new Decimal(domain.high).toFixed(domain.ticks.at(-1)!.split('.')[1]?.length ?? 0),
        )
      }),
    )
  })

  test('the highest value is at the top of the box, the lowest at the bottom', () => {
    const y = valueScale(fixedDomain('0', '1', '0.25'), BOX)
    expect([y('1.000000'), y('0.000000'), y('0.5')]).toEqual([16, 286, 151])
  })
})
