import '../../support/fast-check.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { REPORT_BYTES_MAX } from '../../../pipelines/governance/attest.ts'
import { LevelComparison } from '../../../pipelines/governance/impact/compare-levels.ts'
import { weighted } from '../../../pipelines/governance/impact/composition-change.ts'
import { Distribution } from '../../../pipelines/governance/impact/distribution.ts'
import { columnsIn } from '../../../pipelines/governance/impact/level-columns.ts'
import { followedBy, ruledBy } from '../../../pipelines/governance/impact/side-specs.ts'
import { singleChanges } from '../../../pipelines/governance/impact/single-changes.ts'
import { basisPoints } from '../../../pipelines/index/correction.ts'
import { levelDifference } from '../../../pipelines/index/level-difference.ts'
import { PARAMETER_SHEET, type ParameterName } from '../../../pipelines/index/parameters.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { Decimal, formatDecimal, sumDecimals } from '../../../primitives/decimal.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import {
  IMPACT_WINDOW,
  impactInput,
  impactOf,
  linkableImpact,
  type Markets,
  randomMarket,
  tickOf,
  type VersionParts,
  versionOf,
} from '../../support/impact-world.ts'
import { DAY, HOUR, legData, resolution } from '../../support/index-world.ts'
import { sized } from '../../support/sized.ts'

const THREE = { a: '0.5', b: '0.3', c: '0.2' }
const PARAMETERS = { mode: 'gauge', 'fresh.stale_after': 'PT3H', 'restate.bp': '10' }
const BASE: VersionParts = { weights: THREE, parameters: PARAMETERS }

const marketsOf = (seed: number): Markets =>
  Object.fromEntries(['a', 'b', 'c', 'd'].map((name, i) => [name, randomMarket(seed * 10 + i)]))

/** Random changes: weights, constituents, readings, parameters, mode and frequency. */
const change = fc.record({
  weights: fc.constantFrom<VersionParts['weights']>(
    THREE,
    { a: '0.4', b: '0.3', c: '0.3' },
    { a: '0.5', b: '0.3', d: '0.2' },
    { a: '0.4', b: '0.2', c: '0.2', d: '0.2' },
    { b: '0.6', c_inverse: '0.4' },
  ),
  parameters: fc.constantFrom<Record<string, string>>(
    {},
    { 'fresh.max_carry': 'PT6H' },
    { 'quality.min_confidence': '0.95' },
    { 'mark.s_tight': '0.005', 'outlier.enabled': 'false' },
  ),
  mode: fc.constantFrom('gauge', 'chain_linked'),
  frequency: fc.constantFrom('PT1H', 'PT1H', 'PT2H'),
})

const partsOf = ({
  weights,
  parameters,
  mode,
  frequency,
}: typeof change extends fc.Arbitrary<infer T> ? T : never) => ({
  before: { weights: THREE, parameters: { ...PARAMETERS, mode } },
  after: {
    weights,
    parameters: { ...PARAMETERS, ...parameters, mode },
    rest: { calculation_frequency: frequency },
  },
})

const PARAMETER_NAMES = Object.keys(PARAMETER_SHEET) as ParameterName[]
const RUNS = { numRuns: sized(7, 30) }
/** The decimal reference is slow. */
const FEW_RUNS = { numRuns: sized(3, 12) }

describe('impact of a change', () => {
  test('a change of nothing has a digest, no difference, and the class text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.constantFrom('gauge', 'chain_linked'), (seed, mode) => {
        const parts = { weights: THREE, parameters: { ...PARAMETERS, mode } }
        const { impact } = impactOf(impactInput(parts, parts, marketsOf(seed)))
        const { ticks, basis_points, state_moves, before, after, largest } = impact.levels
        expect(impact.change_class).toBe('text')
        expect(ticks).toMatchObject({ compared: 96, equal: 96, different_level: 0, different_state: 0 })
        expect(new Set(Object.values(basis_points!))).toEqual(new Set(['0.00']))
        expect([state_moves, largest, impact.changes]).toEqual([[], null, []])
        expect(after).toEqual(before)
        expect(impact.composition).toMatchObject({ turnover: '0.0000000000', constituents: [] })
      }),
      RUNS,
    )
  })

  test('both engines, in bulk or tick by tick, give the same bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), change, (seed, of) => {
        const { before, after } = partsOf(of)
        const [exact, reference] = (['exact', 'reference'] as const).map((engine) =>
          linkableImpact(impactInput(before, after, marketsOf(seed), engine)),
        )
        expect(canonicalJson(exact!)).toBe(canonicalJson(reference!))
      }),
      FEW_RUNS,
    )
  })

  test('ranges replayed one by one give the bytes of one long range', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        change,
        fc.uniqueArray(fc.integer({ min: 1, max: 95 }), { maxLength: 4 }),
        (seed, of, cuts) => {
          const { before, after } = partsOf(of)
          const { base, next, index, replay } = impactInput(before, after, marketsOf(seed))
          const left = ruledBy(index, base!, IMPACT_WINDOW.from - DAY)
          const whole = linkableImpact(impactInput(before, after, marketsOf(seed)))?.impact
          if (whole === undefined) return
          const sides = [left, followedBy(left, next, toMicros(whole.linked_at))]
          const compared = (bounds: readonly number[]) => {
            let csv = ''
            const comparison = new LevelComparison((lines) => {
              csv += lines
            })
            bounds.slice(1).forEach((to, i) => {
              const [a, b] = sides.map((spec) => columnsIn(replay(spec, to), { from: bounds[i]!, to }))
              comparison.add(a!, b!)
            })
            return canonicalJson({ csv, digest: comparison.digest(), result: comparison.result() })
          }
          const { from, to } = IMPACT_WINDOW
          expect(compared([from, to])).toContain(whole.levels_sha256)
          const inner = [...cuts].sort((a, b) => a - b).map(tickOf)
          expect(compared([from, ...inner, to])).toBe(compared([from, to]))
        },
      ),
      RUNS,
    )
  })

  test('the document follows from the data, recomputed with decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), change, (seed, of) => {
        const { before, after } = partsOf(of)
        const found = linkableImpact(impactInput(before, after, marketsOf(seed)))
        if (found === null) return
        const { impact, csv } = found
        expect(sha256Hex(csv)).toBe(impact.levels_sha256)
        const rows = csv
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => line.split(','))
        const text = (cell: string | undefined) => (cell === undefined || cell === '' ? null : cell)
        const signed: Decimal[] = []
        let [is_small, both] = [true, 0]
        for (const [, from, to, difference, bp, state_before, state_after] of rows) {
          const [left, right] = [text(from), text(to)]
          expect(text(difference)).toBe(levelDifference(left, right))
          if ((left === null) !== (right === null) || (state_before === '') !== (state_after === '')) is_small = false
          if (left === null || right === null) continue
          both += 1
          const e = basisPoints(left, right)!
          const exact = new Decimal(right).lt(left) ? e.negated() : e
          expect(bp).toBe(formatDecimal(exact, 2))
          signed.push(new Decimal(bp!))
          if (e.gte(10)) is_small = false
        }
        signed.sort((a, b) => a.cmp(b))
        const rank = (share: number) => signed[Math.max(1, Math.ceil((signed.length * share) / 1000)) - 1]?.toFixed(2)
        expect(impact.levels.basis_points?.p25).toBe(rank(250))
        expect(impact.levels.basis_points?.p99).toBe(rank(990))
        expect(impact.levels.basis_points?.highest).toBe(rank(1000))
        const { ticks, before: left, after: right } = impact.levels
        expect([ticks.compared, ticks.level_on_both]).toEqual([rows.length, both])
        const count = (column: number, state: string) => rows.filter((row) => row[column] === state).length
        for (const { quality_state, ticks: n } of left.states) expect(count(5, quality_state)).toBe(n)
        for (const { quality_state, ticks: n } of right.states) expect(count(6, quality_state)).toBe(n)
        if (ticks.equal === ticks.compared && both > 0) expect(impact.change_class).toBe('text')
        else expect(impact.change_class).toBe(is_small && both > 0 ? 'parameter' : 'material')
      }),
      RUNS,
    )
  })

  test('each change is applied to the base alone, with weights that sum to 1', () => {
    fc.assert(
      fc.property(change, (of) => {
        const { before, after } = partsOf(of)
        const base = versionOf(before).version
        const next = { ...versionOf(after).version, index_version_id: 'iv_next' as typeof base.index_version_id }
        const changes = singleChanges(base, next)
        for (const { version, kind, name } of changes) {
          expect(version).not.toBeNull()
          expect(version!.index_version_id).toBe(next.index_version_id)
          expect(sumDecimals(version!.constituents.map((one) => one.target_weight)).toFixed()).toBe('1')
          const alone = singleChanges(base, version!).filter((one) => one.kind !== 'weights' || kind === 'weights')
          expect(alone.map((one) => [one.kind, one.name])).toEqual([[kind, name]])
        }
        const ids = (version: typeof base) => new Set(version.constituents.map((one) => one.constituent_id as string))
        const of_kind = (kind: string) => changes.filter((one) => one.kind === kind).map(({ name }) => name)
        expect(of_kind('constituent_in')).toEqual([...ids(next)].filter((id) => !ids(base).has(id)))
        expect(of_kind('constituent_out')).toEqual([...ids(base)].filter((id) => !ids(next).has(id)))
      }),
      { numRuns: sized(15, 60) },
    )
  })
})

describe('class of a change', () => {
  const flat = (value: string) => legData([{ source_at: IMPACT_WINDOW.from - DAY, reported_probability: value }])
  const markets = { a: flat('0.5'), b: flat('0.6'), c: flat('0.6') }
  const LONG = { 'fresh.max_carry': 'P30D', 'fresh.stale_after': 'P30D', 'restate.bp': '10' }
  const classOf = (weights: VersionParts['weights'], parameters = {}, rest: Partial<VersionParts> = {}) => {
    const base = { weights: { a: '0.5', b: '0.5' }, parameters: LONG }
    return impactOf(impactInput(base, { weights, parameters: { ...LONG, ...parameters }, ...rest }, markets)).impact
  }

  test('a difference of exactly restate.bp is material, one below it a parameter', () => {
    // 55.0000 before; 10 bp of it are 0.0550.
    const at = classOf({ a: '0.4945', b: '0.5055' })
    expect(at.levels.largest).toMatchObject({ level_before: '55.0000', level_after: '55.0550' })
    expect([at.change_class, at.levels.basis_points!.p50]).toEqual(['material', '10.00'])
    const below = classOf({ a: '0.4946', b: '0.5054' })
    expect([below.change_class, below.levels.basis_points!.p50]).toEqual(['parameter', '9.82'])
    expect(below.composition.turnover).toBe('0.0054000000')
  })

  test('the threshold is that of the base: a change may not raise its own', () => {
    expect(classOf({ a: '0.4', b: '0.6' }, { 'restate.bp': '5000' }).change_class).toBe('material')
  })

  test('other ticks, a level on one side alone, and no level at all are material', () => {
    expect(classOf({ a: '0.5', b: '0.5' }, {}, { rest: { calculation_frequency: 'PT2H' } }).change_class).toBe(
      'material',
    )
    expect(classOf({ a: '0.5', absent: '0.5' }, { 'quality.usable_min': '0.9' }).change_class).toBe('material')
    const silent = impactOf(impactInput(BASE, BASE, {})).impact
    expect([silent.change_class, silent.levels.ticks.level_on_both]).toEqual(['material', 0])
  })

  test('a short window and a new index show too little to be below material', () => {
    const input = impactInput(BASE, BASE, marketsOf(1))
    expect(impactOf({ ...input, is_full_window: false }).impact.change_class).toBe('material')
    expect(impactOf(impactInput(null, BASE, marketsOf(1))).impact).toMatchObject({
      change_class: 'material',
      restate_bp: null,
      levels: { ticks: { only_after: 96, compared: 96 } },
    })
  })

  test('the same levels in other states are a parameter', () => {
    const other = classOf({ a: '0.5', b: '0.5' }, { 'quality.min_confidence': '0.1' })
    expect(other).toMatchObject({ change_class: 'parameter', levels: { ticks: { different_level: 0 } } })
    expect(other.levels.ticks.different_state).toBeGreaterThan(0)
  })

  test('a rule that the window never used still differs: such a change is not of text', () => {
    const unused = classOf({ a: '0.5', b: '0.5' }, { 'restate.window': 'P3D' })
    expect(unused).toMatchObject({ change_class: 'parameter', levels: { ticks: { equal: 96, compared: 96 } } })
  })

  test('a change alone may have no effect, and the others have theirs', () => {
    const { changes } = classOf({ a: '0.4', b: '0.6' }, { 'restate.window': 'P3D' })
    expect(changes.map(({ kind, name, effect }) => [kind, name, effect?.ticks_different])).toEqual([
      ['parameter', 'restate.window', 0],
      ['weights', 'constituents', 96],
    ])
  })
})

test('the bound of a missing input is the level of the others', () => {
  const flat = (value: string) => legData([{ source_at: IMPACT_WINDOW.from - DAY, reported_probability: value }])
  const markets = { a: flat('0.5'), b: flat('0.6'), c: flat('0.8') }
  const parameters = { 'fresh.max_carry': 'P30D', 'fresh.stale_after': 'P30D' }
  const before = { weights: { a: '0.5', b: '0.5' }, parameters }
  const after = {
    weights: { a: '0.25', b: '0.25', c: '0.5' },
    parameters: { ...parameters, 'quality.usable_min': '0.6' },
  }
  for (const engine of ['exact', 'reference'] as const) {
    const { missing_inputs } = impactOf(impactInput(before, after, markets, engine)).impact
    const last = formatMicros(IMPACT_WINDOW.to - HOUR)
    expect(missing_inputs.before).toEqual({
      tick_at: last,
      level: '55.0000',
      moves: [
        { constituent_id: 'con_a', level_without: '60.0000', move: '5.0000', move_bp: '909.09' },
        { constituent_id: 'con_b', level_without: '50.0000', move: '-5.0000', move_bp: '909.09' },
      ],
      moves_unlisted: 0,
      indispensable: 0,
    })
    // Half of the weight is c, and less than 0.6 would be left without it.
    expect(missing_inputs.after).toMatchObject({ level: '67.5000', indispensable: 1 })
    expect(missing_inputs.after!.moves.map((one) => [one.constituent_id, one.level_without])).toEqual([
      ['con_a', '73.3333'],
      ['con_b', '70.0000'],
    ])
  }
})

test('the largest report can be signed: it stays below the limit of an act', () => {
  const name = (n: number, of: string) => `${of}${String(n).padStart(3, '0')}`.padEnd(124, 'x')
  const weights = (ids: readonly string[], first: string) => {
    const rest = new Decimal(1).minus(first).div(ids.length - 1)
    return Object.fromEntries(ids.map((id, i) => [id, i === 0 ? first : rest.toFixed()]))
  }
  const stay = Array.from({ length: 64 }, (_, n) => name(n, 's'))
  const [out, entering] = ['o', 'i'].map((of) => Array.from({ length: 8 }, (_, n) => name(n, of)))
  const all = PARAMETER_NAMES.flatMap((parameter) => {
    const { kind, default: text } = PARAMETER_SHEET[parameter]
    return ['decimal', 'ratio'].includes(String(kind)) && text !== null ? [[parameter, `${text}123456`]] : []
  })
  const input = impactInput(
    { weights: weights([...stay, ...out!], '0.29') },
    { weights: weights([...stay, ...entering!], '0.361'), parameters: Object.fromEntries(all) },
    { [stay[0]!]: randomMarket(1) },
  )
  const { impact } = impactOf(input)
  expect(impact.changes.length).toBeGreaterThan(30)
  expect(impact.composition.constituents).toHaveLength(60)
  expect(Buffer.byteLength(canonicalJson(impact))).toBeLessThan(REPORT_BYTES_MAX - 2048)
})

test('the back-test compares values with the payouts that followed', () => {
  const at = tickOf(72)
  const quotes = [{ source_at: at - 5 * DAY, reported_probability: '0.8' }]
  const won = legData(quotes, { resolutions: [resolution(at, '1', { final_at: at })] })
  const lost = legData(quotes, { resolutions: [resolution(at, '0', { final_at: at })] })
  const open = legData(quotes)
  const parameters = { 'fresh.max_carry': 'P30D' }
  const before = { weights: { won: '0.25', lost: '0.25', open: '0.5' }, parameters }
  const after = { weights: { won: '0.75', lost_inverse: '0.25' }, parameters }
  const { back_test } = impactOf(impactInput(before, after, { won, lost, open })).impact
  // (0.8 - 1)^2 = 0.04 and (0.8 - 0)^2 = 0.64; inverse: (0.2 - 1)^2 = 0.64.
  expect(back_test.before).toEqual({
    resolved: 2,
    leads: [
      { lead_d: 1, scored: 2, brier_score: '0.340000' },
      { lead_d: 7, scored: 0, brier_score: null },
    ],
  })
  expect(back_test.after.leads[0]).toEqual({ lead_d: 1, scored: 2, brier_score: '0.190000' })
})

test('quantiles are values that occurred, by nearest rank', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 300 }), (values) => {
      const distribution = new Distribution()
      for (const value of values) distribution.add(value)
      const sorted = values.toSorted((a, b) => a - b)
      const at = (permille: number) => (sorted[Math.ceil((sorted.length * permille) / 1000) - 1]! / 100).toFixed(2)
      const found = distribution.quantiles(2)!
      expect([found.p01, found.p50, found.p95].map(Number)).toEqual([at(10), at(500), at(950)].map(Number))
      expect([found.lowest, found.highest].map(Number)).toEqual([sorted[0]! / 100, sorted.at(-1)! / 100])
    }),
  )
  expect(new Distribution().quantiles(2)).toBeNull()
})

test('scaled weights keep proportions to the last unit and sum to 1', () => {
  const [constituent] = versionOf(BASE).version.constituents
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { minLength: 1, maxLength: 20 }), (raws) => {
      const parts = raws.map((raw, i) => ({
        constituent: { ...constituent!, constituent_id: `con_${String(i).padStart(2, '0')}` as const },
        raw: new Decimal(raw),
      }))
      const scaled = weighted(parts)
      const total = raws.reduce((sum, raw) => sum + raw, 0)
      if (total === 0) return void expect(scaled).toBeNull()
      expect(sumDecimals(scaled!.map((one) => one.target_weight)).toFixed()).toBe('1')
      scaled!.forEach(({ target_weight }, i) => {
        const exact = new Decimal(raws[i]!).div(total)
        expect(target_weight.minus(exact).abs().lte('1e-10')).toBe(true)
      })
    }),
  )
})
