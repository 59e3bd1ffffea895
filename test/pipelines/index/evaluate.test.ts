import { describe, expect, test } from 'vitest'
import { contributions, type TickResult } from '../../../pipelines/index/calculate.ts'
import type { ConstituentFile, VersionFile } from '../../../pipelines/index/definition-schema.ts'
import type { Trade } from '../../../pipelines/market/quote.ts'
import {
  DAY,
  d,
  definitionFile,
  HOUR,
  legData,
  MINUTE,
  marketState,
  NOW,
  type QuoteText,
  resolution,
  series,
} from '../../support/index-world.ts'

/** Normalizations, outlier filter and fixing as a definition file reaches them: one constituent, hourly parameters kept long. */
const LONG = { 'fresh.stale_after': 'P2D', 'fresh.max_carry': 'P30D', 'quality.min_confidence': '0' }
const at = (minute: number, reported_probability: string, rest: QuoteText = {}): QuoteText => ({
  reported_probability,
  source_at: NOW + minute * MINUTE,
  ...rest,
})
const leg = (source_market_id: string, rest: Partial<ConstituentFile> = {}) => ({
  venue_id: source_market_id,
  source_market_id,
  ...rest,
})

type Scene = {
  readonly constituent: Partial<ConstituentFile>
  readonly records: Parameters<typeof series>[1]
  readonly parameters?: Record<string, string>
  readonly version?: Partial<VersionFile>
  readonly to?: number
}
const run = ({ constituent, records, parameters = {}, version = {}, to = NOW + 1 }: Scene): TickResult[] =>
  series(
    definitionFile([{ target_weight: '1', ...constituent }], { parameters: { ...LONG, ...parameters }, version }),
    records,
    { to },
  ).map(({ result }) => result)
const x = (result: TickResult) => result.constituents[0]!.x?.toFixed(6) ?? null

describe('pool', () => {
  const pool: Partial<ConstituentFile> = {
    normalization: 'logodds_pool',
    legs: [leg('v1', { pool_weight: '3' }), leg('v2', { pool_weight: '2' }), leg('v3')],
  }
  const shown = (a: string, b: string, c: string) => ({
    v1: legData([at(0, a)]),
    v2: legData([at(0, b)]),
    v3: legData([at(0, c)]),
  })

  test('is rounded to 6 decimals before it enters the level', () => {
    const [result] = run({ constituent: pool, records: shown('0.62', '0.58', '0.66') })
    expect(x(result!)).toBe('0.613705')
    expect(result).toMatchObject({ level: '61.3705', quality_state: 'valid' })
    expect(contributions(result!)).toEqual(['61.370500000000'])
    expect(result!.input_observation_ids).toHaveLength(1)
  })

  test('a venue far from the median is excluded by name and number; the state stays', () => {
    const [result] = run({ constituent: pool, records: shown('0.62', '0.60', '0.75') })
    expect(result!.excluded_inputs).toEqual([
      {
        constituent_id: 'con_a',
        observation_id: 'obs_0.reported_probability',
        rule: 'POOL_DISPERSION',
        raw_value: '0.750000',
        reference_value: '0.620000',
        threshold: '0.1',
      },
    ])
    expect([x(result!), result!.quality_state]).toEqual(['0.612045', 'valid'])
  })

  test('it stays out until it is nearer than 0.05', () => {
    const moving = [at(0, '0.75'), at(1, '0.68'), at(2, '0.66'), at(3, '0.70')]
    const results = run({
      constituent: pool,
      records: { ...shown('0.62', '0.62', '0'), v3: legData(moving) },
      parameters: { 'outlier.enabled': 'false' },
      to: NOW + 4 * MINUTE,
    })
    expect(results.map((result) => result.excluded_inputs.map((out) => out.threshold))).toEqual([
      ['0.1'],
      ['0.05'],
      [],
      [],
    ])
  })

  test('two venues apart are both kept and the index is degraded', () => {
    const two = { ...pool, legs: [leg('v1'), leg('v2')] }
    const [result] = run({ constituent: two, records: shown('0.60', '0.71', '0') })
    expect(result).toMatchObject({ quality_state: 'degraded', reason_codes: ['VENUE_DISPERSION'], excluded_inputs: [] })
  })

  test('a settled venue settles the question; several by weight', () => {
    const settled = { ...shown('0.62', '0.58', '0.66'), v2: legData([], { resolutions: [resolution(NOW, '1')] }) }
    expect(run({ constituent: pool, records: settled }).map((r) => [x(r), r.constituents[0]!.freshness])).toEqual([
      ['1.000000', 'settled'],
    ])
    const both = { ...settled, v1: legData([], { resolutions: [resolution(NOW, '0')] }) }
    expect(run({ constituent: pool, records: both }).map(x)).toEqual(['0.400000'])
  })

  test('a venue without a price is left out; the pool is as fresh as its least fresh venue', () => {
    const old = {
      ...shown('0.62', '0.58', '0'),
      v2: legData([{ ...at(0, '0.58'), source_at: NOW - 3 * DAY }]),
      v3: legData([]),
    }
    const [result] = run({ constituent: pool, records: old })
    expect(result!.constituents[0]).toMatchObject({ freshness: 'stale', used: { length: 2 } })
    expect(run({ constituent: pool, records: {} })[0]!.missing_constituent_ids).toEqual(['con_a'])
  })
})

describe('outcomes that sum to one', () => {
  const set: Partial<ConstituentFile> = {
    normalization: 'multi_outcome_sum_to_one',
    venue_id: 'v',
    source_market_id: 'm',
    outcome: 'A',
    outcomes: ['A', leg('b'), leg('c')],
  }
  const shown = (a: string, b: string, c: string) => ({
    m: legData([at(0, a)]),
    b: legData([at(0, b)]),
    c: legData([at(0, c)]),
  })

  test('are scaled, and the overround is published', () => {
    const [result] = run({ constituent: set, records: shown('0.46', '0.34', '0.25') })
    expect([x(result!), result!.quality_state]).toEqual(['0.438095', 'valid'])
    expect(result!.reason_codes).toEqual(['OVERROUND:0.050000'])
  })

  test('a partial set is not normalized and holds the index at indicative', () => {
    const [result] = run({ constituent: set, records: { ...shown('0.46', '0.34', '0.25'), c: legData([]) } })
    expect([x(result!), result!.quality_state, result!.reason_codes]).toEqual([
      '0.460000',
      'indicative',
      ['PARTIAL_OUTCOME_SET'],
    ])
  })

  test('beyond the overround limit the constituent is missing, with the numbers', () => {
    const [result] = run({ constituent: set, records: shown('0.60', '0.34', '0.250001') })
    expect(result).toMatchObject({ missing_constituent_ids: ['con_a'], reason_codes: ['OVERROUND_EXCEEDED'] })
    expect(result!.excluded_inputs[0]).toMatchObject({
      rule: 'MAX_OVERROUND',
      raw_value: '0.600000',
      reference_value: '0.190001',
      threshold: '0.15',
    })
  })
})

test('inverse reads one minus the mark', () => {
  expect(
    run({ constituent: { normalization: 'inverse' }, records: { con_a: legData([at(0, '0.3')]) } }).map((r) => r.level),
  ).toEqual(['70.0000'])
})

describe('roll', () => {
  const rolled: Partial<ConstituentFile> = {
    normalization: 'constant_maturity',
    legs: [leg('near', { expected_resolution_at: '2026-12-11T00:00:00Z' }), leg('far')],
  }
  const far = (p: string, days = 80) =>
    legData([at(0, p)], { states: [marketState(NOW - DAY, 'open', { expected_resolution_at: NOW + days * DAY })] })
  const go = (records: Scene['records'], mode: 'linear' | 'hazard' = 'linear') =>
    run({ constituent: rolled, records, version: { roll: { target_days: '45', mode } } })[0]!

  test('reads the expected resolution of the definition, else that of the market record', () => {
    const records = { near: legData([at(0, '0.32')]), far: far('0.47') }
    expect(x(go(records))).toBe('0.382500')
    expect(x(go(records, 'hazard'))).toBe('0.387069')
  })

  test('a term structure that falls is named under hazard, and the level is indicative', () => {
    const result = go({ near: legData([at(0, '0.60')]), far: far('0.47') }, 'hazard')
    expect([result.quality_state, result.reason_codes]).toEqual(['indicative', ['TERM_STRUCTURE_VIOLATION']])
  })

  test('one usable contract is used alone; none is missing', () => {
    const alone = go({ near: legData([at(0, '0.32')]) })
    expect([x(alone), alone.reason_codes]).toEqual(['0.320000', ['ROLL_SINGLE_CONTRACT']])
    const none = go({ far: legData([at(0, '0.47')]) })
    expect([x(none), none.reason_codes]).toEqual([null, ['NO_ROLL_CONTRACT']])
  })
})

describe('outlier filter', () => {
  const QUIET = Array.from({ length: 6 }, (_, minute) => at(minute, '0.40', { record_id: `obs_q${minute}` }))
  const jump = at(6, '0.60', { record_id: 'obs_jump' })
  const to = NOW + 7 * MINUTE
  const last = (scene: Partial<Scene>, quotes: readonly QuoteText[] = [...QUIET, jump], rest = {}) =>
    run({ constituent: {}, records: { con_a: legData(quotes, rest) }, to, ...scene }).at(-1)!

  test('a pending mark is left out with its numbers; the last accepted one is used as stale', () => {
    const result = last({})
    expect(result.excluded_inputs).toEqual([
      {
        constituent_id: 'con_a',
        observation_id: 'obs_jump.reported_probability',
        rule: 'HAMPEL_5',
        raw_value: '0.600000',
        reference_value: '0.400000',
        threshold: '0.050000',
      },
    ])
    expect(result).toMatchObject({
      level: '40.0000',
      quality_state: 'stale',
      input_observation_ids: ['obs_q5.reported_probability'],
    })
    expect(result.constituents[0]).toMatchObject({ freshness: 'stale', mark_rule: 'M7', pending: true })
  })

  test('beside a fresh leg the pending one makes the index indicative', () => {
    const two = definitionFile(
      [
        { constituent_id: 'con_a', target_weight: '0.1' },
        { constituent_id: 'con_b', target_weight: '0.9' },
      ],
      { parameters: LONG },
    )
    const { result } = series(two, { con_a: legData([...QUIET, jump]), con_b: legData([at(0, '0.5')]) }, { to }).at(-1)!
    expect([result.level, result.quality_state]).toEqual(['49.0000', 'indicative'])
  })

  test('(a) the third of three near pending marks is accepted', () => {
    const quotes = [...QUIET, jump, at(7, '0.61'), at(8, '0.615')]
    const results = run({ constituent: {}, records: { con_a: legData(quotes) }, to: NOW + 9 * MINUTE })
    expect(results.slice(-3).map((result) => result.level)).toEqual(['40.0000', '40.0000', '61.5000'])
  })

  const peer = (venue_id: string): Partial<ConstituentFile> => ({
    normalization: 'logodds_pool',
    legs: [leg('con_a', { venue_id: 'v1' }), leg('m2', { venue_id })],
  })
  const beside = (constituent: Partial<ConstituentFile>, shown: string) =>
    last({ constituent, records: { con_a: legData([...QUIET, jump]), m2: legData([at(6, shown)]) } })

  test('(b) a mark accepted at another venue of the pool confirms it', () => {
    expect(beside(peer('v2'), '0.63').excluded_inputs).toEqual([])
    expect(beside(peer('v2'), '0.630001').excluded_inputs).toHaveLength(1)
  })

  test('(b) another series of the same venue does not, nor another outcome of a set', () => {
    expect(beside(peer('v1'), '0.60').excluded_inputs).toHaveLength(1)
    const set: Partial<ConstituentFile> = {
      normalization: 'multi_outcome_sum_to_one',
      venue_id: 'v1',
      source_market_id: 'con_a',
      outcomes: [leg('con_a', { venue_id: 'v1' }), leg('m2')],
    }
    expect(beside(set, '0.60').excluded_inputs.map((out) => out.rule)).toEqual(['HAMPEL_5'])
  })

  test('(c) a market that is resolved is let through at once', () => {
    expect(last({}, undefined, { states: [marketState(NOW + 6 * MINUTE, 'resolved')] }).level).toBe('60.0000')
  })

  test('a settled leg is not filtered, and a payout is no window mark', () => {
    const result = last({}, QUIET, { resolutions: [resolution(NOW + 6 * MINUTE, '1')] })
    expect([result.level, result.excluded_inputs]).toEqual(['100.0000', []])
  })

  test('with daily data the window is empty unless the parameter is raised', () => {
    const days = (value: string, day: number) => at(day * 1440, value, { record_id: `obs_${day}` })
    const quotes = [...[0, 1, 2, 3, 4, 5].map((day) => days('0.40', day)), days('0.60', 6)]
    const level = (parameters: Record<string, string>) =>
      run({
        constituent: {},
        records: { con_a: legData(quotes) },
        parameters,
        version: { calculation_frequency: 'P1D' },
        to: NOW + 7 * DAY,
      }).at(-1)!.level
    expect(level({})).toBe('60.0000')
    expect(level({ 'outlier.window_max_age': 'P30D' })).toBe('40.0000')
  })
})

describe('fixing', () => {
  const trade = (minute: number, price: string, quantity: string, rest: Partial<Trade> = {}): Trade => ({
    trade_id: `trd_${minute}_${price}`,
    source_at: NOW + minute * MINUTE,
    received_at: NOW + minute * MINUTE,
    price: d(price),
    quantity: d(quantity),
    ...rest,
  })
  const fixing = { at: '01:00', partitions: 4, partition: 'PT15M', minimum: 4 }
  const version = { calculation_frequency: 'PT1H', fixing }
  const parameters = { 'quality.max_fallback_weight': '1' }
  const book = { bid: '0.62', ask: '0.64', source_at: NOW + 44 * MINUTE + 30_000_000, record_id: 'obs_book' }
  const trades = [
    ...[trade(0, '0.61', '100'), trade(5, '0.62', '250'), trade(14, '0.90', '40')],
    ...[trade(15, '0.63', '80'), trade(20, '0.62', '80')],
    ...[trade(45, '0.60', '10'), trade(50, '0.64', '500'), trade(59, '0.65', '20')],
  ]
  const go = (list: readonly Trade[]) =>
    run({
      constituent: {},
      records: { con_a: legData([at(0, '0.5'), book], { trades: list }) },
      parameters,
      version,
      to: NOW + 2 * HOUR + 1,
    })

  test('replaces the spot at its tick alone', () => {
    const [spot, fixed, after] = go(trades)
    expect(spot!.level).toBe('50.0000')
    expect(fixed!.level).toBe('62.8750')
    expect(fixed!.constituents[0]).toMatchObject({ mark_rule: 'fixing', freshness: 'fresh' })
    expect(fixed!.input_observation_ids).toContain('obs_book.bid')
    expect(after!.constituents[0]!.mark_rule).toBe('M7')
  })

  test('a trade at the end of a partition belongs to the next; one that arrives late is not in it', () => {
    const late = trade(50, '0.64', '500', { received_at: NOW + 3 * HOUR })
    const [, fixed] = go([...trades.filter((t) => t.quantity.lt(300)), late])
    expect(fixed!.level).not.toBe('62.8750')
    const edge = [...trades, trade(60, '0.99', '100000')]
    expect(go(edge)[1]!.level).toBe('62.8750')
  })

  test('with too few partitions there is no fixing: the spot stands, indicative', () => {
    const [, fixed] = go(trades.slice(0, 3))
    expect(fixed).toMatchObject({ quality_state: 'indicative', reason_codes: ['FIXING_UNAVAILABLE'] })
    expect(fixed!.constituents[0]!.mark_rule).toBe('M7')
  })
})

test('an input older than max_carry is missing, even where a rule of its own would reach further', () => {
  const traded = { last_trade: '0.4', last_trade_at: NOW - 30 * MINUTE, source_at: NOW }
  const limits = (max_carry: string) => ({ 'fresh.max_carry': max_carry, 'fresh.stale_after': max_carry })
  const one = (parameters: Record<string, string>) =>
    run({ constituent: {}, records: { con_a: legData([traded]) }, parameters })[0]!
  expect(one(limits('PT30M')).constituents[0]).toMatchObject({ mark_rule: 'M5', freshness: 'fresh' })
  expect(one(limits('PT29M'))).toMatchObject({ missing_constituent_ids: ['con_a'], level: null })
})
