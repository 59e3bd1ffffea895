import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { correctIndex } from '../../../operations/index/correct-index.ts'
import { openLivePublisher } from '../../../operations/live/live-publisher.ts'
import { type MadeUp, makeUpLevels } from '../../../operations/pause/make-up.ts'
import { recordPause, recordResume } from '../../../operations/pause/record-schedule-act.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { MINUTE, randomCourse, SECOND, START } from '../live/support/random-course.ts'
import { clockedWarehouse, IDS, LEGS, publishedRows, writeDefinitions } from '../live/support/random-indexes.ts'

// One course in two warehouses: in one of them publication is paused for a while, and the publisher is restarted in the pause.
const folder = tempFolder()
const MINUTES = sized(21, 30)
const PAUSED = {
  from: START + sized(7, 9) * MINUTE + 30 * SECOND,
  to: START + sized(13, 20) * MINUTE + 30 * SECOND,
}
const BY = { actor: 'ada', reason: 'wrong prices' }
const isPaused = ({ tick_at }: Row) => toMicros(tick_at) >= PAUSED.from && toMicros(tick_at) < PAUSED.to
/** Columns that say when and by whom something was published. */
const STATED = '* exclude (calculated_at, published_at, row_ordinal)'

let undisturbed: Warehouse
let paused: Warehouse
let in_pause: { rows: number; publications: number }
/** Rows of the paused warehouse before anybody made up for the pause, and after. */
let before: { levels: Row[]; marks: Row[] }
let made_up: readonly MadeUp[]

async function marksOf(warehouse: Warehouse): Promise<Row[]> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query(`select ${STATED} from market_mark_history order by outcome_id, tick_at, revision`)
  } finally {
    await session.close()
  }
}

const countOf = async (warehouse: Warehouse) =>
  (await publishedRows(warehouse)).length + (await marksOf(warehouse)).length

beforeAll(async () => {
  const files = writeDefinitions(folder)
  const worlds = await Promise.all(
    ['undisturbed', 'paused'].map((name) => clockedWarehouse(join(folder, name), START - 5 * MINUTE)),
  )
  undisturbed = worlds[0]!.warehouse
  paused = worlds[1]!.warehouse
  for (const { warehouse } of worlds) await applyDefinitions({ files, clock: 'wall', warehouse })
  const publishers = worlds.map(({ warehouse }) => openLivePublisher(warehouse))
  const course = randomCourse(SEED, LEGS, MINUTES)
  const setClock = (at: Micros) => {
    for (const { clock } of worlds) clock.now = at
  }
  let count = 0
  let publications = 0
  let next = 0
  for (let at = START + 30 * SECOND; at <= START + (MINUTES + 5) * MINUTE; at += MINUTE) {
    for (; next < course.length && course[next]!.at < at; next += 1) {
      const { table, rows } = course[next]!
      setClock(course[next]!.at)
      const options = { app_id: 'course', app_sequence: next + 1, operation: 'TEST', stamp: { kind: 'wall' } } as const
      for (const { warehouse } of worlds) await warehouse.append(table, rows, options)
    }
    setClock(at)
    if (at === PAUSED.from) {
      await recordPause(paused, 'publish-tick', BY)
      count = await countOf(paused)
    }
    if (at === PAUSED.to) {
      in_pause = { rows: (await countOf(paused)) - count, publications }
      await recordResume(paused, 'publish-tick', BY)
    }
    if (at === PAUSED.from + sized(2, 4) * MINUTE) publishers[1] = openLivePublisher(paused)
    const told = await Promise.all(publishers.map((publisher) => publisher.publishDue()))
    if (at >= PAUSED.from && at < PAUSED.to) publications += told[1]!.levels + told[1]!.marks + told[1]!.commits
  }
  before = { levels: await publishedRows(paused), marks: await marksOf(paused) }
  for (const index_id of IDS)
    await correctIndex({ index_id, from: null, to: null, reason: 'LATE_DATA', warehouse: paused })
}, 240_000)

afterAll(async () => {
  await undisturbed.close()
  await paused.close()
})

const keyOf = (row: Row) => `${row.index_id ?? row.outcome_id} ${row.tick_at}`

describe('a pause of publication', () => {
  test('publishes nothing while it lasts, also after a restart', () => {
    expect(in_pause).toEqual({ rows: 0, publications: 0 })
  })

  test('its ticks are never made up for by the publisher, nor by a correction', async () => {
    expect((await publishedRows(undisturbed)).filter(isPaused).length).toBeGreaterThan(sized(5, 10))
    expect(before.levels.filter(isPaused)).toEqual([])
    expect(before.marks.filter(isPaused)).toEqual([])
    expect((await publishedRows(paused)).filter(isPaused)).toEqual([])
  })

  test('every other tick is as it would have been, and the first after it states everything anew', async () => {
    for (const [with_pause, without] of [
      [before.levels, await publishedRows(undisturbed)],
      [before.marks, await marksOf(undisturbed)],
    ] as const) {
      const known = new Map(with_pause.map((row) => [keyOf(row), row]))
      const expected = without.filter((row) => !isPaused(row))
      expect(expected.map((row) => known.get(keyOf(row)))).toEqual(expected)
      // Whoever reads the newest row at any later tick reads the same state, as soon as every index has had a tick.
      const first = START + (MINUTES - 5) * MINUTE
      for (let at = first; at < START + MINUTES * MINUTE; at += MINUTE)
        expect(standing(with_pause, at)).toEqual(standing(without, at))
    }
  })

  test('is made up for by command: then every tick is there as it would have been', async () => {
    made_up = await makeUpLevels({ warehouse: paused, follows: () => true, range: null, ...BY })
    expect(made_up).toHaveLength(1)
    expect(made_up[0]!.levels).toBeGreaterThan(sized(5, 10))
    const levels = new Map((await publishedRows(paused)).map((row) => [keyOf(row), row]))
    const marks = new Map((await marksOf(paused)).map((row) => [keyOf(row), row]))
    for (const row of (await publishedRows(undisturbed)).filter(isPaused)) expect(levels.get(keyOf(row))).toEqual(row)
    for (const row of (await marksOf(undisturbed)).filter(isPaused)) expect(marks.get(keyOf(row))).toEqual(row)
    await expect(makeUpLevels({ warehouse: paused, follows: () => true, range: null, ...BY })).rejects.toMatchObject({
      code: 'VALIDATION_USAGE_INVALID',
    })
  }, 120_000)

  test('is not made up for while it lasts', async () => {
    await recordPause(paused, 'publish-tick', BY)
    const refused = makeUpLevels({ warehouse: paused, follows: () => true, range: null, ...BY })
    await expect(refused).rejects.toMatchObject({ code: 'SCHEDULE_PAUSED', message: expect.stringContaining('ada') })
  })
})

/** What the newest row of each series states at an instant. */
function standing(rows: readonly Row[], at: Micros) {
  const newest = new Map<string, Row>()
  for (const row of rows) if (toMicros(row.tick_at) <= at) newest.set(String(row.index_id ?? row.outcome_id), row)
  return [...newest]
    .map(([series, { level, quality_state, mark, mark_rule, freshness_class }]) => {
      return { series, level, quality_state, mark, mark_rule, freshness_class }
    })
    .sort((a, b) => (a.series < b.series ? -1 : 1))
}
