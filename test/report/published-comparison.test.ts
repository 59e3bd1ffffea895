import { expect, test } from 'vitest'
import type { PublishedLevel } from '../../operations/replay/published-levels.ts'
import type { ReplayLine } from '../../operations/replay/replay-index.ts'
import { PublishedComparator } from '../../report/published-comparison.ts'

const DAYS = ['01', '02', '03', '04', '05', '06'].map((day) => `2026-01-${day}T00:00:00Z`)

function published(day: number, level: string | null, change: Partial<PublishedLevel> = {}): PublishedLevel {
  const state = level === null ? 'suspended' : 'valid'
  const tick_at = DAYS[day - 1]!
  return {
    observation_id: `iob_${day}`,
    tick_at,
    revision: 1,
    level,
    quality_state: state,
    underlying_quality_state: state,
    correction_reason: null,
    published_at: tick_at,
    ...change,
  }
}

function line(day: number, level: string | null, quality_state = 'valid'): ReplayLine {
  const tick_at = DAYS[day - 1]!
  return {
    ...{ tick_at, source_cutoff_at: tick_at, level, quality_state, coverage_ratio: '1.000000', confidence: '0.5000' },
    ...{ missing_constituent_ids: [], excluded_inputs: [], input_observation_ids: [], index_version: '1' },
    input_reasons: [],
  }
}

const second = { revision: 2, quality_state: 'corrected', correction_reason: 'LATE_DATA' }

test('a published tick is equal, corrected since, different or not replayed', () => {
  const current = [
    published(1, '100.0000'),
    published(2, '101.0000', second),
    published(3, '102.0000'),
    published(4, '103.0000', { quality_state: 'degraded', underlying_quality_state: 'degraded' }),
    published(5, '104.0000', second),
    published(6, null),
  ]
  const revisions = [published(2, '99.0000'), current[1]!, published(5, '1.0000'), current[4]!]
  const comparator = new PublishedComparator(new Map(current.map((level) => [level.tick_at, level])), revisions)
  const others = [
    line(1, '100.0000'),
    line(2, '99.0000'),
    line(4, '103.0000'),
    line(5, '104.0000'),
    line(6, '1.0000'),
  ].map((one) => comparator.add(one)?.level ?? null)
  // What a picture marks: another level, not another state alone; a level that is null marks nothing.
  expect(others).toEqual([null, '101.0000', null, null, null])
  const { counts, rows } = comparator.result()
  expect(counts).toEqual({ equal: 2, corrected: 1, differs: 2, not_replayed: 1 })
  expect(
    rows.map(({ tick_at, verdict, equal_revision, basis_points }) => [
      tick_at.slice(8, 10),
      verdict,
      equal_revision,
      basis_points,
    ]),
  ).toEqual([
    ['02', 'corrected', 1, '198.02'],
    ['04', 'differs', null, '0.00'],
    ['06', 'differs', null, null],
    ['03', 'not_replayed', null, null],
  ])
})

test('a replayed tick that is not published is no difference', () => {
  const comparator = new PublishedComparator(new Map(), [])
  expect(comparator.add(line(1, '100.0000'))).toBe(null)
  expect(comparator.result()).toMatchObject({ published: 0, rows: [] })
})
