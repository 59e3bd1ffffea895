import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitWidths } from '../../primitives/fit-widths.ts'

const RULE = { between: 3, around: 4, narrowest: 8 }
const cases = fc.tuple(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 }), fc.nat(300))
const total = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, 0) + RULE.between * (widths.length - 1) + RULE.around

test('columns fit the line, unless not even the first one does', () => {
  fc.assert(
    fc.property(cases, ([natural, available]) => {
      const widths = fitWidths(natural, available, RULE)
      if (widths.length > 1) expect(total(widths)).toBeLessThanOrEqual(available)
      expect(widths.length).toBeGreaterThan(0)
    }),
  )
})

test('no column is wider than its cells; one that shrank is as wide as the others let it be', () => {
  fc.assert(
    fc.property(cases, ([natural, available]) => {
      const widths = fitWidths(natural, available, RULE)
      const cut = widths.filter((width, at) => width < natural[at]!)
      for (const [at, width] of widths.entries()) expect(width).toBeLessThanOrEqual(natural[at]!)
      for (const width of cut) expect(width).toBeGreaterThanOrEqual(Math.max(...widths) - 1)
      if (cut.length > 0 && widths.length > 1) expect(total(widths)).toBe(available)
      if (widths.length > 1) for (const width of cut) expect(width).toBeGreaterThanOrEqual(RULE.narrowest)
    }),
  )
})

test('a column is left out only if the narrowest form of those before it and of itself does not fit', () => {
  fc.assert(
    fc.property(cases, ([natural, available]) => {
      const { length } = fitWidths(natural, available, RULE)
      if (length === natural.length) return
      expect(total(natural.slice(0, length + 1).map((width) => Math.min(width, RULE.narrowest)))).toBeGreaterThan(
        available,
      )
    }),
  )
})
