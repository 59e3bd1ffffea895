import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { decodeDefinition } from '../../../pipelines/index/definition.ts'
import { eventGroup, singleCap, venueGroup } from '../../../pipelines/index/definition-caps.ts'
import type { ConstituentFile } from '../../../pipelines/index/definition-schema.ts'
import { parseDefinition } from '../../../pipelines/index/parse-definition.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { DAY, d, definitionFile, MINUTE } from '../../support/index-world.ts'

const EXAMPLE = `
index: { index_id: idx_demo, slug: demo, symbol: DEMO, name: Demo, description: "...", family: demo, unit: index_points, base_value: "1000", base_date: 2026-01-01T00:00:00Z, tags: [demo] }
methodology: { methodology_id: mth_demo, version: "1.0.0", name: Demo, parameters: { mode: chain_linked, admission.grace: P2D, fresh.stale_after: P2D, fresh.max_carry: P30D } }
versions:
  - version: "1"
    effective_from: 2026-01-01T00:00:00Z
    calculation_frequency: P1D
    minimum_coverage_ratio: "0.80"
    constituents:
      - { constituent_id: con_b, venue_id: polymarket, source_series_id: "2025-10-26", source_market_id: "0xd87a", outcome: "YES", target_weight: "0.4", normalization: probability_0_1 }
      - { constituent_id: con_a, venue_id: manifold, source_series_id: "2025-10-26", source_market_id: oj4g2w07uo, outcome: "YES", target_weight: "0.6", normalization: probability_0_1 }
`

describe('the example of the command line contract', () => {
  const { index, methodology, versions } = parseDefinition(EXAMPLE, 'demo.yaml')
  const { version } = versions[0]!

  test('is read as written', () => {
    expect(index).toMatchObject({ index_id: 'idx_demo', unit: 'index_points', base_value: '1000', tags: ['demo'] })
    expect(methodology.parameters).toMatchObject({ mode: 'chain_linked', grace: 2 * DAY, stale_after: 2 * DAY })
    expect(version).toMatchObject({
      frequency: DAY,
      effective_from: toMicros('2026-01-01T00:00:00Z'),
      effective_to: null,
    })
    expect(version.minimum_coverage_ratio.toFixed()).toBe('0.8')
  })

  test('constituents are in ascending order of their ids, whatever the file says', () => {
    expect(version.constituents.map((c) => c.constituent_id)).toEqual(['con_a', 'con_b'])
    expect(version.constituents.map((c) => c.target_weight.toFixed())).toEqual(['0.6', '0.4'])
  })

  test('YAML and JSON are the same definition', () => {
    const file = definitionFile([{ target_weight: '1' }])
    const strip = (text: string) =>
      JSON.stringify(parseDefinition(text, 'x'), (key, value: unknown) => (key === 'source' ? undefined : value))
    expect(strip(stringify(file))).toBe(strip(JSON.stringify(file)))
    expect(strip(JSON.stringify(file))).toBe(JSON.stringify(decodeDefinition(file)))
  })
})

describe('numbers are text', () => {
  const weighted = (a: string, b: string) =>
    EXAMPLE.replace('target_weight: "0.4"', `target_weight: ${a}`).replace(
      'target_weight: "0.6"',
      `target_weight: ${b}`,
    )
  const weights = (text: string) =>
    parseDefinition(text, 'x').versions[0]!.version.constituents.map((c) => c.target_weight.toFixed())

  test('an unquoted one is its own digits, never a double', () => {
    expect(weights(weighted('0.4', '0.6'))).toEqual(['0.6', '0.4'])
    expect(weights(weighted('0.1000000001', '0.8999999999'))).toEqual(['0.8999999999', '0.1000000001'])
    const version = parseDefinition(EXAMPLE.replace('version: "1"', 'version: 1.10'), 'x').versions[0]!.version
    expect(version.version).toBe('1.10')
  })

  test('trailing zeros do not change a weight', () => {
    expect(weights(weighted('0.4000000000', '0.60'))).toEqual(['0.6', '0.4'])
  })
})

describe('defaults', () => {
  const { version, caps, weighting } = decodeDefinition(definitionFile([{ target_weight: '1' }])).versions[0]!

  test('the methodology gives what the version leaves out; caps that nobody wrote are off', () => {
    expect(version.minimum_coverage_ratio.toFixed()).toBe('0.8')
    expect({ caps, weighting, roll: version.roll, fixing: version.fixing }).toEqual({
      caps: { single: null, event: null, venue: null },
      weighting: 'fixed',
      roll: null,
      fixing: null,
    })
    expect(version.constituents[0]).toMatchObject({ normalization: 'probability_0_1', own: 0 })
    expect(version.constituents[0]!.legs[0]).toMatchObject({ outcome: 'YES', source_series_id: null })
  })

  test('a cap in the parameters holds for every version that writes none', () => {
    const file = definitionFile([{ target_weight: '1' }], {
      parameters: { 'cap.single': '1', 'cap.event': '1', 'cap.venue': '1' },
    })
    expect(decodeDefinition(file).versions[0]!.caps.venue!.toFixed()).toBe('1')
  })
})

test('a version ends where the next one begins', () => {
  const later = { version: '2', effective_from: '2026-11-22T00:00:00Z' }
  const { versions } = decodeDefinition(definitionFile([{ target_weight: '1' }], { versions: [later] }))
  expect(versions.map(({ version }) => version.effective_to)).toEqual([toMicros(later.effective_from), null])
})

describe('forms of a constituent', () => {
  const leg = (source_market_id: string) => ({ venue_id: 'v', source_market_id })
  const decode = (constituent: Partial<ConstituentFile>, version = {}) =>
    decodeDefinition(definitionFile([{ target_weight: '1', ...constituent }], { version })).versions[0]!.version

  test('a pool has weights', () => {
    const { constituents } = decode({
      normalization: 'logodds_pool',
      legs: [{ ...leg('a'), pool_weight: '3' }, leg('b')],
    })
    expect(constituents[0]!.legs.map((l) => [l.source_market_id, l.pool_weight.toFixed()])).toEqual([
      ['a', '3'],
      ['b', '1'],
    ])
  })

  test('outcomes are labels of the own market or legs of their own', () => {
    const own = {
      normalization: 'multi_outcome_sum_to_one' as const,
      venue_id: 'v',
      source_market_id: 'm',
      outcome: 'B',
    }
    const labels = decode({ ...own, outcomes: ['A', 'B', 'C'] }).constituents[0]!
    expect([labels.own, labels.legs.map((l) => l.outcome)]).toEqual([1, ['A', 'B', 'C']])
    const legs = decode({ ...own, outcomes: [leg('other'), { ...leg('m'), outcome: 'B' }] }).constituents[0]!
    expect([legs.own, legs.legs.map((l) => l.source_market_id)]).toEqual([1, ['other', 'm']])
  })

  test('a roll takes its target from the version or the methodology', () => {
    const legs = [leg('near'), { ...leg('far'), expected_resolution_at: '2027-01-01T00:00:00Z' }]
    const rolled = decode({ normalization: 'constant_maturity', legs }, { roll: { target_days: '45', mode: 'hazard' } })
    expect([rolled.roll!.target_days.toFixed(), rolled.roll!.stop_days.toFixed(), rolled.roll!.mode]).toEqual([
      '45',
      '3',
      'hazard',
    ])
    expect(rolled.constituents[0]!.legs[1]!.expected_resolution_at).toBe(toMicros('2027-01-01T00:00:00Z'))
    const file = definitionFile([{ target_weight: '1', normalization: 'constant_maturity', legs }], {
      parameters: { 'roll.target_days': '30' },
    })
    expect(decodeDefinition(file).versions[0]!.version.roll).toMatchObject({ mode: 'linear' })
  })

  test('a fixing has the defaults of the methodology', () => {
    const at = (time: string) => decode({}, { fixing: { at: time } }).fixing
    expect(at('16:00')).toEqual({ at: 960 * MINUTE, partitions: 12, partition: 5 * MINUTE, minimum: 7, trim: 0 })
    expect(at('16:00:00Z')).toEqual(at('16:00'))
  })

  test('a rule makes weights, so none is written', () => {
    const file = definitionFile([{ weight_cap: '0.25', group_event: 'vote' }], {
      version: { weighting: { rule: 'equal' }, caps: { single: '0.3' } },
    })
    const { version, caps, weighting } = decodeDefinition(file).versions[0]!
    expect([weighting, version.constituents[0]!.target_weight.toFixed()]).toEqual(['equal', '0'])
    expect(singleCap(version.constituents[0]!, caps)!.toFixed()).toBe('0.25')
    expect(eventGroup(version.constituents[0]!)).toBe('vote')
  })
})

describe('groups of a constituent', () => {
  const of = (constituent: Partial<ConstituentFile>) =>
    decodeDefinition(definitionFile([{ target_weight: '1', ...constituent }])).versions[0]!.version.constituents[0]!

  test('the event of its own market, the venue of its legs; none where the legs trade at several', () => {
    const plain = of({})
    expect(eventGroup(plain)).toBe(plain.legs[0]!.event_id)
    expect(venueGroup(plain)).toBe('test')
    const pool = (second: string) =>
      of({
        normalization: 'logodds_pool',
        legs: [
          { venue_id: 'v1', source_market_id: 'a' },
          { venue_id: second, source_market_id: 'b' },
        ],
      })
    expect([venueGroup(pool('v1')), venueGroup(pool('v2'))]).toEqual(['v1', null])
  })

  test('the single cap is the lower of the two that are written', () => {
    const caps = (single: string | null) => ({ single: single === null ? null : d(single), event: null, venue: null })
    const capped = of({ weight_cap: '1' })
    expect([
      singleCap(capped, caps(null))?.toFixed(),
      singleCap(capped, caps('0.3'))?.toFixed(),
      singleCap(of({}), caps(null)),
    ]).toEqual(['1', '0.3', null])
  })
})
