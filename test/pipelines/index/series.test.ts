import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SeriesStep } from '../../../pipelines/index/series.ts'
import {
  DAY,
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
import { refusal } from '../../support/refusal.ts'

/** A daily index that keeps prices for a week; its levels are easy to read: one constituent, K = 100. */
const DAILY = {
  'admission.grace': 'PT0S',
  'fresh.stale_after': 'P1D',
  'fresh.max_carry': 'P7D',
  'outlier.enabled': 'false',
  'quality.min_confidence': '0',
}
const ONE = [{ constituent_id: 'con_a', target_weight: '1' }]
const daily = (parameters: Record<string, string> = {}) =>
  definitionFile(ONE, { parameters: { ...DAILY, ...parameters }, version: { calculation_frequency: 'P1D' } })
const on = (day: number, reported_probability: string, rest: QuoteText = {}): QuoteText => ({
  reported_probability,
  source_at: NOW + day * DAY,
  ...rest,
})
const days = (steps: readonly SeriesStep[]) => steps.map(({ result }) => [result.level, result.quality_state])
const run = (records: Parameters<typeof legData>, count: number, parameters = {}) =>
  series(daily(parameters), { con_a: legData(...records) }, { to: NOW + count * DAY })

describe('states of a series', () => {
  test('a price is fresh, then stale, then gone; a stale tick repeats the last level with its own source time', () => {
    const steps = run([[on(0, '0.4')]], 10)
    expect(days(steps).map(([, state]) => state)).toEqual([
      ...['valid', 'valid'],
      ...Array.from({ length: 6 }, () => 'stale'),
      ...['suspended', 'suspended'],
    ])
    expect(steps[7]!.result).toMatchObject({ level: '40.0000', source_cutoff_at: NOW + DAY, tick_at: NOW + 7 * DAY })
    expect(steps[8]!.result).toMatchObject({
      level: null,
      source_cutoff_at: NOW + 8 * DAY,
      missing_constituent_ids: ['con_a'],
    })
  })

  test('stale before the first level: no level and no source time', () => {
    const [first] = run([[on(-3, '0.4')]], 1)
    expect(first!.result).toMatchObject({ level: null, source_cutoff_at: null, quality_state: 'stale' })
  })

  test('a halt suspends, a scheduled index is indicative', () => {
    const gate = (halted: boolean, scheduled: boolean) =>
      series(daily(), { con_a: legData([on(0, '0.4')]) }, { to: NOW + 1, gate: () => ({ halted, scheduled }) })
    expect(days(gate(true, false))).toEqual([[null, 'suspended']])
    expect(days(gate(false, true))).toEqual([['40.0000', 'indicative']])
  })

  test('a late row is admitted by no earlier tick and never becomes current, but a correction admits it', () => {
    const records: Parameters<typeof legData> = [
      [on(0, '0.4'), on(1, '0.5'), on(1, '0.9', { received_at: NOW + 5 * DAY, revision: 2 })],
    ]
    expect(days(run(records, 2)).map(([level]) => level)).toEqual(['40.0000', '50.0000'])
    const corrected = series(daily(), { con_a: legData(...records) }, { to: NOW + 2 * DAY, grace: 400 * DAY })
    expect(days(corrected).map(([level]) => level)).toEqual(['40.0000', '90.0000'])
  })
})

describe('a leg that resolves', () => {
  const open = [0, 1, 2, 3, 4, 5].map((day) => on(day, '0.4'))

  test('is settled from its resolution on; later unresolved rows do not undo it', () => {
    const steps = run([open, { resolutions: [resolution(NOW + 2 * DAY, '1')] }], 6)
    expect(days(steps).map(([level]) => level)).toEqual([
      '40.0000',
      '40.0000',
      ...Array.from({ length: 4 }, () => '100.0000'),
    ])
    expect(steps[5]!.result.constituents[0]).toMatchObject({ freshness: 'settled', mark_rule: 'M0' })
    expect(steps[5]!.result.confidence).toBe('1.0000')
  })

  test('follows a corrected payout from the correction on, and is undone by a withdrawal', () => {
    const chain = [
      resolution(NOW + DAY, '1'),
      resolution(NOW + DAY, '0', { revision: 2, received_at: NOW + 3 * DAY }),
      resolution(NOW + DAY, null, { revision: 3, received_at: NOW + 5 * DAY, finality: 'withdrawn' }),
    ]
    const levels = days(run([open, { resolutions: chain }], 6)).map(([level]) => level)
    expect(levels).toEqual(['40.0000', '100.0000', '100.0000', '0.0000', '0.0000', '40.0000'])
  })

  test('while disputed is frozen, never missing, however long; then takes the final payout', () => {
    const records: Parameters<typeof legData> = [
      [on(0, '0.4'), on(2, '0.99')],
      { resolutions: [resolution(NOW + DAY, '1', { finality: 'disputed' }), resolution(NOW + 20 * DAY, '0')] },
    ]
    const steps = run(records, 21)
    const mid = steps[15]!.result
    expect(mid).toMatchObject({
      quality_state: 'stale',
      missing_constituent_ids: [],
      input_observation_ids: ['obs_0.reported_probability'],
    })
    expect(mid.constituents[0]).toMatchObject({ mark_rule: 'frozen', freshness: 'stale', provisional: true })
    expect(mid.constituents[0]!.x!.toFixed()).toBe('0.4')
    expect(days(steps)[20]).toEqual(['0.0000', 'valid'])
  })

  test('beside fresh legs a frozen one makes the index indicative, not degraded', () => {
    const two = definitionFile(
      [
        { constituent_id: 'con_a', target_weight: '0.05' },
        { constituent_id: 'con_b', target_weight: '0.95' },
      ],
      { parameters: DAILY, version: { calculation_frequency: 'P1D' } },
    )
    const records = {
      con_a: legData([on(0, '0.4')], { states: [marketState(NOW + HOUR, 'resolving')] }),
      con_b: legData([on(0, '0.5'), on(1, '0.5')]),
    }
    expect(days(series(two, records, { to: NOW + 2 * DAY }))).toEqual([
      ['49.5000', 'valid'],
      ['49.5000', 'indicative'],
    ])
  })
})

describe('the base of a chain-linked index', () => {
  const chained = (base_date: string) => ({
    ...definitionFile(ONE, {
      parameters: { ...DAILY, mode: 'chain_linked' },
      version: { calculation_frequency: 'P1D' },
      base_date,
    }),
  })
  const base = (file: ReturnType<typeof chained>, quotes: QuoteText[], count: number) =>
    series(file, { con_a: legData(quotes) }, { to: NOW + count * DAY })

  test('is taken at base_date where that has data', () => {
    const steps = base(chained('2026-11-20T00:00:00Z'), [on(-1, '0.4'), on(0, '0.5')], 1)
    expect(steps[0]!.links[0]).toMatchObject({ link_at: NOW - DAY, level_at_link: '1000.0000' })
    expect(steps[0]!.links[0]!.link_factor.toFixed()).toBe('2500')
    expect(steps[0]!.result.level).toBe('1250.0000')
  })

  test('else at the first tick with a level; until then there is none', () => {
    const steps = base(chained('2026-11-20T00:00:00Z'), [on(2, '0.4')], 4)
    expect(days(steps)).toEqual([
      [null, 'suspended'],
      [null, 'suspended'],
      ['1000.0000', 'valid'],
      ['1000.0000', 'valid'],
    ])
    expect(steps.map(({ links }) => links.map((link) => link.link_at))).toEqual([[], [], [NOW + 2 * DAY], []])
  })

  test('is refused where S is zero', () => {
    refusal('INDEX_LINK_UNSTABLE', () => base(chained('2026-11-21T00:00:00Z'), [on(0, '0')], 1))
  })
})

describe('versions', () => {
  const version = (name: string, effective_from: string, market: string) => ({
    version: name,
    effective_from,
    constituents: [
      { constituent_id: `con_${market}`, venue_id: 'test', source_market_id: `con_${market}`, target_weight: '1' },
    ],
  })
  const file = (mode: string, later = version('2', '2026-11-23T00:00:00Z', 'b')) =>
    definitionFile(ONE, {
      parameters: { ...DAILY, mode },
      version: { calculation_frequency: 'P1D' },
      versions: [{ calculation_frequency: 'P1D', ...later }],
    })
  const records = {
    con_a: legData([0, 1, 2, 3].map((day) => on(day, '0.4'))),
    con_b: legData([on(1, '0.2'), on(3, '0.3')]),
  }

  test('change exactly at effective_from, with a link that keeps the level', () => {
    const steps = series(file('chain_linked'), records, { to: NOW + 4 * DAY })
    expect(steps.map(({ result }) => [result.version.version, result.level])).toEqual([
      ['1', '1000.0000'],
      ['1', '1000.0000'],
      ['2', '1000.0000'],
      ['2', '1500.0000'],
    ])
    expect(steps[2]!.links[0]).toMatchObject({
      link_at: NOW + 2 * DAY,
      level_at_link: '1000.0000',
      composition_step: null,
    })
    expect(steps[2]!.links[0]!.link_factor.toFixed()).toBe('5000')
  })

  test('in gauge mode the level steps and the step is published', () => {
    const steps = series(file('gauge'), records, { to: NOW + 4 * DAY })
    expect(steps.map(({ result }) => result.level)).toEqual(['40.0000', '40.0000', '20.0000', '30.0000'])
    expect(steps[2]!.links[0]!.composition_step).toBe('-20.0000')
  })

  test('a link without a price on both sides, or outside the gearing, is refused', () => {
    const { message } = refusal('INDEX_LINK_UNSTABLE', () =>
      series(file('chain_linked'), { con_a: records.con_a }, { to: NOW + 4 * DAY }),
    )
    expect(message).toContain('version 2: S of the new composition is missing at the link')
    const cheap = { ...records, con_b: legData([on(1, '0.07')]) }
    refusal('INDEX_GEARING_LIMIT', () => series(file('chain_linked'), cheap, { to: NOW + 4 * DAY }))
  })

  test('between ticks: the link is made at effective_from, the first tick is the next one', () => {
    const noon = file('chain_linked', version('2', '2026-11-22T12:00:00Z', 'b'))
    const steps = series(noon, records, { to: NOW + 4 * DAY })
    expect(steps[2]!.links[0]!.link_at).toBe(NOW + 36 * HOUR)
    expect(steps.map(({ result }) => result.version.version)).toEqual(['1', '1', '2', '2'])
  })

  test('a version that ends before its first tick leaves its link to the next tick', () => {
    const versions = [version('2', '2026-11-22T06:00:00Z', 'b'), version('3', '2026-11-22T12:00:00Z', 'a')]
    const three = definitionFile(ONE, {
      parameters: { ...DAILY, mode: 'chain_linked' },
      version: { calculation_frequency: 'P1D' },
      versions: versions.map((later) => ({ calculation_frequency: 'P1D', ...later })),
    })
    const steps = series(three, records, { to: NOW + 4 * DAY })
    expect(steps.map(({ links }) => links.map((link) => link.version.version))).toEqual([['1'], [], ['2', '3'], []])
    expect(steps[2]!.links.map((link) => link.level_at_link)).toEqual(['1000.0000', '1000.0000'])
  })

  test('a published link factor rules over a recomputed one', () => {
    const spec = series(file('chain_linked'), records, { to: NOW + 4 * DAY })
    const published_links = new Map(
      spec.flatMap(({ links }) => links.map((link) => [link.version.index_version_id, link.link_factor] as const)),
    )
    const corrected = { ...records, con_a: legData([0, 1, 2, 3].map((day) => on(day, day === 2 ? '0.6' : '0.4'))) }
    const again = series(file('chain_linked'), corrected, { to: NOW + 4 * DAY, published_links })
    expect(again.map(({ result }) => result.level)).toEqual(spec.map(({ result }) => result.level))
    const free = series(file('chain_linked'), corrected, { to: NOW + 4 * DAY })
    expect(free[2]!.result.level).toBe('1500.0000')
  })
})

describe('causality', () => {
  const quotes = fc.array(
    fc.record({
      minute: fc.nat(45),
      delay: fc.constantFrom(0, 0, 0, 1, 30, 600),
      cents: fc.nat(100),
      kind: fc.constantFrom('book', 'trade', 'reported'),
    }),
    { maxLength: 40 },
  )
  const events = fc.array(
    fc.record({
      minute: fc.nat(45),
      status: fc.constantFrom('open', 'paused', 'closed', 'resolving', 'voided', 'resolved'),
    }),
    { maxLength: 3 },
  )
  const outcomes = fc.array(
    fc.record({
      minute: fc.nat(45),
      delay: fc.constantFrom(0, 20),
      finality: fc.constantFrom('proposed', 'disputed', 'final', 'withdrawn'),
      payout: fc.constantFrom('0', '1', '0.5'),
    }),
    { maxLength: 2 },
  )
  type Scene = {
    quotes: { minute: number; delay: number; cents: number; kind: string }[]
    events: { minute: number; status: string }[]
    outcomes: { minute: number; delay: number; finality: string; payout: string }[]
  }
  const file = definitionFile([
    { constituent_id: 'con_a', target_weight: '0.5' },
    { constituent_id: 'con_b', target_weight: '0.5' },
  ])
  const text = ({ minute, delay, cents, kind }: Scene['quotes'][number], i: number): QuoteText => {
    const price = (cents / 100).toFixed(2)
    const shown =
      kind === 'book'
        ? { bid: (Math.max(0, cents - 1) / 100).toFixed(2), ask: (Math.min(100, cents + 1) / 100).toFixed(2) }
        : kind === 'trade'
          ? { last_trade: price, last_trade_at: NOW + minute * MINUTE }
          : { reported_probability: price }
    return {
      ...shown,
      record_id: `obs_${i}`,
      revision: i + 1,
      source_at: NOW + minute * MINUTE,
      received_at: NOW + (minute + delay) * MINUTE,
    }
  }
  const levels = (scene: Scene, known_to: number, minutes: number) => {
    const kept = <T extends { received_at?: number }>(list: T[]) => list.filter((item) => item.received_at! <= known_to)
    const half = (parity: number) => ({
      quotes: kept(scene.quotes.map(text).filter((_, i) => i % 2 === parity)),
      resolutions: kept(
        scene.outcomes.map(({ minute, delay, finality, payout }, i) =>
          resolution(NOW + minute * MINUTE, payout, {
            finality: finality as 'final',
            revision: i + 1,
            received_at: NOW + (minute + delay) * MINUTE,
          }),
        ),
      ),
      states: kept(scene.events.map(({ minute, status }) => marketState(NOW + minute * MINUTE, status as 'open'))),
    })
    const [a, b] = [half(0), half(1)]
    const records = {
      con_a: legData(a.quotes, { resolutions: a.resolutions, states: a.states }),
      con_b: legData(b.quotes),
    }
    return series(file, records, { to: NOW + minutes * MINUTE }).map(
      ({ result: { version: _, constituents, ...facts } }) =>
        JSON.stringify({ ...facts, marks: constituents.map((c) => [c.x, c.freshness, c.mark_rule, c.reasons]) }),
    )
  }

  test('what becomes known later changes no tick that was computed before', () => {
    fc.assert(
      fc.property(fc.record({ quotes, events, outcomes }), fc.integer({ min: 1, max: 44 }), (scene, cut) => {
        const full = levels(scene, Number.MAX_SAFE_INTEGER, 45)
        // Up to the cut's tick nothing received after it may matter: grace is 5 s, quotes move by whole minutes.
        const past = levels(scene, NOW + cut * MINUTE + 5_000_000, cut + 1)
        expect(past).toEqual(full.slice(0, cut + 1))
      }),
      { numRuns: 25 },
    )
  })

  test('the same records in another order give the same series', () => {
    fc.assert(
      fc.property(quotes, (list) => {
        const build = (texts: QuoteText[]) =>
          series(file, { con_a: legData(texts), con_b: legData(texts.slice(0, 1)) }, { to: NOW + 45 * MINUTE }).map(
            ({ result }) => [result.level, result.confidence, result.input_observation_ids],
          )
        const texts = list.map(text)
        const first = texts.slice(0, 1)
        expect(build([...first, ...texts.slice(1).reverse()])).toEqual(build(texts))
      }),
      { numRuns: 20 },
    )
  })
})
