import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withFinalInstants } from '../../../pipelines/market/final-instants.ts'
import type { Finality } from '../../../vocabulary/market.ts'

type Point = { source_at: number; received_at: number; revision: number; finality: Finality }
const chain = (...finalities: Finality[]): Point[] =>
  finalities.map((finality, i) => ({ source_at: 10, received_at: 100 * (i + 1), revision: i + 1, finality }))
const instants = (points: readonly Point[]) => withFinalInstants(points).map(({ final_at }) => final_at)

test('a proposal is final when the final record arrives, not at the instant it is about', () => {
  expect(instants(chain('proposed', 'final'))).toEqual([null, 200])
})

test('a corrected payout keeps the instant at which the market became final', () => {
  expect(instants(chain('proposed', 'final', 'final', 'final'))).toEqual([null, 200, 200, 200])
})

test('a withdrawal or a dispute ends the run, and the next final record begins another', () => {
  expect(instants(chain('final', 'withdrawn', 'final'))).toEqual([100, null, 300])
  expect(instants(chain('final', 'disputed', 'final', 'final'))).toEqual([100, null, 300, 300])
})

test('chains about other instants do not touch each other, and the order of the list does not matter', () => {
  const other = { source_at: 20, received_at: 150, revision: 1, finality: 'final' as const }
  const points = [...chain('final', 'final'), other]
  expect(instants(points)).toEqual([100, 100, 150])
  expect(instants([...points].reverse())).toEqual([150, 100, 100])
})

test('no instant is later than the receipt of its record, and what comes later changes none', () => {
  const finality = fc.constantFrom<Finality>('proposed', 'disputed', 'final', 'withdrawn')
  fc.assert(
    fc.property(fc.array(finality, { maxLength: 8 }), fc.array(finality, { maxLength: 3 }), (known, later) => {
      const before = instants(chain(...known))
      expect(instants(chain(...known, ...later)).slice(0, known.length)).toEqual(before)
      expect(before.every((at, i) => at === null || at <= 100 * (i + 1))).toBe(true)
    }),
  )
})
