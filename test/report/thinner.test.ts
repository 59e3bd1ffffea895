import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal } from '../../primitives/decimal.ts'
import { compareDecimals } from '../../report/compare-decimals.ts'
import { Thinner, UNTHINNED_MAX } from '../../report/thinner.ts'

type Item = { readonly i: number; readonly level: string | null; readonly coverage: string }

function thin(items: readonly Item[]): { kept: Item[]; thinned: boolean } {
  const thinner = new Thinner<Item>([
    { of: ({ level }) => level, keep: 'both', gaps: true },
    { of: ({ coverage }) => coverage, keep: 'lowest', gaps: false },
  ])
  for (const item of items) thinner.add(item)
  const kept = thinner.items()
  return { kept, thinned: thinner.thinned }
}

const world = (length: number, change: (i: number) => Partial<Item> = () => ({})): Item[] =>
  Array.from({ length }, (_, i) => ({ i, level: `${100 + (i % 7)}.0000`, coverage: '1.000000', ...change(i) }))

describe('thinning', () => {
  test(`up to ${UNTHINNED_MAX} items nothing is left out`, () => {
    const items = world(UNTHINNED_MAX)
    expect(thin(items)).toEqual({ kept: items, thinned: false })
  })

  test('a year of minutes: few items, and a single extreme, dip or gap of one minute is among them', () => {
    const odd: Record<number, Partial<Item>> = {
      31337: { level: '9999.0000' },
      200001: { level: '0.0001' },
      300003: { level: null },
      400004: { coverage: '0.100000' },
    }
    const items = world(525_600, (i) => odd[i] ?? {})
    const { kept, thinned } = thin(items)
    expect(thinned).toBe(true)
    expect(kept.length).toBeLessThan(2_000)
    const places = kept.map(({ i }) => i)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    for (const i of [0, 31_337, 200_001, 300_003, 400_004, 525_599]) expect(places).toContain(i)
  })

  test('whatever the length, the extremes, the first, the last and a gap survive', () => {
    const level = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 1e9 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    )
    fc.assert(
      fc.property(fc.array(level, { minLength: 1, maxLength: 5_000, size: 'max' }), (levels) => {
        const items = levels.map((value, i) => ({
          i,
          level: value === null ? null : `${value}.0000`,
          coverage: '1.000000',
        }))
        const { kept } = thin(items)
        const values = levels.filter((value) => value !== null)
        const shown = new Set(kept.map((item) => item.level))
        if (values.length > 0)
          for (const value of [Math.min(...values), Math.max(...values)]) expect(shown).toContain(`${value}.0000`)
        if (levels.includes(null)) expect(shown).toContain(null)
        expect([kept[0]!.i, kept.at(-1)!.i]).toEqual([0, levels.length - 1])
      }),
      { numRuns: 60 },
    )
  })
})

test('decimal strings are ordered as decimals', () => {
  const text = fc
    .tuple(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), fc.integer({ min: 0, max: 6 }))
    .map(([units, scale]) => new Decimal(units.toString()).div(new Decimal(10).pow(scale)).toFixed(scale))
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareDecimals(a, b))).toBe(new Decimal(a).cmp(b))
    }),
  )
})
