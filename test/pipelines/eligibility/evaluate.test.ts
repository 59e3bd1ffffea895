import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import '../../support/fast-check.ts'
import { changedFacts, driftProposal } from '../../../pipelines/eligibility/drift.ts'
import { evaluateEligibility, type Fact, missingFact } from '../../../pipelines/eligibility/evaluate.ts'
import {
  BUILT_IN_POLICY,
  checkEligibilityPolicy,
  decidesAlike,
  type EligibilityRule,
  eligibilityPolicy,
  parseEligibilityPolicy,
} from '../../../pipelines/eligibility/policy.ts'
import { recordHash } from '../../../pipelines/governance/documents.ts'
import { MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import type { FactName } from '../../../vocabulary/eligibility.ts'
import { refusal } from '../../support/refusal.ts'

const AT = toMicros('2026-06-01T00:00:00Z')
const NONE = { at_least: null, at_most: null, one_of: null, age_max: null }
const rule = (fact: FactName, bounds: Partial<EligibilityRule>): EligibilityRule => ({ ...NONE, ...bounds, fact })
const fact = (name: FactName, value: string | null, age_days: number | null = 0): Fact => ({
  fact: name,
  value,
  observed_at: age_days === null ? null : AT - age_days * MICROS_PER_DAY,
  source_table: 'market',
  source_id: 'mkt_a',
})
const decide = (rules: readonly EligibilityRule[], ...facts: readonly Fact[]) => {
  const { status, reason_codes } = evaluateEligibility(rules, new Map(facts.map((one) => [one.fact, one])), AT)
  return [status, ...reason_codes].join(' ')
}

describe('one rule', () => {
  test.each<[string, EligibilityRule, Fact | null, string]>([
    ['at the lower bound', rule('spread', { at_least: '0.02' }), fact('spread', '0.020'), 'eligible'],
    ['below it', rule('spread', { at_least: '0.02' }), fact('spread', '0.0199999'), 'ineligible SPREAD_TOO_LOW'],
    ['at the upper bound', rule('spread', { at_most: '0.02' }), fact('spread', '0.02'), 'eligible'],
    ['above it', rule('spread', { at_most: '0.02' }), fact('spread', '0.0200001'), 'ineligible SPREAD_TOO_HIGH'],
    ['a zero counts', rule('volume_24h', { at_least: '0' }), fact('volume_24h', '0.000000'), 'eligible'],
    [
      'a missing value does not',
      rule('volume_24h', { at_least: '0' }),
      fact('volume_24h', null),
      'unknown VOLUME_24H_UNKNOWN',
    ],
    ['no record at all', rule('volume_24h', { at_least: '0' }), null, 'unknown VOLUME_24H_UNKNOWN'],
    ['the worst band accepted', rule('rating_band', { at_least: 'MR3' }), fact('rating_band', 'MR3'), 'eligible'],
    ['a better band', rule('rating_band', { at_least: 'MR3' }), fact('rating_band', 'MR1'), 'eligible'],
    [
      'a worse band',
      rule('rating_band', { at_least: 'MR3' }),
      fact('rating_band', 'MR4'),
      'ineligible RATING_BAND_TOO_LOW',
    ],
    [
      'not rated',
      rule('rating_band', { at_least: 'MR5' }),
      fact('rating_band', 'NR'),
      'ineligible RATING_BAND_TOO_LOW',
    ],
    ['as old as allowed', rule('rating_band', { age_max: 'P7D' }), fact('rating_band', 'MR1', 7), 'eligible'],
    [
      'older',
      rule('rating_band', { age_max: 'P7D' }),
      fact('rating_band', 'MR1', 7.001),
      'ineligible RATING_BAND_TOO_OLD',
    ],
    [
      'of no instant',
      rule('rating_band', { age_max: 'P7D' }),
      fact('rating_band', 'MR1', null),
      'unknown RATING_BAND_AGE_UNKNOWN',
    ],
    [
      'two days left',
      rule('time_to_resolution', { at_least: 'P2D' }),
      fact('time_to_resolution', '172800000'),
      'eligible',
    ],
    [
      'a millisecond less',
      rule('time_to_resolution', { at_least: 'P2D' }),
      fact('time_to_resolution', '172799999'),
      'ineligible TIME_TO_RESOLUTION_TOO_LOW',
    ],
    [
      'too far away',
      rule('time_to_resolution', { at_most: 'P2D' }),
      fact('time_to_resolution', '172800001'),
      'ineligible TIME_TO_RESOLUTION_TOO_HIGH',
    ],
    [
      'a listed word',
      rule('market_status', { one_of: ['open', 'paused'] }),
      fact('market_status', 'paused'),
      'eligible',
    ],
    [
      'another word',
      rule('market_status', { one_of: ['open'] }),
      fact('market_status', 'closed'),
      'ineligible MARKET_STATUS_NOT_ACCEPTED',
    ],
  ])('%s', (_name, one, given, wanted) => {
    expect(decide([one], ...(given === null ? [] : [given]))).toBe(wanted)
  })
})

test('a rule that fails counts more than a fact that is missing, and each is named', () => {
  const rules = [rule('spread', { at_most: '0.02' }), rule('rating_band', { at_least: 'MR2' })]
  expect(decide(rules, fact('rating_band', 'MR4'))).toBe('ineligible SPREAD_UNKNOWN RATING_BAND_TOO_LOW')
  expect(decide(rules, fact('rating_band', 'MR2'))).toBe('unknown SPREAD_UNKNOWN')
})

test('the decision shows the facts that its rules name, and no others', () => {
  const facts = new Map([fact('spread', '0.01'), fact('volume_24h', '5')].map((one) => [one.fact, one]))
  const rules = [rule('volume_24h', { at_least: '1' }), rule('rating_band', { at_least: 'MR2' })]
  expect(evaluateEligibility(rules, facts, AT).facts).toEqual([facts.get('volume_24h'), missingFact('rating_band')])
})

const NAMES = ['spread', 'volume_24h', 'open_interest', 'liquidity'] as const
const decimals = fc.integer({ min: 0, max: 20 }).map(String)
const someRule = fc.record({ fact: fc.constantFrom(...NAMES), at_least: decimals, at_most: decimals })
const someFacts = fc.dictionary(fc.constantFrom(...NAMES), fc.option(decimals))

test('taking a fact away never makes a market eligible, and never saves an ineligible one that another rule refuses', () => {
  fc.assert(
    fc.property(
      fc.array(someRule, { minLength: 1, maxLength: 4 }),
      someFacts,
      fc.constantFrom(...NAMES),
      (rules, values, gone) => {
        const all = rules.map((one) => rule(one.fact, { at_least: one.at_least, at_most: one.at_most }))
        const facts = Object.entries(values).map(([name, value]) => fact(name as FactName, value))
        const [whole] = decide(all, ...facts).split(' ')
        const [less] = decide(all, ...facts.filter((one) => one.fact !== gone)).split(' ')
        if (whole !== 'eligible') expect(less).not.toBe('eligible')
        const named = all.some((one) => one.fact === gone)
        if (whole === 'eligible' && named) expect(less).toBe('unknown')
        // The slow way: each rule alone, the worst counts.
        const alone = all.map((one) => decide([one], ...facts).split(' ')[0])
        expect(whole).toBe(
          alone.includes('ineligible') ? 'ineligible' : alone.includes('unknown') ? 'unknown' : 'eligible',
        )
      },
    ),
  )
})

const YAML = `policy: { policy_id: pol_core, name: Core }
rules:
  - { fact: rating_band, at_least: MR3, age_max: P7D }
  - { fact: spread, at_most: 0.02 }
`
const first = eligibilityPolicy(parseEligibilityPolicy(YAML, 'core.yaml'), null)

test('a file becomes a document whose hash covers every bound; the next version names it', () => {
  expect(first.rules[1]).toEqual({ fact: 'spread', at_least: null, at_most: '0.02', one_of: null, age_max: null })
  const before = { document: first, record_hash: recordHash(first) }
  const next = eligibilityPolicy(first, { version: 1, record_hash: before.record_hash })
  expect([next.version, next.previous_hash]).toEqual([2, before.record_hash])
  checkEligibilityPolicy(first, null)
  checkEligibilityPolicy(next, before)
  expect(decidesAlike(first, { ...next, name: 'other words' })).toBe(true)
  expect(decidesAlike(first, { ...next, rules: next.rules.slice(1) })).toBe(false)
  for (const [document, known] of [
    [next, null],
    [first, before],
    [{ ...next, version: 3 }, before],
    [{ ...next, previous_hash: null }, before],
    [{ ...next, statement: 'tidemark.eligibility_policy.v2' }, before],
  ] as const)
    expect(
      refusal('REVIEW_STATE_CONFLICT', () => checkEligibilityPolicy(document as typeof next, known)).message,
    ).toContain('newest')
})

describe('a policy that nobody could apply is refused', () => {
  const file = (rules: string, id = 'pol_core') => `policy: { policy_id: ${id}, name: Core }\nrules: [${rules}]`
  test.each([
    ['an unknown fact', file('{ fact: mood, at_least: 1 }'), 'fact'],
    ['no bound', file('{ fact: spread }'), 'at_least, at_most, one_of or age_max'],
    ['a fact twice', file('{ fact: spread, at_most: 1 }, { fact: spread, at_least: 0 }'), 'each fact once'],
    ['bounds in the wrong order', file('{ fact: spread, at_least: 1, at_most: 0.5 }'), 'at least 1'],
    ['a negative bound', file('{ fact: spread, at_least: "-1" }'), 'not negative'],
    ['a number that is none', file('{ fact: spread, at_least: 1e3 }'), 'decimal string'],
    ['a number for a word', file('{ fact: market_status, at_least: open }'), 'one_of'],
    ['a status that there is not', file('{ fact: market_status, one_of: [opened] }'), 'scheduled'],
    ['a list for a number', file('{ fact: spread, one_of: ["1"] }'), 'no one_of'],
    ['a best band', file('{ fact: rating_band, at_most: MR2 }'), 'no at_most'],
    ['NR as the worst band', file('{ fact: rating_band, at_least: NR }'), 'MR1'],
    ['months', file('{ fact: time_to_resolution, at_least: P1M }'), 'P2D'],
    ['no rules', file(''), '1 to 100 rules'],
    ['an unknown key', file('{ fact: spread, above: 1 }'), 'above'],
    ['the id of the built-in one', file('{ fact: spread, at_most: 1 }', BUILT_IN_POLICY.policy_id), 'built in'],
  ])('%s', (_name, text, wanted) => {
    let message = ''
    try {
      parseEligibilityPolicy(text, 'core.yaml')
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toContain(wanted)
  })

  test('as a signed document too', () => {
    const [one] = first.rules
    for (const rules of [
      [],
      [{ ...one, at_least: 3 }],
      [{ ...one, extra: null }],
      [{ fact: 'spread', at_most: '1' }],
      'none',
    ])
      expect(() => checkEligibilityPolicy({ ...first, rules } as unknown as typeof first, null)).toThrow(/allowed/)
  })
})

test('drift names what changed, and asks only ineligible constituents to leave', () => {
  const one = (id: string, status: 'eligible' | 'ineligible' | 'unknown', spread: string | null) => ({
    constituent_id: `con_${id}`,
    market_id: `mkt_${id}`,
    facts_at_selection: [
      { fact: 'spread', value: '0.01' },
      { fact: 'time_to_resolution', value: '9' },
    ],
    status,
    reason_codes: status === 'eligible' ? [] : ['SPREAD_X'],
    facts: [
      { fact: 'spread', value: spread },
      { fact: 'time_to_resolution', value: '5' },
    ],
  })
  const [kept, gone, unknown] = [
    one('a', 'eligible', '0.01'),
    one('b', 'ineligible', '0.05'),
    one('c', 'unknown', null),
  ]
  expect(changedFacts(kept)).toEqual([])
  expect(changedFacts(gone)).toEqual([{ fact: 'spread', at_selection: '0.01', now: '0.05' }])
  expect(changedFacts(unknown)).toEqual([{ fact: 'spread', at_selection: '0.01', now: null }])
  expect(changedFacts({ ...gone, facts_at_selection: null })).toEqual([])
  const version = { index_id: 'idx_a', index_version_id: 'idv_a' }
  expect(driftProposal(version, [kept, unknown])).toBeNull()
  expect(driftProposal(version, [kept, gone, unknown])).toEqual({
    ...version,
    removals: [{ constituent_id: 'con_b', market_id: 'mkt_b', reason_codes: ['SPREAD_X'] }],
  })
})
