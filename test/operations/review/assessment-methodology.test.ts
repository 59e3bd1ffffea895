import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runRatings } from '../../../operations/rating/run-ratings.ts'
import { publishAssessmentMethodologies } from '../../../operations/review/publish-assessment-methodologies.ts'
import { runSeverity } from '../../../operations/severity/run-severity.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { hazardRow } from '../../support/hazard-world.ts'
import { E22_MARKET, writeRatedDay } from '../../support/rating-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const DAY = toMicros('2026-06-01T00:00:00Z')
const AT = formatMicros(DAY + 60_000_000)
let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  await writeRatedDay(warehouse, [E22_MARKET], DAY)
  const stamp = { kind: 'recorded', at: DAY } as const
  const options = { app_id: 'hazard', app_sequence: 1, operation: 'TEST', stamp }
  await warehouse.append('hazard_alert', [hazardRow('evt_test', DAY)], options)
})
afterAll(() => warehouse.close())

const published = async () => {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['assessment_methodology'] })
  try {
    return await session.query('select methodology_id, published_at from assessment_methodology order by 1')
  } finally {
    await session.close()
  }
}

test('the first run of ratings and the first of severity may be of one recorded instant: both methodologies are of it', async () => {
  expect(await runRatings({ at: AT, clock: 'recorded', warehouse })).toMatchObject({ published: 1 })
  expect(await runSeverity({ at: AT, clock: 'recorded', warehouse })).toMatchObject({ published: 1 })
  const both = [
    { methodology_id: 'mth_event_severity', published_at: AT },
    { methodology_id: 'mth_market_rating', published_at: AT },
  ]
  expect(await published()).toEqual(both)
  await publishAssessmentMethodologies(warehouse, { kind: 'wall' })
  expect(await published()).toEqual(both)
})
