import { expect, test } from 'vitest'
import { inputReason } from '../../pipelines/index/exact/input-reason.ts'
import type { Instant } from '../../primitives/instants.ts'
import { ReasonTally } from '../../report/reason-tally.ts'

test('a tick counts once for a reason, however many legs of the pool have it', () => {
  const tally = new ReasonTally()
  const reason = inputReason('con_a', 'excluded', 'POOL_DISPERSION', null)
  for (const hour of ['07', '07', '08']) tally.add(`2025-12-05T${hour}:00:00Z` as Instant, reason)
  expect(tally.rows().map(({ ticks }) => ticks)).toEqual([2])
})
