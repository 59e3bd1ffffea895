import { expect, test } from 'vitest'
import { inputReason } from '../../pipelines/index/exact/input-reason.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import type { Instant } from '../../primitives/instants.ts'
import { legsText, ReasonTally } from '../../report/reason-tally.ts'

const leg = (venue_id: string) => ({ venue_id, source_market_id: 'm', outcome: 'YES' }) as Leg
const excluded = (venue: string) =>
  inputReason('con_a', 'excluded', 'POOL_DISPERSION', null, [
    { leg: leg(venue), code: 'POOL_DISPERSION', known_at: null },
  ])

test('a tick counts once for a reason of a leg, and each leg of the pool has its row', () => {
  const tally = new ReasonTally()
  for (const hour of ['07', '07', '08']) tally.add(`2025-12-05T${hour}:00:00Z` as Instant, excluded('one'))
  tally.add('2025-12-05T08:00:00Z' as Instant, excluded('two'))
  expect(tally.rows().map((row) => [legsText(row), row.ticks])).toEqual([
    ['one/m/YES', 2],
    ['two/m/YES', 1],
  ])
})
