import { describe, expect, test } from 'vitest'
import type { ConstituentFile, VersionFile } from '../../../pipelines/index/definition-schema.ts'
import { parseDefinition } from '../../../pipelines/index/parse-definition.ts'
import { RANKING_FACTS } from '../../../vocabulary/eligibility.ts'
import { definitionFile } from '../../support/index-world.ts'
import { refusal } from '../../support/refusal.ts'

/** Every refusal is one sentence: the place, the value seen, what is allowed. */
const PAIR: Partial<ConstituentFile>[] = [
  { constituent_id: 'con_a', target_weight: '0.6' },
  { constituent_id: 'con_b', target_weight: '0.4' },
]
const parse = (file: unknown) => parseDefinition(JSON.stringify(file), 'demo.json')
const sentence = (file: unknown, code: Parameters<typeof refusal>[0] = 'VALIDATION_DEFINITION_INVALID') => {
  const { message } = refusal(code, () => parse(file))
  expect(message).not.toContain('\n')
  return message.replace(/^demo\.json(:1)?: /, '')
}
const of = (version: Partial<VersionFile> | object, constituents: readonly Partial<ConstituentFile>[] = PAIR) =>
  definitionFile(constituents, { version })
const con = (part: object) => of({}, [{ ...PAIR[0], ...part }, PAIR[1]!])
const leg = (source_market_id: string, rest: object = {}) => ({ venue_id: 'v', source_market_id, ...rest })

test('the pair itself is a definition', () => {
  expect(parse(of({})).versions).toHaveLength(1)
})

describe('unknown keys, at every level', () => {
  const good = of({ weighting: { rule: 'fixed' }, caps: {}, roll: undefined, fixing: { at: '16:00' } })
  const [version] = good.versions
  const [first, second] = version!.constituents!
  test.each<[string, unknown]>([
    ['bogus', { ...good, bogus: 1 }],
    ['index.bogus', { ...good, index: { ...good.index, bogus: '1' } }],
    ['index.status', { ...good, index: { ...good.index, status: 'active' } }],
    ['methodology.bogus', { ...good, methodology: { ...good.methodology, bogus: '1' } }],
    ['versions[1].effective_to', { ...good, versions: [{ ...version, effective_to: '2027-01-01T00:00:00Z' }] }],
    ['versions[1].weighting.bogus', { ...good, versions: [{ ...version, weighting: { rule: 'fixed', bogus: '1' } }] }],
    ['versions[1].caps.market', { ...good, versions: [{ ...version, caps: { market: '0.3' } }] }],
    ['versions[1].roll.days', { ...good, versions: [{ ...version, roll: { target_days: '45', days: '3' } }] }],
    ['versions[1].fixing.until', { ...good, versions: [{ ...version, fixing: { at: '16:00', until: '17:00' } }] }],
    [
      'versions[1].constituents[1].weight',
      { ...good, versions: [{ ...version, constituents: [first, { ...second, weight: '1' }] }] },
    ],
    [
      'versions[1].constituents[0].legs[1].bogus',
      { ...good, versions: [{ ...version, constituents: [{ ...first, legs: [leg('a'), leg('b', { bogus: '1' })] }] }] },
    ],
    [
      'versions[1].constituents[0].outcomes[1].bogus',
      { ...good, versions: [{ ...version, constituents: [{ ...first, outcomes: ['A', leg('b', { bogus: '1' })] }] }] },
    ],
  ])('%s', (place, file) => {
    expect(sentence(file)).toMatch(
      new RegExp(
        `^${place.replaceAll(/[.[\]]/g, '\\$&')} is not a key of a definition( \\(did you mean \\w+\\?\\))?; allowed here: \\w+`,
      ),
    )
  })
})

describe('form', () => {
  const { index: _, ...headless } = of({})
  test.each<[string, unknown, string]>([
    ['a missing part', headless, 'index is missing; allowed: a mapping with the keys index_id, slug,'],
    ['no versions', { ...of({}), versions: [] }, 'versions is []; allowed: a list of 1 to 1000 items'],
    ['no constituents', of({}, []), 'versions[1].constituents is []; allowed: a list of 1 to 5000 items'],
    [
      'an id of another kind',
      con({ constituent_id: 'idx_a' }),
      'versions[1].constituents[0].constituent_id is "idx_a"; allowed: con_ followed by 1 to 128 of [A-Za-z0-9_.-]',
    ],
    [
      'an unknown normalization',
      con({ normalization: 'logit' }),
      'versions[1].constituents[0].normalization is "logit"; allowed: "probability_0_1" or "inverse" or',
    ],
    [
      'an unknown rule',
      of({ weighting: { rule: 'volume' } }),
      'versions[1].weighting.rule is "volume"; allowed: "equal" or "sqrt_volume" or "fixed"',
    ],
    [
      'a weight with an exponent',
      con({ target_weight: '6e-1' }),
      'versions[1].constituents[0].target_weight is "6e-1"; allowed: a decimal string that is not negative, with at most 10 fraction digits',
    ],
    [
      'a weight of eleven digits',
      con({ target_weight: '0.60000000001' }),
      'versions[1].constituents[0].target_weight is "0.60000000001"; allowed: a decimal string',
    ],
    [
      'a negative weight',
      con({ target_weight: '-0.6' }),
      'versions[1].constituents[0].target_weight is "-0.6"; allowed: a decimal string that is not negative',
    ],
    [
      'a list of parameters',
      { ...of({}), methodology: { methodology_id: 'mth_a', version: '1', name: 'a', parameters: { mode: ['gauge'] } } },
      'methodology.parameters.mode is ["gauge"]; allowed: text',
    ],
    [
      'an instant with an offset',
      of({ effective_from: '2026-11-21T00:00:00+00:00' }),
      'versions[1].effective_from is "2026-11-21T00:00:00+00:00"; allowed: an RFC 3339 instant in UTC',
    ],
    [
      'a truth that is none',
      of({ weighting: { rule: 'equal', rating_multiplier: 'yes' } }),
      'versions[1].weighting.rating_multiplier is "yes"; allowed: true or false',
    ],
    [
      'a time that is none',
      of({ fixing: { at: '24:00' } }),
      'versions[1].fixing.at is "24:00"; allowed: a time of day in UTC such as 16:00',
    ],
  ])('%s', (_name, file, expected) => {
    expect(sentence(file).startsWith(expected)).toBe(true)
  })

  test('an instant that is no day', () => {
    expect(sentence(of({ effective_from: '2026-02-30T00:00:00Z' }), 'VALIDATION_INSTANT_INVALID')).toContain(
      'versions[1].effective_from is "2026-02-30T00:00:00Z"; allowed: an RFC 3339 instant in UTC',
    )
  })

  test.each(['P1M', 'P1Y', 'PT', 'P', 'P-1D'])('a frequency of %s', (calculation_frequency) => {
    expect(sentence(of({ calculation_frequency }), 'VALIDATION_DURATION_INVALID')).toBe(
      `versions[1].calculation_frequency is "${calculation_frequency}"; allowed: an ISO 8601 duration of fixed length such as PT1M or P2D`,
    )
  })

  test.each(['PT0S', 'PT0.5S', 'PT1.5S'])('a frequency of %s', (calculation_frequency) => {
    expect(sentence(of({ calculation_frequency }))).toBe(
      `versions[1].calculation_frequency is "${calculation_frequency}"; allowed: a duration of whole seconds, at least PT1S`,
    )
  })
})

describe('text', () => {
  const yaml = (text: string) =>
    refusal('VALIDATION_DEFINITION_INVALID', () => parseDefinition(text, 'demo.yaml')).message

  test('aliases are refused: a definition says everything where it stands', () => {
    expect(yaml('index: &a {slug: x}\nmethodology: *a\n')).toBe('demo.yaml: uses a YAML alias; allowed: plain values')
  })

  test('a key written twice is refused', () => {
    expect(yaml('index: {slug: a, slug: b}\n')).toBe(
      'demo.yaml: has the key slug twice, at line 1, column 18; allowed: each key once in a mapping',
    )
    expect(yaml('{"index": {}, "index": {}}')).toContain('has the key "index" twice, at line 1, column 15')
  })

  test.each(['', '- 1', 'just text', '[]'])('%j is no mapping', (text) => {
    expect(yaml(text)).toBe('demo.yaml: is not a mapping; allowed: the keys index, methodology, versions')
  })

  test('broken YAML is one sentence, with the place and what is allowed', () => {
    expect(yaml('index:\n  a: b: c\n')).toBe(
      'demo.yaml: is not YAML: Nested mappings are not allowed in compact mappings at line 2, column 6; allowed: YAML or JSON',
    )
    expect(yaml('index: {')).toMatch(/^demo\.yaml: is not YAML: [^\n]+$/)
    expect(yaml('a: 1\n---\nb: 2')).toMatch(/^demo\.yaml: is not YAML: [^\n]+$/)
  })
})

describe('weights and caps', () => {
  const at = 'versions[1].constituents'
  test.each<[string, unknown, string]>([
    [
      'that sum to less',
      con({ target_weight: '0.5999999999' }),
      `${at} target_weight is "0.9999999999"; allowed: weights that sum to exactly 1`,
    ],
    [
      'that sum to more',
      con({ target_weight: '0.7' }),
      `${at} target_weight is "1.1"; allowed: weights that sum to exactly 1`,
    ],
    ['of zero', con({ target_weight: '0' }), `${at}[0].target_weight is "0"; allowed: a decimal string in (0, 1]`],
    [
      'above one',
      con({ target_weight: '1.6' }),
      `${at}[0].target_weight is "1.6"; allowed: a decimal string in (0, 1]`,
    ],
    [
      'not written',
      con({ target_weight: undefined }),
      `${at}[0].target_weight is missing; allowed: a decimal string, because the weights are fixed`,
    ],
    [
      'written beside a rule',
      of({ weighting: { rule: 'equal' } }, [PAIR[0]!, { constituent_id: 'con_b' }]),
      `${at}[0].target_weight is "0.6"; allowed: no target_weight, because the weighting rule is equal`,
    ],
    [
      'above the single cap',
      of({ caps: { single: '0.5' } }),
      `${at}[con_a].target_weight is "0.6"; allowed: at most the cap of 0.5`,
    ],
    [
      'above the own cap',
      con({ weight_cap: '0.5999999999' }),
      `${at}[con_a].target_weight is "0.6"; allowed: at most the cap of 0.5999999999`,
    ],
    [
      'above the venue cap',
      of({ caps: { venue: '0.9' } }),
      `${at} of venue test: target_weight is "1"; allowed: at most the cap of 0.9`,
    ],
    [
      'above the event cap',
      of(
        { caps: { event: '0.6' } },
        PAIR.map((item) => ({ ...item, group_event: 'vote' })),
      ),
      `${at} of event vote: target_weight is "1"; allowed: at most the cap of 0.6`,
    ],
    [
      'above a cap of the methodology',
      definitionFile(PAIR, { parameters: { 'cap.single': '0.3' } }),
      `${at}[con_a].target_weight is "0.6"; allowed: at most the cap of 0.3`,
    ],
    [
      'a cap of zero',
      of({ caps: { event: '0' } }),
      'versions[1].caps.event is "0"; allowed: a decimal string in (0, 1]',
    ],
    [
      'a cap above one',
      con({ weight_cap: '1.5' }),
      `${at}[0].weight_cap is "1.5"; allowed: a decimal string in (0, 1]`,
    ],
    [
      'a pool weight of zero',
      con({
        normalization: 'logodds_pool',
        venue_id: undefined,
        source_market_id: undefined,
        legs: [leg('a'), leg('b', { pool_weight: '0' })],
      }),
      `${at}[0].legs[1].pool_weight is "0"; allowed: a decimal string above 0`,
    ],
    [
      'the same id twice',
      of({}, [PAIR[0]!, { ...PAIR[1], constituent_id: 'con_a' }]),
      `${at}[1].constituent_id is "con_a"; allowed: each constituent_id once`,
    ],
    [
      'a minimum coverage above one',
      of({ minimum_coverage_ratio: '1.01' }),
      'versions[1].minimum_coverage_ratio is "1.01"; allowed: a decimal string in [0, 1]',
    ],
  ])('%s', (_name, file, expected) => {
    expect(sentence(file)).toBe(expected)
  })

  test('on its cap a weight is fine, and a cap that nobody wrote does not check', () => {
    expect(parse(of({ caps: { single: '0.6', venue: '1' } })).versions).toHaveLength(1)
    expect(parse(con({ weight_cap: '0.6' })).versions).toHaveLength(1)
  })

  test('an index that starts at zero would stay there', () => {
    const file = of({})
    expect(sentence({ ...file, index: { ...file.index, base_value: '0.0' } })).toBe(
      'index.base_value is "0.0"; allowed: a decimal string above 0',
    )
  })
})

describe('versions', () => {
  const two = (effective_from: string, version = '2') =>
    definitionFile(PAIR, { versions: [{ version, effective_from }] })

  test('that begin together overlap', () => {
    expect(sentence(two('2026-11-21T00:00:00.000Z'), 'VALIDATION_VERSION_OVERLAP')).toBe(
      'versions[2].effective_from is 2026-11-21T00:00:00.000Z; allowed: an instant that no other version (1) begins at',
    )
  })

  test('of one name', () => {
    expect(sentence(two('2026-11-22T00:00:00Z', '1'))).toBe(
      'versions[#1].version is "1"; allowed: each version name once',
    )
  })

  test('before the base date', () => {
    expect(sentence(definitionFile(PAIR, { base_date: '2026-11-21T00:00:00.000001Z' }))).toBe(
      'versions[1].effective_from is "2026-11-21T00:00:00Z"; allowed: an instant at or after index.base_date',
    )
  })
})

describe('normalizations', () => {
  const at = 'versions[1].constituents[0]'
  const pool = { normalization: 'logodds_pool', venue_id: undefined, source_market_id: undefined }
  const roll = { ...pool, normalization: 'constant_maturity' }
  const set = { normalization: 'multi_outcome_sum_to_one', outcome: 'A' }
  const two = [leg('a'), leg('b')]
  test.each<[string, unknown, string]>([
    [
      'a pool without legs',
      con(pool),
      `${at}.legs is missing; allowed: at least two legs, because normalization is logodds_pool`,
    ],
    [
      'a pool with a market of its own',
      con({ ...pool, venue_id: 'v', legs: two }),
      `${at} is ["constituent_id","target_weight","normalization","venue_id","legs"]; allowed: legs alone, without venue_id, source_market_id and outcomes`,
    ],
    [
      'a pool of one leg twice',
      con({ ...pool, legs: [leg('a'), leg('a')] }),
      `${at} legs is ["a","a"]; allowed: each leg once`,
    ],
    [
      'legs of a plain one',
      con({ legs: two }),
      `${at}.legs is 2; allowed: legs only with normalization logodds_pool or constant_maturity`,
    ],
    [
      'outcomes of a plain one',
      con({ outcomes: ['A', 'B'] }),
      `${at}.outcomes is 2; allowed: outcomes only with normalization multi_outcome_sum_to_one`,
    ],
    [
      'a set without outcomes',
      con(set),
      `${at}.outcomes is missing; allowed: all outcomes of the set, because normalization is multi_outcome_sum_to_one`,
    ],
    [
      'a set without its own outcome',
      con({ ...set, outcomes: ['B', 'C'] }),
      `${at}.outcomes is "A"; allowed: a list that contains the constituent's own outcome`,
    ],
    [
      'a set with one twice',
      con({ ...set, outcomes: ['A', 'B', 'A'] }),
      `${at} legs is ["con_a","con_a","con_a"]; allowed: each leg once`,
    ],
    [
      'a plain one without a venue',
      con({ venue_id: undefined }),
      `${at}.venue_id is missing; allowed: the venue of the market`,
    ],
    [
      'a plain one without a market',
      con({ source_market_id: undefined }),
      `${at}.source_market_id is missing; allowed: the venue's id of the market`,
    ],
    [
      'a roll without a target',
      con({ ...roll, legs: two }),
      'versions[1].roll is missing; allowed: a roll with target_days, because a constituent has normalization constant_maturity',
    ],
    [
      'a roll without contracts',
      of({ roll: { target_days: '45' } }),
      'versions[1].roll is {"target_days":"45"}; allowed: a roll only where a constituent has normalization constant_maturity and its contracts as legs',
    ],
  ])('%s', (_name, file, expected) => {
    expect(sentence(file)).toBe(expected)
  })
})

describe('fixing', () => {
  test.each<[object, string]>([
    [{ at: '16:00', partitions: 4 }, 'fixing.minimum is 7; allowed: a whole number from 1 to partitions (4)'],
    [{ at: '16:00', minimum: 0 }, 'fixing.minimum is 0; allowed: a whole number from 1 to partitions (12)'],
    [{ at: '16:00', trim: 4 }, 'fixing.trim is 4; allowed: less than half of minimum (7)'],
    [{ at: '16:00', partition: 'PT0S' }, 'fixing.partition is "PT0S"; allowed: a duration longer than zero'],
    [{ at: '16:00:30' }, 'fixing.at is "16:00:30"; allowed: a time of day with a tick (every PT1M)'],
  ])('%j', (fixing, expected) => {
    expect(sentence(of({ fixing }))).toBe(`versions[1].${expected}`)
  })

  test('of a daily index is at midnight', () => {
    expect(sentence(of({ calculation_frequency: 'P1D', fixing: { at: '16:00' } }))).toContain(
      'a time of day with a tick (every P1D)',
    )
    expect(parse(of({ calculation_frequency: 'P1D', fixing: { at: '00:00' } })).versions).toHaveLength(1)
  })
})

test('a word that is not in a long list is refused with the whole list', () => {
  const eligibility_policy = { policy_id: 'pol_a', version: 1 }
  const selection = { universe: {}, eligibility_policy, ranking: { fact: 'expected_nothing' }, count: 3 }
  expect(sentence(of({ selection, constituents: undefined, rebalance: { schedule: 'monthly' } }))).toContain(
    `ranking.fact is "expected_nothing"; allowed: ${RANKING_FACTS.join(', ')}`,
  )
})
