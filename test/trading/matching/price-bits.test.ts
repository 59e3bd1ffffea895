import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NONE, PriceBits } from '../../../trading/matching/price-bits.ts'

const PRICES = 3_000

test('the next place with orders is found on both sides, however far away it is', () => {
  const place = fc.oneof(fc.integer({ min: 0, max: PRICES - 1 }), fc.constantFrom(0, 31, 32, 1_023, 1_024, PRICES - 1))
  fc.assert(
    fc.property(fc.array(fc.record({ place, adds: fc.boolean() }), { maxLength: 60 }), place, (steps, from) => {
      const bits = new PriceBits(PRICES)
      const known = new Set<number>()
      for (const { place: at, adds } of steps) {
        bits[adds ? 'add' : 'remove'](at)
        known[adds ? 'add' : 'delete'](at)
      }
      const places = [...known]
      const above = places.filter((at) => at > from)
      expect(bits.above(from)).toBe(above.length === 0 ? NONE : Math.min(...above))
      expect(bits.below(from)).toBe(Math.max(...places.filter((at) => at < from), NONE))
    }),
  )
})
