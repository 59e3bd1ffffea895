import fc from 'fast-check'
import { expect, test } from 'vitest'
import { executableBand } from './executable-band.ts'
import { d } from './index-world.ts'

const K = d('100')

test('a constituent without a side leaves that side of the basket without a price, never at zero', () => {
  const inputs = [
    { w: d('0.5'), bid: d('0.40'), ask: d('0.44') },
    { w: d('0.5'), bid: null, ask: d('0.60') },
  ]
  expect(executableBand(inputs, K)).toEqual({ low: null, high: '52.0000' })
  expect(executableBand([], K)).toEqual({ low: null, high: null })
})

test('the band holds the level of any prices between the touches', () => {
  const leg = fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.nat(1000), fc.nat(1000), fc.nat(1000))
    .map(([w, ...three]) => {
      const [bid, x, ask] = three.sort((a, b) => a - b).map((n) => d(String(n)).div(1000))
      return { w: d(String(w)), bid: bid!, x: x!, ask: ask! }
    })
  fc.assert(
    fc.property(fc.array(leg, { minLength: 1, maxLength: 8 }), (legs) => {
      const { low, high } = executableBand(legs, K)
      const at = executableBand(
        legs.map(({ w, x }) => ({ w, bid: x, ask: x })),
        K,
      )
      expect(at.low).toBe(at.high)
      expect(d(low!).lte(at.low!) && d(at.low!).lte(high!)).toBe(true)
    }),
  )
})
