import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runAssessments } from '../../../operations/live/run-assessments.ts'
import { waitFor } from '../../../operations/live/wait-for.ts'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { showRating } from '../../../operations/rating/read-ratings.ts'
import { moveRecord, proposeOverride } from '../../../operations/review/review.ts'
import { listSeverity } from '../../../operations/severity/read-severity.ts'
import { formatMicros, MICROS_PER_DAY } from '../../../primitives/instants.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { hazardRow } from '../../support/hazard-world.ts'
import { modelRow, person, portsOf, publishRatings } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const analyst = person('analyst', 'analyst')
const member = person('member', 'committee')
const people = [analyst, member]
let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
})
afterAll(() => warehouse.close())

test('without a Temporal server: an override that has ended is restored, and events with news are assessed, as soon as it begins', async () => {
  const day = (await warehouse.now()) - 10 * MICROS_PER_DAY
  const model = modelRow('mkt_live', 'MR2', day)
  await publishRatings(warehouse, [model], day)
  const expires_at = formatMicros(day + 5 * MICROS_PER_DAY)
  const asked = { proposed_value: 'MR4', reason_code: 'TEST', narrative: 'a test', starts_at: null, expires_at }
  const ports = (by: typeof analyst, days: number) => portsOf(warehouse, people, by, day + days * MICROS_PER_DAY)
  const override = { record_id: model.rating_id, ...asked }
  const { records } = await proposeOverride(RATING_SUBJECT, ports(analyst, 1), override)
  const record_id = String(records[0]!.rating_id)
  await moveRecord(RATING_SUBJECT, ports(member, 2), { act: 'approve', record_id, text: null })
  const stamp = { kind: 'recorded', at: day } as const
  const options = { app_id: 'alert', app_sequence: 1, stamp, operation: 'TEST' }
  await warehouse.append('hazard_alert', [hazardRow('evt_live', day)], options)

  const stop = new AbortController()
  const problems: unknown[] = []
  const running = runAssessments({ warehouse, signal: stop.signal, on_problem: (error) => problems.push(error) })
  const shown = async () => (await showRating({ market_id: 'mkt_live', as_of: null, warehouse })).history
  while ((await listSeverity({ as_of: null, assessment_type: 'observed', warehouse })).length === 0)
    await waitFor(100, stop.signal)
  stop.abort()
  await running
  expect((await shown()).map(({ band, review_state }) => `${band} ${review_state}`)).toEqual([
    'MR2 approved',
    'MR4 under_review',
    'MR4 approved',
    'MR4 superseded',
    'MR2 approved',
  ])
  expect(problems).toEqual([])
}, 120_000)

test('a warehouse that cannot be asked for a moment ends nothing: the failure is reported, and work goes on', async () => {
  const stop = new AbortController()
  const problems: unknown[] = []
  let asked = 0
  const busy = new Proxy(warehouse, {
    get: (target, name: keyof Warehouse) => {
      if (name !== 'log') return target[name]
      asked += 1
      if (asked === 1) throw new Error('busy')
      return target.log
    },
  })
  const running = runAssessments({ warehouse: busy, signal: stop.signal, on_problem: (error) => problems.push(error) })
  while (asked < 2) await waitFor(100, stop.signal)
  stop.abort()
  await running
  expect(problems).toEqual([new Error('busy')])
}, 120_000)
