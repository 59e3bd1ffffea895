import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MEASURED_TABLES } from '../../../operations/rating/measure-markets.ts'
import { loadPast } from '../../../operations/rating/run-ratings.ts'
import { RATING_PARAMETERS } from '../../../pipelines/rating/methodology.ts'
import { stableBand } from '../../../pipelines/rating/stability.ts'
import { MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import type { Band } from '../../../vocabulary/rating.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { modelRow, publishRatings } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const FIRST = toMicros('2026-08-01T12:00:00Z')
const on = (day: number) => FIRST + day * MICROS_PER_DAY
let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  for (const [day, bands] of Object.entries(DAYS)) {
    const rows = Object.entries(bands).map(([market_id, band]) => ({
      ...modelRow(market_id, band, on(Number(day))),
      score: band === 'NR' ? null : '60.00',
    }))
    await publishRatings(warehouse, rows, on(Number(day)))
  }
})
afterAll(() => warehouse.close())

/** Model ratings of three markets, by day. */
const DAYS: Readonly<Record<number, Readonly<Record<string, Band>>>> = {
  0: { mkt_gap: 'MR4', mkt_old: 'MR4', mkt_new: 'NR' },
  1: { mkt_gap: 'NR', mkt_old: 'NR', mkt_new: 'NR' },
  31: { mkt_old: 'NR' },
}
const past = async (day: number) => {
  const session = await openReadSession(warehouse, { as_of: on(day), tables: MEASURED_TABLES, pin: false })
  try {
    return await loadPast(session, on(day))
  } finally {
    await session.close()
  }
}
const today = { band: 'MR2', score: '80.00' } as const

test('a day of NR is no way around an upgrade: the band before is the last that was not NR', async () => {
  const known = (await past(2)).get('mkt_gap')!
  expect(known).toMatchObject({ band: 'MR4', previous_band: 'NR', day_before: { band: 'NR', score: null } })
  expect(stableBand(today, known, RATING_PARAMETERS)).toBe('MR4')
  expect(stableBand(today, { ...known, day_before: today }, RATING_PARAMETERS)).toBe('MR2')
})

test('a band that is older than the window is forgotten, and what never had one takes its own at once', async () => {
  expect((await past(30)).get('mkt_old')).toMatchObject({ band: 'MR4' })
  const forgotten = (await past(31)).get('mkt_old')!
  expect(forgotten).toMatchObject({ band: null, previous_band: 'NR' })
  expect(stableBand(today, forgotten, RATING_PARAMETERS)).toBe('MR2')
  expect((await past(2)).get('mkt_new')).toMatchObject({ band: null })
})
