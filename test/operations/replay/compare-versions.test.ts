import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ComparedTick, compareVersions } from '../../../operations/replay/compare-versions.ts'
import { replayIndex } from '../../../operations/replay/replay-index.ts'
import { openReportedReplay } from '../../../operations/replay/reported-replay.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { TIDE_RANGE, type TideChange, tideWarehouse } from '../../support/tide-warehouse.ts'

const folder = tempFolder()
let warehouse: Warehouse
let write: (name: string, change?: TideChange) => string

beforeAll(async () => {
  const tide = await tideWarehouse(folder)
  write = tide.write
  warehouse = await openWarehouse({ root: tide.root, create: false })
})
afterAll(async () => warehouse.close())

async function compare(target: string, against: string, range: { from: string; to: string } = TIDE_RANGE) {
  const comparison = await compareVersions({ target, against, ...range, as_of: null, warehouse })
  try {
    return { ...comparison, all: [...comparison.ticks()] }
  } finally {
    await comparison.close()
  }
}

const row = ({ tick_at, left, right, difference, basis_points }: ComparedTick) => [
  tick_at.slice(8, 10),
  left?.line.level ?? null,
  right?.line.level ?? null,
  difference,
  basis_points,
]

describe('two definitions over the same ticks', () => {
  test('another weighting: levels side by side, right minus left', async () => {
    const { all } = await compare('idx_tide', write('heavy', { weights: ['0.9', '0.1'] }))
    // 100 x (0.9 x 0.5 + 0.1 x 0.3) = 48; 0.9 x 0.6 + 0.1 x 0.4 = 0.58; stale twice; 0.9 x 0.7 + 0.1 x 0.4; 0.9 + 0.04
    expect(all.map(row)).toEqual([
      ['01', '40.0000', '48.0000', '8.0000', '2000.00'],
      ['02', '50.0000', '58.0000', '8.0000', '1600.00'],
      ['03', '50.0000', '58.0000', '8.0000', '1600.00'],
      ['04', '50.0000', '58.0000', '8.0000', '1600.00'],
      ['05', '55.0000', '67.0000', '12.0000', '2181.82'],
      ['06', '70.0000', '94.0000', '24.0000', '3428.57'],
      ['07', '70.0000', '94.0000', '24.0000', '3428.57'],
    ])
    expect(all.every(({ equal }) => !equal)).toBe(true)
  })

  test('the same definition differs nowhere', async () => {
    const { all } = await compare('idx_tide', write('same'))
    expect(all.map(({ equal, difference }) => [equal, difference])).toEqual(all.map(() => [true, '0.0000']))
    expect(all).toHaveLength(7)
  })

  test('a rule for the state alone changes states, not levels', async () => {
    const { all } = await compare('idx_tide', write('strict', { parameters: 'quality.min_confidence: "0.40"' }))
    expect(all.filter(({ difference }) => difference !== '0.0000')).toEqual([])
    expect(all.filter(({ state_changed }) => state_changed).map(({ tick_at }) => tick_at.slice(8, 10))).toEqual([
      '01',
      '02',
      '05',
    ])
  })

  test('ticks that one side alone has are there, without a difference', async () => {
    const { all } = await compare('idx_tide', write('half', { frequency: 'PT12H' }), {
      from: TIDE_RANGE.from,
      to: '2026-01-03T00:00:00Z',
    })
    expect(all.map(({ tick_at, left, difference }) => [tick_at.slice(8, 13), left !== null, difference])).toEqual([
      ['01T00', true, '0.0000'],
      ['01T12', false, null],
      ['02T00', true, '0.0000'],
      ['02T12', false, null],
    ])
  })

  test('either target that is not there is named', async () => {
    await expect(compare('idx_tide', 'idx_none')).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
    await expect(compare('idx_tide@7', 'idx_tide')).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
    await expect(compare('idx_tide', 'absent.yaml')).rejects.toMatchObject({ code: 'VALIDATION_INPUT_UNREADABLE' })
  })
})

describe('a replay for a report', () => {
  test('its lines are those of a replay', async () => {
    const request = { target: 'idx_tide', ...TIDE_RANGE, as_of: '2026-01-07T12:00:00Z', warehouse }
    const replay = await openReportedReplay(request)
    const lines = [...replay.ticks()].map(({ line }) => line)
    await replay.close()
    const plain = []
    for await (const line of replayIndex(request)) plain.push(line)
    expect(lines).toEqual(plain)
    expect(replay.subject).toMatchObject({ as_of: request.as_of, as_of_given: true, from: TIDE_RANGE.from })
  })

  test('its inputs are the published ones, string by string', async () => {
    const replay = await openReportedReplay({
      target: 'idx_tide',
      ...TIDE_RANGE,
      as_of: '2026-01-07T12:00:00Z',
      warehouse,
    })
    const session = await openReadSession(warehouse, { as_of: Date.parse('2026-01-07T12:00:00Z') * 1000 })
    const rows = await session.query(
      `select tick_at, constituent_id, target_weight, weight_applied, normalized_value, freshness_class, mark_rule, contribution
       from index_observation_input where index_id = 'idx_tide' order by tick_at, constituent_id`,
    )
    await session.close()
    const published = new Set(rows.map((published_row) => String(published_row.tick_at)))
    const inputs = [...replay.ticks()].flatMap(({ line, inputs: of }) =>
      published.has(line.tick_at) ? of().map((input) => ({ tick_at: line.tick_at, ...input })) : [],
    )
    await replay.close()
    expect(rows.length).toBeGreaterThan(10)
    expect(inputs).toEqual(rows)
  })

  test('beside it stand the published levels and every revision of what was corrected', async () => {
    const replay = await openReportedReplay({ target: 'idx_tide', ...TIDE_RANGE, as_of: null, warehouse })
    await replay.close()
    expect(
      [...replay.published.values()].map(({ tick_at, level, revision }) => [tick_at.slice(8, 10), level, revision]),
    ).toEqual([
      ['01', '40.0000', 1],
      ['02', '55.0000', 2],
      ['03', '55.0000', 2],
      ['05', '55.0000', 1],
      ['06', '70.0000', 1],
      ['07', '70.0000', 1],
    ])
    expect(
      replay.revisions.map(({ tick_at, level, correction_reason }) => [tick_at.slice(8, 10), level, correction_reason]),
    ).toEqual([
      ['02', '50.0000', null],
      ['02', '55.0000', 'LATE_DATA'],
      ['03', '50.0000', null],
      ['03', '55.0000', 'LATE_DATA'],
    ])
    expect(replay.subject.as_of_given).toBe(false)
  })
})
