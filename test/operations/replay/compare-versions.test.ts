import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { asIfInForce } from '../../../operations/replay/as-if-in-force.ts'
import { type ComparedTick, compareVersions } from '../../../operations/replay/compare-versions.ts'
import { replayIndex } from '../../../operations/replay/replay-index.ts'
import type { ResolvedTarget } from '../../../operations/replay/replay-target.ts'
import { openReportedReplay } from '../../../operations/replay/reported-replay.ts'
import type { IndexVersion } from '../../../pipelines/index/version.ts'
import { ONE } from '../../../primitives/decimal.ts'
import { type Micros, toMicros } from '../../../primitives/instants.ts'
import { INPUT_REASONS, type InputReasonCode } from '../../../vocabulary/index-level.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { TIDE_RANGE, type TideChange, tideWarehouse, writeSecondVersion } from '../../support/tide-warehouse.ts'

const folder = tempFolder()
let warehouse: Warehouse
let write: (name: string, change?: TideChange) => string

beforeAll(async () => {
  const tide = await tideWarehouse(folder)
  write = tide.write
  warehouse = await openWarehouse({ root: tide.root, create: false })
})
afterAll(async () => warehouse.close())

async function compare(
  target: string,
  against: string,
  range: { from: string | null; to: string | null } = TIDE_RANGE,
) {
  const comparison = await compareVersions({ target, against, ...range, as_of: null, warehouse })
  try {
    return { ...comparison, all: [...comparison.ticks()], attribution: await comparison.attribution() }
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

describe('INDEX@VERSION as if in force', () => {
  const withSecond = (name: string, effective_from: string) => writeSecondVersion(folder, name, effective_from)

  beforeAll(async () => {
    await applyDefinitions({ files: [withSecond('second', '2026-01-20T00:00:00Z')], clock: 'wall', warehouse })
  })

  test('a later version over an earlier range gives what a file gives in which it begins there', async () => {
    const range = { from: '2026-01-05T00:00:00Z', to: TIDE_RANGE.to }
    const as_if = await compare('idx_tide@1', 'idx_tide@2', range)
    const by_file = await compare('idx_tide@1', withSecond('early', range.from), range)
    expect(as_if.all.map(row)).toEqual(by_file.all.map(row))
    expect(as_if.all.map(row)).toEqual([
      ['05', '55.0000', '67.0000', '12.0000', '2181.82'],
      ['06', '70.0000', '94.0000', '24.0000', '3428.57'],
      ['07', '70.0000', '94.0000', '24.0000', '3428.57'],
    ])
    const start = toMicros('2026-01-20T00:00:00Z')
    expect(as_if.in_force).toEqual({
      left: { from: toMicros(TIDE_RANGE.from), to: start },
      right: { from: start, to: null },
    })
    expect(by_file.in_force.right).toBeNull()
    const [only] = as_if.attribution!
    expect(as_if.attribution).toHaveLength(1)
    expect(only).toMatchObject({ kind: 'weights', effect: { ticks_different: 3, largest_bp: '3428.57' } })
    expect(by_file.attribution).toEqual(as_if.attribution)
  })

  test('a version of a file over an earlier range; without its name it changes no tick there, and is named', async () => {
    const [range, start] = [{ from: '2026-01-05T00:00:00Z', to: TIDE_RANGE.to }, '2026-02-20T00:00:00Z']
    const file = withSecond('draft', start)
    const as_if = await compare('idx_tide@1', `${file}@2`, range)
    expect(as_if.all.map(row)).toEqual((await compare('idx_tide@1', 'idx_tide@2', range)).all.map(row))
    expect(as_if.in_force.right).toEqual({ from: toMicros(start), to: null })
    const whole = await compare('idx_tide@1', file, range)
    expect(whole.all.every(({ equal }) => equal)).toBe(true)
    expect([as_if.later, whole.later]).toEqual([[], [{ target: file, version: '2', effective_from: start }]])
    await expect(compare('idx_tide', `${file}@9`)).rejects.toThrow(`version of ${file} is "9"; allowed: 1, 2`)
  })

  test('without a range it begins with the first version and ends with the last published tick', async () => {
    const comparison = await compareVersions({
      ...{ target: 'idx_tide@2', against: 'idx_tide@1', from: null, to: null },
      ...{ as_of: '2026-01-04T12:00:00Z', warehouse },
    }).catch((error: unknown) => error)
    expect(comparison).toMatchObject({ code: 'INDEX_NOT_FOUND' })
    expect(String(comparison)).toContain('allowed: 1, as known at 2026-01-04T12:00:00Z')
    const { all } = await compare('idx_tide@2', 'idx_tide@1', { from: null, to: null })
    expect(all.at(-1)!.tick_at).toBe('2026-01-07T00:00:00Z')
    expect(all.map(row)[0]).toEqual(['01', '48.0000', '40.0000', '-8.0000', '-1666.67'])
    expect(all).toHaveLength(7)
  })

  test('the levels that were published stand beside both, and a published index is in force all along', async () => {
    const { all, in_force, last_published_at } = await compare('idx_tide@2', 'idx_tide')
    const published = all.map(({ tick_at, published }) => [tick_at.slice(8, 10), published?.level ?? null])
    expect(published.slice(1, 5)).toEqual([
      ['02', '55.0000'],
      ['03', '55.0000'],
      ['04', null],
      ['05', '55.0000'],
    ])
    expect(in_force.right).toEqual({ from: toMicros(TIDE_RANGE.from), to: null })
    expect(last_published_at).toBe('2026-01-07T00:00:00Z')
  })

  test('the difference is split by change, over the same records', async () => {
    const mixed = write('mixed', { weights: ['0.9', '0.1'], parameters: 'quality.min_confidence: "0.40"' })
    const { attribution, records_count_alike } = await compare(write('same'), mixed)
    const facts = attribution!.map(({ kind, name, effect }) => [
      kind,
      name,
      effect!.ticks_different,
      effect!.states_different,
    ])
    expect(facts).toEqual([
      ['parameter', 'quality.min_confidence', 0, 3],
      ['weights', 'constituents', 7, 1],
    ])
    expect(records_count_alike).toBe(true)
    expect((await compare('idx_tide', withSecond('inside', '2026-01-05T12:00:00Z'))).attribution).toHaveLength(1)
    expect((await compare(withSecond('inside', '2026-01-05T12:00:00Z'), 'idx_tide')).attribution).toBeNull()
  })

  test('a range in which a side has no version is refused, with what answers', async () => {
    const later = withSecond('later', '2026-02-20T00:00:00Z')
    const text = readFileSync(later, 'utf8')
    const second = text.replace(/ {2}- version: "1"[\s\S]*(?= {2}- version: "2")/, '')
    writeFileSync(later, second)
    await expect(compare('idx_tide', later)).rejects.toThrow(
      `${later} begins at 2026-02-20T00:00:00Z, with a tick every P1D; allowed: a range with a tick of each side; tidemark governance impact`,
    )
    const early = { from: '2025-01-01T00:00:00Z', to: '2025-01-02T00:00:00Z' }
    await expect(compare('idx_tide', 'idx_tide@1', early)).rejects.toThrow(
      'range has no tick from 2025-01-01T00:00:00Z to 2025-01-02T00:00:00Z: idx_tide begins at 2026-01-01T00:00:00Z',
    )
  })

  test('a moved version loses its published link, others keep theirs, and no version begins before the base', () => {
    const version = (id: string, from: Micros, to: Micros | null) =>
      ({ index_version_id: id, effective_from: from, effective_to: to }) as unknown as IndexVersion
    const target = {
      spec: { base_date: 10, versions: [version('a', 10, 20), version('b', 20, 30), version('c', 30, null)] },
      published_links: new Map(['a', 'b', 'c'].map((id) => [id, ONE])),
      in_force: { from: 30, to: null },
    } as unknown as ResolvedTarget
    const facts = (from: Micros) => {
      const { spec, published_links } = asIfInForce(target, from)
      const versions = spec.versions.map((one) => [one.index_version_id, one.effective_from, one.effective_to])
      return { versions, links: [...published_links!.keys()] }
    }
    expect(facts(25)).toEqual({
      versions: [
        ['a', 10, 20],
        ['b', 20, 25],
        ['c', 25, null],
      ],
      links: ['a', 'b'],
    })
    expect(facts(20).versions).toEqual([
      ['a', 10, 20],
      ['c', 20, null],
    ])
    expect(facts(5).versions).toEqual([['c', 10, null]])
    expect(asIfInForce(target, 30)).toBe(target)
    expect(asIfInForce({ ...target, in_force: undefined } as never, 5).spec).toBe(target.spec)
  })
})

describe('why inputs are missing', () => {
  const reasonsOf = async (target: string) => {
    const lines = []
    for await (const line of replayIndex({ target, ...TIDE_RANGE, as_of: '2026-01-07T12:00:00Z', warehouse }))
      lines.push(line)
    return lines
  }

  test('every missing or excluded input has a reason in a code and in words, and no other input has', async () => {
    const changes = ['', 'fresh.max_carry: P1D', 'outlier.window_max_age: P10D, outlier.min_n: "1", outlier.k: "1"']
    const states: string[] = []
    for (const [at, change] of changes.entries()) {
      const file = join(folder, `reasons-${at}.yaml`)
      const text = readFileSync(write(`reasons-${at}`), 'utf8')
      writeFileSync(file, change === '' ? text : text.replace('fresh.max_carry: P30D', change))
      for (const line of await reasonsOf(file)) {
        const of = (state: string) => line.input_reasons.filter((one) => one.state === state)
        expect(of('missing').map((one) => one.constituent_id)).toEqual(line.missing_constituent_ids)
        expect(of('excluded').map((one) => [one.constituent_id, one.reason_code])).toEqual(
          line.excluded_inputs.map((one) => [one.constituent_id, one.rule]),
        )
        states.push(...line.input_reasons.map((one) => one.state))
        for (const { reason, reason_code } of line.input_reasons)
          expect(reason).toBe(INPUT_REASONS[reason_code as InputReasonCode])
      }
    }
    expect(new Set(states)).toEqual(new Set(['missing', 'excluded']))
  })

  test('a mark that is too old says when it was last known; an outcome without records says so', async () => {
    const text = readFileSync(write('gone'), 'utf8')
    const file = join(folder, 'gone.yaml')
    writeFileSync(
      file,
      text
        .replace('fresh.max_carry: P30D', 'fresh.max_carry: P1D')
        .replace('source_market_id: B', 'source_market_id: C'),
    )
    const lines = await reasonsOf(file)
    const reasons = lines.map(({ tick_at, input_reasons }) => [
      tick_at.slice(8, 10),
      ...input_reasons.map(
        ({ constituent_id, reason_code, known_at }) => `${constituent_id} ${reason_code} ${known_at}`,
      ),
    ])
    const gone = 'con_b NO_OBSERVATION null'
    const old = 'con_a CARRY_EXPIRED 2026-01-02T00:00:00Z'
    expect(reasons).toEqual([
      ['01', gone],
      ['02', gone],
      ['03', gone],
      ['04', old, gone],
      ['05', gone],
      ['06', gone],
      ['07', gone],
    ])
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
