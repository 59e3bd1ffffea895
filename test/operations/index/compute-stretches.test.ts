import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { computeIndexes } from '../../../operations/index/compute-indexes.ts'
import { loadIndex } from '../../../operations/index/load-index.ts'
import { loadLinks } from '../../../operations/index/load-published.ts'
import { officialSteps } from '../../../operations/index/official-steps.ts'
import { openSeries } from '../../../operations/index/open-series.ts'
import { planLevels } from '../../../operations/index/plan-levels.ts'
import { COURSE_TABLES } from '../../../operations/index/stored-course.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { numbers } from '../../pipelines/index/exact/support/archive-specs.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { MINUTE, randomCourse, SECOND, START } from '../live/support/random-course.ts'
import { clockedWarehouse, IDS, LEGS, publishedRows, writeDefinitions } from '../live/support/random-indexes.ts'

const folder = tempFolder()
const MINUTES = sized(20, 60)
const END = START + MINUTES * MINUTE
const MIDDLE = START + (MINUTES / 2) * MINUTE
const DAY = formatMicros(END).slice(0, 10)

/** Observations of every index from a tick on, computed from nothing over all records that are there now. */
async function fromNothing(warehouse: Warehouse, from: Micros) {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const ids: string[] = []
    for (const index_id of IDS) {
      const index = await loadIndex(session, index_id)
      const links = await loadLinks(session, index_id)
      const series = await openSeries(session, index.spec, { to: END, published_links: links })
      const plan = { from, now: END + 10 * MINUTE, known: new Map(), links, clock: 'wall' as const }
      for (const { table, row } of planLevels(index, officialSteps(series.twin()), plan).rows)
        if (table === 'index_observation') ids.push(`${row.tick_at} ${row.observation_id}`)
    }
    return ids.sort()
  } finally {
    await session.close()
  }
}

/** Merges the files of what levels are computed from. @returns days that were merged */
async function compact(warehouse: Warehouse): Promise<number> {
  const days = await Promise.all(COURSE_TABLES.map((table) => warehouse.log(table).compact({ published_date: DAY })))
  return days.flat().length
}

/** Deletes files that are not needed any more. @returns how many */
async function vacuum(warehouse: Warehouse): Promise<number> {
  const done = await Promise.all(COURSE_TABLES.map((table) => warehouse.log(table).vacuum({ retention_ms: 0 })))
  return done.reduce((sum, { deleted }) => sum + deleted.length, 0)
}

async function published(warehouse: Warehouse, from: Micros) {
  const rows = (await publishedRows(warehouse)).filter((row) => toMicros(row.tick_at) >= from)
  return rows.map((row) => `${row.tick_at} ${row.observation_id}`).sort()
}

describe.each(Array.from({ length: sized(1, 2) }, (_, i) => SEED + i))('a random hour (%i)', (seed) => {
  test('ranges computed one after the other, each from what the last one left, give the levels of one computation, late rows and a compaction between them included', async () => {
    const random = numbers(seed)
    const { warehouse, clock, root } = await clockedWarehouse(join(folder, `ranges-${seed}`), START - 5 * MINUTE)
    await applyDefinitions({ files: writeDefinitions(folder), clock: 'wall', warehouse })
    const course = randomCourse(seed, LEGS, MINUTES)
    const late = course.slice(1).filter(() => random(20) === 0)
    const append = async (commits: typeof course) => {
      for (const { table, rows } of commits) {
        const step = { app_id: JSON.stringify(rows), app_sequence: 1, operation: 'TEST' }
        await warehouse.append(table, rows, { ...step, stamp: { kind: 'wall' } })
      }
    }
    const compute = async (begin: Micros, end: Micros) => {
      for (let from = begin; from < end; ) {
        const to = Math.min(end, from + (1 + random(18)) * 50 * SECOND)
        const range = { from: formatMicros(from), to: formatMicros(to) }
        await computeIndexes({ index_ids: IDS, ...range, clock: 'wall', warehouse })
        from = to
      }
    }
    clock.now = END + 10 * MINUTE
    await append(course.filter((commit) => !late.includes(commit)))
    await compute(START, MIDDLE)
    expect(await published(warehouse, START)).toEqual(
      (await fromNothing(warehouse, START)).filter((id) => toMicros(id.split(' ')[0]) < MIDDLE),
    )

    await append(late) // about ticks that are done: what was remembered of them is not gone on from
    const compacted = await compact(warehouse)
    clock.now += MINUTE
    expect(await vacuum(warehouse)).toBeGreaterThan(compacted) // the files that were committed since are gone
    await compute(MIDDLE, END)
    expect(await published(warehouse, MIDDLE)).toEqual(await fromNothing(warehouse, MIDDLE))
    await warehouse.close()
    rmSync(root, { recursive: true })
  }, 240_000)
})
