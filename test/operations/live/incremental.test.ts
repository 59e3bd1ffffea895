import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { computeIndexes } from '../../../operations/index/compute-indexes.ts'
import { openLivePublisher } from '../../../operations/live/live-publisher.ts'
import { compareVersions } from '../../../operations/replay/compare-versions.ts'
import { type ReplayLine, replayIndex } from '../../../operations/replay/replay-index.ts'
import { openReportedReplay } from '../../../operations/replay/reported-replay.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../../primitives/instants.ts'
import { differingTicks, PublishedComparator } from '../../../report/published-comparison.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { numbers } from '../../pipelines/index/exact/support/archive-specs.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type CourseCommit, MINUTE, randomCourse, SECOND, START } from './support/random-course.ts'
import { clockedWarehouse, IDS, LEGS, publishedRows, writeDefinitions } from './support/random-indexes.ts'

const folder = tempFolder()
const MINUTES = sized(20, 32)
const paths = writeDefinitions(folder)

/** The course of a feed that commits late: each commit with the delay that `lag` gives it, in order of publication. */
function lagging(course: readonly CourseCommit[], lag: (at: Micros) => Micros): readonly CourseCommit[] {
  return course.map((commit) => ({ ...commit, at: commit.at + lag(commit.at) })).sort((a, b) => a.at - b.at)
}

describe.each(Array.from({ length: sized(1, 2) }, (_, i) => SEED + i))(
  `a random course of ${MINUTES} minutes (%i)`,
  (seed) => {
    test('levels published live, with restarts, outages and late commits, equal those of any later computation', async () => {
      const random = numbers(seed)
      const course = lagging(randomCourse(seed, LEGS, MINUTES), () => random(2) * 20 * SECOND)
      const live = await clockedWarehouse(join(folder, `live-${seed}`), START - 5 * MINUTE)
      const copy = await clockedWarehouse(join(folder, `copy-${seed}`), START - 5 * MINUTE)
      const other = await clockedWarehouse(join(folder, `other-${seed}`), START + 10 * MINUTES * MINUTE)
      for (const { warehouse } of [live, copy]) await applyDefinitions({ files: paths, clock: 'wall', warehouse })
      await applyDefinitions({ files: paths, clock: 'recorded', warehouse: other.warehouse })
      let publisher = openLivePublisher(live.warehouse)
      let next = START
      for (const [i, { at, table, rows }] of course.entries()) {
        for (; next < at; next += (5 + random(random(8) === 0 ? 600 : 70)) * SECOND) {
          live.clock.now = next
          if (random(12) === 0) publisher = openLivePublisher(live.warehouse)
          await publisher.publishDue()
        }
        live.clock.now = at
        copy.clock.now = at
        const step = { app_id: 'course', app_sequence: i + 1, operation: 'TEST' }
        const done = await live.warehouse.append(table, rows, { ...step, stamp: { kind: 'wall' } })
        await copy.warehouse.append(table, rows, { ...step, stamp: { kind: 'wall' } })
        await other.warehouse.append(table, rows, {
          ...step,
          stamp: { kind: 'recorded', at: toMicros(done.published_at) },
        })
      }
      live.clock.now = START + (MINUTES + 10) * MINUTE
      copy.clock.now = live.clock.now
      await publisher.publishDue()
      const range = { from: formatMicros(START), to: formatMicros(live.clock.now - 5 * SECOND + 1) } as const
      await computeIndexes({ index_ids: IDS, ...range, clock: 'recorded', warehouse: other.warehouse })
      await computeIndexes({ index_ids: IDS, ...range, clock: 'wall', warehouse: copy.warehouse })
      const published = await publishedRows(live.warehouse)
      const expected = (await publishedRows(other.warehouse)).filter(
        (row) => row.index_id !== 'idx_three' || toMicros(row.tick_at) + 3 * MINUTE <= live.clock.now,
      )
      expect(published.length).toBeGreaterThan(sized(35, 60))
      expectSameRows(published, expected)
      expectSameRows(published, await publishedRows(copy.warehouse))
      for (const [i, target] of IDS.entries())
        await expectReplayed(live.warehouse, { target, against: paths[i]!, ...range, published })
      expect(await publisher.publishDue()).toMatchObject({ levels: 0, marks: 0, commits: 0 })
      for (const { warehouse, root } of [live, copy, other]) {
        await warehouse.close()
        rmSync(root, { recursive: true })
      }
    }, 240_000)
  },
)

function expectSameRows(published: readonly Row[], expected: readonly Row[]): void {
  const names = (rows: readonly Row[]) => rows.map(({ index_id, tick_at }) => `${index_id} ${tick_at}`)
  expect(names(published)).toEqual(names(expected))
  const differs = published.findIndex((row, i) => JSON.stringify(row) !== JSON.stringify(expected[i]))
  expect(published[differs]).toEqual(expected[differs])
}

type Replayed = {
  readonly target: string
  readonly against: string
  readonly from: Instant
  readonly to: Instant
  readonly published: readonly Row[]
}

/** A replay of an index has its published levels, and a comparison with its own definition shows no difference. */
async function expectReplayed(warehouse: Warehouse, { target, against, from, to, published }: Replayed): Promise<void> {
  const lines = new Map<Instant, ReplayLine>()
  const asked = { target, from, to, as_of: null, warehouse }
  for await (const line of replayIndex(asked)) lines.set(line.tick_at, line)
  const fields = ['level', 'quality_state', 'source_cutoff_at', 'coverage_ratio', 'input_observation_ids'] as const
  for (const row of published.filter(({ index_id }) => index_id === target)) {
    const line = lines.get(String(row.tick_at))
    expect(fields.map((field) => [row.tick_at, field, line?.[field] ?? null])).toEqual(
      fields.map((field) => [row.tick_at, field, row[field] ?? null]),
    )
  }
  const comparison = await compareVersions({ ...asked, against })
  const ticks = [...comparison.ticks()]
  await comparison.close()
  expect(ticks.length).toBe(lines.size)
  expect(ticks.filter(({ equal }) => !equal)).toEqual([])
}

test('a replay names the records that were published long after their receipt, which live levels do not have', async () => {
  const { warehouse, clock, root } = await clockedWarehouse(join(folder, 'outage'), START - 5 * MINUTE)
  await applyDefinitions({ files: paths, clock: 'wall', warehouse })
  const publisher = openLivePublisher(warehouse)
  // Nothing is committed for five minutes.
  const outage = { from: START + 6 * MINUTE, to: START + 11 * MINUTE }
  const stalled = (at: Micros) => (at >= outage.from && at < outage.to ? outage.to - at : 0)
  let next = START
  for (const [i, { at, table, rows }] of lagging(randomCourse(SEED, LEGS, 16), stalled).entries()) {
    for (; next < at; next += MINUTE) {
      clock.now = next + 6 * SECOND
      await publisher.publishDue()
    }
    clock.now = at
    await warehouse.append(table, rows, {
      app_id: 'course',
      app_sequence: i + 1,
      operation: 'TEST',
      stamp: { kind: 'wall' },
    })
  }
  const range = { from: formatMicros(START), to: formatMicros(START + 15 * MINUTE) }
  const replay = await openReportedReplay({ target: 'idx_one', ...range, as_of: null, warehouse })
  const comparator = new PublishedComparator(replay.published, replay.revisions)
  for (const { line } of replay.ticks()) comparator.add(line)
  const ticks = differingTicks(comparator.result())
  const late = await replay.latePublications(ticks)
  await replay.close()
  expect(ticks.length).toBeGreaterThan(2)
  for (const tick of ticks.filter((tick_at) => toMicros(tick_at) < outage.to)) {
    const { received_at, published_at, constituent_ids } = late.get(tick)!
    expect(toMicros(received_at)).toBeLessThanOrEqual(toMicros(tick) + 5 * SECOND)
    expect(toMicros(published_at)).toBeGreaterThan(toMicros(tick) + 5 * SECOND)
    expect(constituent_ids).toHaveLength(1)
  }
  await warehouse.close()
  rmSync(root, { recursive: true })
}, 120_000)
