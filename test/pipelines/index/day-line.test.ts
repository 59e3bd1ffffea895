import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bucketLevel, DAY_INTERVAL, dayLine, dayRange } from '../../../pipelines/index/day-line.ts'
import { type CandleRow, latestPerInterval } from '../../../pipelines/market/candles.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { DAY, MINUTE, NOW } from '../../support/index-world.ts'

const TICK = NOW + 7 * MINUTE
const RANGE = dayRange(TICK)
const levelAt = (minute: number, level: string) => bucketLevel(formatMicros(NOW + minute * MINUTE), level)
const DAY_MINUTES = DAY / MINUTE

describe('the day of an index', () => {
  test('begins with the bucket that ends 24 hours before the bucket of the tick, and ends with that bucket', () => {
    expect(RANGE).toEqual({ from: NOW - DAY - 15 * MINUTE, to: NOW + 15 * MINUTE })
    expect(dayRange(NOW)).toEqual(RANGE)
    expect(dayRange(NOW - 1).to).toBe(NOW)
  })

  test('changes since the level that stood when the 24 hours began', () => {
    const line = dayLine(RANGE, [levelAt(-DAY_MINUTES - 1, '20.0000'), levelAt(0, '19.5000')], '19.5000')
    expect(line).toMatchObject({
      base_level: '20.0000',
      base_at: formatMicros(NOW - DAY - MINUTE),
      change: '-0.5000',
      interval: DAY_INTERVAL,
    })
    expect(line.levels).toHaveLength(98)
    expect([line.levels[0], line.levels[1], line.levels[97]]).toEqual(['20.0000', null, '19.5000'])
  })

  test.each([
    ['59 minutes late counts', -DAY_MINUTES + 59, '20.0000', '1.0000'],
    ['an hour late is not known', -DAY_MINUTES + 60, null, null],
  ])('a first level that is %s', (_, minute, base_level, change) => {
    expect(dayLine(RANGE, [levelAt(minute, '20.0000')], '21.0000')).toMatchObject({ base_level, change })
  })

  test('an unknown level is null and never 0', () => {
    const nothing = { base_level: null, base_at: null, change: null }
    const empty = dayLine(RANGE, [], '21.0000')
    expect(empty).toMatchObject(nothing)
    expect(new Set(empty.levels)).toEqual(new Set([null]))
    expect(dayLine(RANGE, [levelAt(-DAY_MINUTES, '20.0000')], null)).toMatchObject({
      base_level: '20.0000',
      change: null,
    })
    expect(dayLine(RANGE, [levelAt(-DAY_MINUTES - 16, '20.0000'), levelAt(15, '1.0000')], '21.0000')).toEqual(empty)
  })

  test('has the last priced level of each bucket, as sampling has it', () => {
    const level = fc.integer({ min: 1, max: 9999 }).map((n) => `${n}.0000`)
    const rows = fc.array(fc.record({ minute: fc.integer({ min: -1500, max: 20 }), level }), { maxLength: 60 })
    fc.assert(
      fc.property(rows, (drawn) => {
        const all = drawn.map((one, row_ordinal) => rowAt(one, row_ordinal))
        const samples = latestPerInterval(all, { ...RANGE, interval: DAY_INTERVAL })
        const found = samples.map((row) => bucketLevel(formatMicros(row.source_cutoff_at!), row.level))
        const { levels, start_time } = dayLine(RANGE, found.toReversed(), null)
        const shown = levels.flatMap((one, bucket) => (one === null ? [] : [[bucket, one]]))
        const wanted = found.map(({ at, level }) => [Math.floor((at - toMicros(start_time)) / (15 * MINUTE)), level])
        expect(shown).toEqual(wanted)
      }),
    )
  })
})

function rowAt({ minute, level }: { minute: number; level: string }, row_ordinal: number): CandleRow {
  const at = NOW + minute * MINUTE
  const of_market = { coverage_ratio: null, methodology_version: null }
  return {
    tick_at: at,
    source_cutoff_at: at,
    level,
    quality_state: 'valid',
    published_at: at,
    row_ordinal,
    ...of_market,
  }
}
