import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { computeIndexes } from '../../../operations/index/compute-indexes.ts'
import { openLivePublisher } from '../../../operations/live/live-publisher.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { numbers } from '../../pipelines/index/exact/support/archive-specs.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { MINUTE, randomCourse, SECOND, START } from './support/random-course.ts'
import { clockedWarehouse, IDS, LEGS, publishedRows, writeDefinitions } from './support/random-indexes.ts'

const folder = tempFolder()
const MINUTES = 40
const paths = writeDefinitions(folder)

describe.each(Array.from({ length: sized(1, 2) }, (_, i) => SEED + i))('a random course of 40 minutes (%i)', (seed) => {
  test('published as the clock goes on, with restarts and outages, it is what one computation gives, to every field', async () => {
    const random = numbers(seed)
    const course = randomCourse(seed, LEGS, MINUTES)
    const live = await clockedWarehouse(join(folder, `live-${seed}`), START - 5 * MINUTE)
    const other = await clockedWarehouse(join(folder, `other-${seed}`), START + 10 * MINUTES * MINUTE)
    await applyDefinitions({ files: paths, clock: 'wall', warehouse: live.warehouse })
    await applyDefinitions({ files: paths, clock: 'recorded', warehouse: other.warehouse })
    let publisher = openLivePublisher(live.warehouse)
    let next = START
    for (const { at, table, rows } of course) {
      for (; next < at; next += (5 + random(random(8) === 0 ? 600 : 70)) * SECOND) {
        live.clock.now = next
        if (random(12) === 0) publisher = openLivePublisher(live.warehouse)
        await publisher.publishDue()
      }
      live.clock.now = at
      const step = {
        app_id: 'course',
        app_sequence: course.findIndex((commit) => commit.rows === rows) + 1,
        operation: 'TEST',
      }
      const done = await live.warehouse.append(table, rows, { ...step, stamp: { kind: 'wall' } })
      await other.warehouse.append(table, rows, {
        ...step,
        stamp: { kind: 'recorded', at: toMicros(done.published_at) },
      })
    }
    live.clock.now = START + (MINUTES + 10) * MINUTE
    await publisher.publishDue()
    const range = { from: formatMicros(START), to: formatMicros(live.clock.now - 5 * SECOND + 1) } as const
    await computeIndexes({ index_ids: IDS, ...range, clock: 'recorded', warehouse: other.warehouse })
    const published = await publishedRows(live.warehouse)
    const expected = (await publishedRows(other.warehouse)).filter(
      (row) => row.index_id !== 'idx_three' || toMicros(row.tick_at) + 3 * MINUTE <= live.clock.now,
    )
    expect(published.length).toBeGreaterThan(60)
    expect(published.map(({ index_id, tick_at }) => `${index_id} ${tick_at}`)).toEqual(
      expected.map(({ index_id, tick_at }) => `${index_id} ${tick_at}`),
    )
    const differs = published.findIndex((row, i) => JSON.stringify(row) !== JSON.stringify(expected[i]))
    expect(published[differs]).toEqual(expected[differs])
    expect(await publisher.publishDue()).toMatchObject({ levels: 0, marks: 0, commits: 0 })
    await live.warehouse.close()
    await other.warehouse.close()
    rmSync(live.root, { recursive: true })
    rmSync(other.root, { recursive: true })
  }, 240_000)
})
