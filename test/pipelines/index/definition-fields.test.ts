import '../../support/fast-check.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differsInRules } from '../../../pipelines/governance/change-class.ts'
import { singleChanges } from '../../../pipelines/governance/impact/single-changes.ts'
import { decodeDefinition } from '../../../pipelines/index/definition.ts'
import { compositionDifferences, ruleDifferences } from '../../../pipelines/index/definition-difference.ts'
import { type DefinitionFile, DefinitionSchema } from '../../../pipelines/index/definition-schema.ts'
import { PARAMETER_SHEET, type ParameterName } from '../../../pipelines/index/parameters.ts'
import { changedAt, leafPaths } from '../../support/definition-fields.ts'
import { definitionFile } from '../../support/index-world.ts'

/** A definition with every part of a listed version, and random numbers. */
const listed = fc
  .record({
    a: fc.integer({ min: 1000, max: 3000 }),
    pool: fc.constantFrom('1', '2', '0.3'),
    expected: fc.constantFrom('2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z'),
  })
  .map(({ a, pool, expected }): DefinitionFile => {
    const leg = (source_market_id: string, rest: object = {}) => ({ venue_id: 'v', source_market_id, ...rest })
    const terms = { weight_cap: '0.9', group_event: 'g' }
    const contracts = [
      leg('near', { pool_weight: pool, source_series_id: 's', outcome: 'YES', expected_resolution_at: expected }),
      leg('far', { expected_resolution_at: '2029-01-01T00:00:00Z' }),
    ]
    const outcomes = [
      leg('c', { pool_weight: pool, expected_resolution_at: expected, source_series_id: 's' }),
      'B',
      'C',
    ]
    const constituents = [
      {
        ...{ constituent_id: 'con_a', venue_id: 'v', source_market_id: 'a', source_series_id: 's', outcome: 'YES' },
        ...{ target_weight: `0.${a}`, expected_resolution_at: expected, ...terms },
      },
      { constituent_id: 'con_b', target_weight: '0.3', normalization: 'logodds_pool', legs: contracts, ...terms },
      {
        ...{ constituent_id: 'con_c', venue_id: 'v', source_market_id: 'set', outcome: 'B' },
        ...{ normalization: 'multi_outcome_sum_to_one', outcomes, target_weight: '0.2' },
      },
      {
        ...{ constituent_id: 'con_d', target_weight: `0.${5000 - a}`, normalization: 'constant_maturity' },
        legs: contracts,
      },
    ]
    const file = definitionFile([], {
      parameters: { 'roll.target_days': '45' },
      version: { fixing: { at: '16:00' }, constituents: constituents as never },
    })
    return { ...file, index: { ...file.index, unit: 'index_points' } }
  })

/** Rules that select constituents, with every field. */
const SELECTION = {
  universe: { venue_ids: ['v'], categories: ['c'], event_ids: ['e'], market_ids: ['m'], outcome_type: 'binary' },
  eligibility_policy: { policy_id: 'pol_demo', version: '1' },
  ranking: { fact: 'volume_usd_30d', order: 'descending' },
  ...{ count: 5, buffer: 1, per_venue_max: 3, per_event_max: 2, data_lead: 'P7D', outcome: 'YES' },
  ...{ source_series_id: 's', normalization: 'probability_0_1' },
}

/** A published version whose constituents were selected. */
const selected = fc.constantFrom('0.5', '0.25').map((cap): DefinitionFile => {
  const version: object = {
    weighting: { rule: 'equal', rating_multiplier: false },
    caps: { single: cap, event: '1', venue: '1' },
    selection: SELECTION,
    rebalance: { schedule: 'monthly', weekday: 'wednesday', at: '14:00' },
  }
  return definitionFile([{ constituent_id: 'con_a' }, { constituent_id: 'con_b' }], { version })
})

const V = 'versions.0'
const [PLAIN, POOL, SET, ROLL] = [0, 1, 2, 3].map((n) => `${V}.constituents.${n}`)
type Change = { readonly of: typeof listed; readonly at: string; readonly to: unknown; readonly name: string }
const inListed = (at: string, to: unknown, name: string): Change => ({ of: listed, at, to, name })
const inSelected = (part: string, to: unknown, name: string): Change => ({ of: selected, at: `${V}.${part}`, to, name })
const rule = (part: string, to: unknown, name = part.split('.')[0]!) => inListed(`${V}.${part}`, to, name)
/** A field that decides no level and no later composition. */
const NO_RULE = 'no rule'
/** Fields that name a version or constituent: a change of one makes another version or constituent. */
const NAMES = 'names'

/** A change of every field of a definition, and the name by which it is reported. */
const FIELDS: Readonly<Record<string, Change | readonly Change[] | typeof NO_RULE | typeof NAMES>> = {
  'index.index_id': NAMES,
  ...Object.fromEntries(
    ['slug', 'symbol', 'name', 'description', 'family', 'tags[]'].map((f) => [`index.${f}`, NO_RULE]),
  ),
  'index.unit': inListed('index.unit', 'usd', 'unit'),
  'index.base_value': inListed('index.base_value', '999', 'base_value'),
  'index.base_date': inListed('index.base_date', '2026-11-20T00:00:00Z', 'base_date'),
  'methodology.methodology_id': NAMES,
  'methodology.version': NAMES,
  'methodology.name': NO_RULE,
  'methodology.supersedes_version': NO_RULE,
  'methodology.parameters': inListed(
    'methodology.parameters',
    { 'roll.target_days': '45', 'outlier.k': '9' },
    'outlier.k',
  ),
  'versions[].version': NAMES,
  'versions[].effective_from': NAMES,
  'versions[].calculation_frequency': rule('calculation_frequency', 'PT2M', 'calculation_frequency_s'),
  'versions[].minimum_coverage_ratio': rule('minimum_coverage_ratio', '0.7'),
  ...Object.fromEntries(
    ['rebalance_rule', 'approved_by', 'approved_at', 'change_summary[]'].map((f) => [`versions[].${f}`, NO_RULE]),
  ),
  'versions[].weighting.rule': inSelected('weighting.rule', 'sqrt_volume', 'weighting'),
  'versions[].weighting.rating_multiplier': inSelected('weighting.rating_multiplier', true, 'weighting'),
  'versions[].caps.single': inSelected('caps.single', '0.7', 'caps'),
  'versions[].caps.event': inSelected('caps.event', '0.7', 'caps'),
  'versions[].caps.venue': inSelected('caps.venue', '0.7', 'caps'),
  'versions[].roll.target_days': rule('roll', { target_days: '46' }),
  'versions[].roll.stop_days': rule('roll', { target_days: '45', stop_days: '4' }),
  'versions[].roll.mode': rule('roll', { target_days: '45', mode: 'hazard' }),
  'versions[].fixing.at': rule('fixing.at', '17:00'),
  'versions[].fixing.partitions': rule('fixing.partitions', 7),
  'versions[].fixing.partition': rule('fixing.partition', 'PT7M'),
  'versions[].fixing.minimum': rule('fixing.minimum', 4),
  'versions[].fixing.trim': rule('fixing.trim', 1),
  'versions[].constituents[].constituent_id': NAMES,
  'versions[].constituents[].venue_id': inListed(`${PLAIN}.venue_id`, 'w', 'legs'),
  'versions[].constituents[].source_series_id': inListed(`${PLAIN}.source_series_id`, 't', 'legs'),
  'versions[].constituents[].source_market_id': inListed(`${PLAIN}.source_market_id`, 'z', 'legs'),
  'versions[].constituents[].outcome': [
    inListed(`${PLAIN}.outcome`, 'NO', 'legs'),
    inListed(`${SET}.outcome`, 'C', 'outcome'),
  ],
  // Without a second leg nothing is weighed; of a set it is the weight of the outcomes that are names alone.
  'versions[].constituents[].pool_weight': inListed(`${SET}.pool_weight`, '7', 'legs'),
  'versions[].constituents[].expected_resolution_at': inListed(
    `${PLAIN}.expected_resolution_at`,
    '2030-01-01T00:00:00Z',
    'legs',
  ),
  'versions[].constituents[].target_weight': inListed(V, 'weights', 'target_weight'),
  'versions[].constituents[].weight_cap': inListed(`${PLAIN}.weight_cap`, '0.8', 'weight_cap'),
  'versions[].constituents[].group_event': inListed(`${POOL}.group_event`, 'h', 'group_event'),
  'versions[].constituents[].normalization': inListed(`${PLAIN}.normalization`, 'inverse', 'normalization'),
  ...legFields('legs[]', [`${POOL}.legs.0`, `${ROLL}.legs.0`]),
  'versions[].constituents[].outcomes[]': inListed(`${SET}.outcomes.2`, 'D', 'legs'),
  ...legFields('outcomes[]', [`${SET}.outcomes.0`]),
  ...Object.fromEntries(
    ['venue_ids', 'categories', 'event_ids', 'market_ids'].map((list) => [
      `versions[].selection.universe.${list}[]`,
      inSelected(`selection.universe.${list}.0`, 'other', 'selection'),
    ]),
  ),
  ...selectionFields({
    'universe.outcome_type': 'categorical',
    'eligibility_policy.policy_id': 'pol_other',
    'eligibility_policy.version': '2',
    'ranking.fact': 'open_interest_usd',
    'ranking.order': 'ascending',
    ...{ count: 6, buffer: 2, per_venue_max: 4, per_event_max: 3, data_lead: 'P6D', outcome: 'NO' },
    ...{ source_series_id: 't', normalization: 'inverse' },
  }),
  'versions[].rebalance.schedule': inSelected('rebalance.schedule', 'weekly', 'rebalance'),
  'versions[].rebalance.weekday': inSelected('rebalance.weekday', 'friday', 'rebalance'),
  'versions[].rebalance.at': inSelected('rebalance.at', '15:00', 'rebalance'),
}

function legFields(list: string, places: readonly string[]): Readonly<Record<string, readonly Change[]>> {
  const fields = {
    ...{ venue_id: 'w', source_series_id: 't', source_market_id: 'z', outcome: 'OTHER', pool_weight: '7' },
    expected_resolution_at: '2030-01-01T00:00:00Z',
  }
  const entries = Object.entries(fields).map(([field, to]) => [
    `versions[].constituents[].${list}.${field}`,
    places.map((place) => inListed(`${place}.${field}`, to, 'legs')),
  ])
  return Object.fromEntries(entries)
}

function selectionFields(values: Readonly<Record<string, unknown>>): Readonly<Record<string, Change>> {
  const entries = Object.entries(values).map(([field, to]) => [
    `versions[].selection.${field}`,
    inSelected(`selection.${field}`, to, 'selection'),
  ])
  return Object.fromEntries(entries)
}

/** Returns the names by which the difference of two definitions is reported. */
function reported(before: DefinitionFile, after: DefinitionFile) {
  const sides = [before, after].map((file) => {
    const { index, versions } = decodeDefinition(file)
    return { index, versions: versions.map(({ version }) => version) }
  })
  const [left, right] = sides as [(typeof sides)[0], (typeof sides)[0]]
  const composition = compositionDifferences(left.versions, right.versions)
  return {
    names: [
      ...ruleDifferences(left, right).map(({ name }) => name),
      ...composition.flatMap((one) => [...one.terms.map(({ name }) => name), ...weightName(one)]),
    ],
    differs: differsInRules(left.versions[0]!, right.versions[0]!),
    changes: singleChanges(left.versions[0]!, right.versions[0]!),
  }
}

function weightName({ before, after }: { readonly before: string | null; readonly after: string | null }) {
  return before === after ? [] : ['target_weight']
}

const OF_INDEX = ['unit', 'base_value', 'base_date']

test('every field of the schema is either compared, or known to be no rule', () => {
  expect(Object.keys(FIELDS).sort()).toEqual([...leafPaths(DefinitionSchema)].sort())
})

test.each(
  Object.entries(FIELDS).flatMap(([field, change]) =>
    typeof change === 'string' ? [] : [change].flat().map((one) => [field, one] as const),
  ),
)('a change of %s is seen by the comparison, the class and the impact', (_, { of, at, to, name }) => {
  fc.assert(
    fc.property(of, (before) => {
      const after = changedAt(before, at, to)
      const { names, differs, changes } = reported(before, after)
      expect(names).toContain(name)
      // An index never changes them once it is published, so governance has no class for it.
      if (OF_INDEX.includes(name)) return
      expect(differs).toBe(true)
      expect(changes.length).toBeGreaterThan(0)
    }),
    { numRuns: 2 },
  )
})

test('fields that are no rule differ nowhere', () => {
  fc.assert(
    fc.property(listed, (before) => {
      const later = { ...before.versions[0]!, approved_by: 'ann', rebalance_rule: 'none', change_summary: ['words'] }
      const index = { ...before.index, name: 'Other', symbol: 'OTHER', tags: ['x'] }
      const { names, differs, changes } = reported(before, { ...before, index, versions: [later] })
      expect({ names, differs, changes }).toEqual({ names: [], differs: false, changes: [] })
    }),
    { numRuns: 3 },
  )
})

const OTHER: Readonly<Record<string, readonly string[]>> = {
  boolean: ['true', 'false'],
  integer: ['3', '4'],
  count: ['8', '9'],
  duration: ['PT7M', 'PT8M'],
  positive_duration: ['PT7M', 'PT8M'],
  ...{ decimal: ['7', '8'], ratio: ['0.31', '0.32'], share: ['1', '0.98'], clip: ['0.11', '0.12'] },
  decimal_range: ['0.3 6', '0.3 7'],
}

test('every parameter is seen by all three', () => {
  const [file] = fc.sample(listed, 1) as [DefinitionFile]
  const of = (parameters: Record<string, string>) => ({ ...file, methodology: { ...file.methodology, parameters } })
  for (const [name, { kind, default: usual }] of Object.entries(PARAMETER_SHEET)) {
    const words: readonly string[] = typeof kind === 'string' ? OTHER[kind]! : kind
    const other = words.find((word) => word !== usual)
    // A parameter with one accepted value cannot change.
    if (other === undefined) continue
    const base: Partial<Record<ParameterName, string>> = { 'roll.target_days': '45' }
    const { names, differs, changes } = reported(of(base), of({ ...base, [name]: other }))
    expect(names).toContain(name)
    expect([name, differs, changes.length > 0]).toEqual([name, true, true])
  }
})
