import { describe, expect, test } from 'vitest'
import { faultOfNamed, faultOfSubject } from '../../../client/everything/complaint-subjects.ts'

const AS_OF = '2026-03-02T00:00:00Z'
const PUBLISHED = ['/indexes/idx_a', '/ratings/rat_a', '/severity-indexes/six_a', '/markets/mkt_a']

/** Public API that has some records; a market of the own venue has no past. */
const api = {
  find: async (path: string, query: { as_of?: string }) =>
    PUBLISHED.includes(path) || (path === '/markets/mkt_own' && query.as_of === undefined) ? {} : null,
  list: async (_path: string, { event_id }: { event_id?: string }) =>
    event_id === 'evt_a' ? [{ market_id: 'mkt_b' }] : [],
} as never

describe('the subject of a complaint', () => {
  test.each([
    ['index', 'idx_a', null],
    ['index', 'idx_b', 'subject_id is idx_b, which is no published index'],
    ['market', 'mkt_own', null],
    ['market', 'idx_a', 'subject_id is idx_a, which is no published market'],
    ['rating', 'rat_a', null],
    ['severity', 'six_a', null],
    ['severity', null, 'subject_id is absent; severity has one'],
    ['other', null, null],
    ['other', 'idx_a', 'subject_id is idx_a; other has no record'],
  ] as const)('of kind %s named %s: %s', async (subject_kind, subject_id, fault) => {
    expect(await faultOfSubject(api, { subject_kind, subject_id }, AS_OF)).toBe(fault)
  })
})

const version = (index_id: string, market_id: string, published_at: string, policy_id?: string) => ({
  resource: {
    ...{ index_id, methodology_id: `mth_${index_id.slice(4)}`, published_at },
    definition: policy_id === undefined ? {} : { selection: { eligibility_policy: { policy_id, version: '1' } } },
  },
  constituents: [{ market_id }],
})
const proposal = (proposal_id: string, target: string, published_at = '2026-01-01T00:00:00Z') => ({
  ...{ proposal_id, target, published_at },
})
const NAMED = {
  as_of: AS_OF,
  states: [
    proposal('prp_levels', 'idx_a:levels'),
    proposal('prp_b', 'idx_b'),
    proposal('prp_method', 'mth_a'),
    proposal('prp_policy', 'pol_core'),
    proposal('prp_terms', 'pol_source_terms'),
    proposal('prp_roster', 'roster'),
  ],
  notices: [{ notice_id: 'ntc_a', index_id: 'idx_a', market_id: null, proposal_id: null, published_at: AS_OF }],
  about: {
    versions: [
      version('idx_a', 'mkt_a', '2026-01-01T00:00:00Z', 'pol_core'),
      version('idx_b', 'mkt_b', '2026-01-01T00:00:00Z'),
      version('idx_a', 'mkt_late', '2026-06-01T00:00:00Z'),
    ],
    assessed: [
      { rating_id: 'rat_a', market_id: 'mkt_a' },
      { assessment_id: 'sev_a', event_id: 'evt_a' },
    ],
  },
} as never

describe('the proposal of an outcome', () => {
  test.each([
    ['idx_a', 'prp_levels', true],
    ['idx_a', 'prp_method', true],
    ['idx_a', 'prp_policy', true],
    ['idx_a', 'prp_b', false],
    ['idx_b', 'prp_terms', false],
    ['mkt_a', 'prp_levels', true],
    ['mkt_a', 'prp_b', false],
    ['mkt_late', 'prp_levels', false],
    ['rat_a', 'prp_levels', true],
    ['rat_a', 'prp_b', false],
    ['sev_a', 'prp_b', true],
    ['sev_a', 'prp_levels', false],
    ['ntc_a', 'prp_levels', true],
    ['ntc_a', 'prp_roster', false],
    ['prp_roster', 'prp_roster', true],
    [null, 'prp_b', true],
    ['idx_a', null, true],
    ['idx_a', 'prp_none', false],
  ])('about %s may be %s: %s', async (subject_id, proposal_id, allowed) => {
    const complaint = { subject_id, proposal_id, recorded_at: AS_OF } as never
    expect((await faultOfNamed(api, complaint, NAMED)) === null).toBe(allowed)
  })
})
