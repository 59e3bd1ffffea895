import { expect, test } from 'vitest'
import { byTick, isNewer, newest, withLevel } from '../../console/data/newest.ts'
import { bandsOf, pointsOfLevels } from '../../console/parts/chart-data.ts'
import { FIRST_MS, HOUR_MS, observation } from './support/fixture-data.ts'

const level = (hour: number, revision = 1) => ({
  ...observation('idx_coast', FIRST_MS + hour * HOUR_MS, '1.0000'),
  observation_id: `iob_${hour}_${revision}`,
  revision,
})
const ids = (levels: readonly { observation_id: string }[]) => levels.map(({ observation_id }) => observation_id)

test('a later tick is newer, and of one tick the later revision', () => {
  expect(isNewer(level(2), level(1))).toBe(true)
  expect(isNewer(level(1, 9), level(2))).toBe(false)
  expect([isNewer(level(2, 2), level(2)), isNewer(level(2), level(2))]).toEqual([true, false])
  expect(newest(level(3), level(2))?.observation_id).toBe('iob_3_1')
  expect(newest(null, null)).toBeNull()
})

test('a level takes its place among the others, a revision that of the one before', () => {
  const levels = [level(1), level(3)]
  expect(ids(withLevel(levels, level(4)))).toEqual(['iob_1_1', 'iob_3_1', 'iob_4_1'])
  expect(ids(withLevel(levels, level(2)))).toEqual(['iob_1_1', 'iob_2_1', 'iob_3_1'])
  expect(ids(withLevel(levels, level(1, 2)))).toEqual(['iob_1_2', 'iob_3_1'])
  expect(withLevel(levels, level(3))).toBe(levels)
})

test('levels that come in the order of their inputs are drawn in the order of their ticks', () => {
  expect(ids(byTick([level(2), level(1), level(3)]))).toEqual(['iob_1_1', 'iob_2_1', 'iob_3_1'])
})

test('a line is open where records are missing, and where a level is none', () => {
  const points = pointsOfLevels([level(1), level(2), level(3), { ...level(4), level: null }, level(9)])
  expect(points.map(({ y }) => y)).toEqual([1, 1, 1, null, null, 1])
  expect(points.map(({ x }) => (x * 1000 - FIRST_MS) / HOUR_MS)).toEqual([1, 2, 3, 4, 5, 9])
})

test('a stale index is shaded until its next level', () => {
  const stale = { ...level(2), quality_state: 'stale' as const, underlying_quality_state: 'stale' as const }
  const points = pointsOfLevels([level(0), level(1), stale, level(9), level(10)])
  const hours = bandsOf(points).map(({ from, to }) => [
    (from * 1000 - FIRST_MS) / HOUR_MS,
    (to * 1000 - FIRST_MS) / HOUR_MS,
  ])
  expect(hours).toEqual([[2, 9]])
})

test('neighbors in one state are one band, until the tick that ends it', () => {
  const bands = bandsOf(pointsOfLevels([19, 20, 21, 25, 26].map((hour) => level(hour))))
  const hours = bands.map(({ from, to, state }) => [
    (from * 1000 - FIRST_MS) / HOUR_MS,
    (to * 1000 - FIRST_MS) / HOUR_MS,
    state,
  ])
  // The fixture is degraded from hour 20 up to hour 26; of hours 22 to 24 there is no record.
  expect(hours).toEqual([
    [20, 22, 'degraded'],
    [25, 26, 'degraded'],
  ])
})
