import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overtakenInInstant } from '../../../pipelines/venues/last-of-instant.ts'
import { SEED } from '../../support/seed.ts'

test('of one chain and instant all but the last are overtaken', () => {
  const sorted = [1, 1, 1, 2, 2].map((received_at) => ({ received_at }))
  expect(overtakenInInstant(sorted, ['a', 'b', 'a', 'a', 'b'])).toEqual([true, false, false, false, false])
})

test('what is left has each chain and instant once: the last that arrived', () => {
  const record = fc.record({ received_at: fc.nat({ max: 5 }), key: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(fc.array(record), (records) => {
      const sorted = records.toSorted((a, b) => a.received_at - b.received_at)
      const overtaken = overtakenInInstant(
        sorted,
        sorted.map(({ key }) => key),
      )
      const last = new Map(sorted.map((one, place) => [`${one.received_at}${one.key}`, place]))
      const left = sorted.flatMap((_, place) => (overtaken[place] === true ? [] : [place]))
      expect(left).toEqual([...last.values()].toSorted((a, b) => a - b))
    }),
    { seed: SEED },
  )
})
