import { describe, expect, test } from 'vitest'
import { actRows, remarks, voteRows } from '../../console/governance/model/act-rows.ts'
import { deadlineOf, expiryOf, keyState, showRemaining } from '../../console/governance/model/deadline.ts'
import { differenceRows, readableContent } from '../../console/governance/model/difference-rows.ts'
import { impactRows } from '../../console/governance/model/impact-rows.ts'
import { filteredProposals, valuesOf } from '../../console/governance/model/proposal-list.ts'
import type { Proposal } from '../../console/governance/model/words.ts'
import type { GovernanceAct, ProposalWithHistory } from '../../protocol/resources/governance.ts'

const proposal = (fields: Partial<Proposal>): Proposal =>
  ({
    proposal_id: 'prp_a',
    kind: 'policy',
    state: 'proposed',
    comment_ends_at: '2026-01-02T00:00:00Z',
    vote_ends_at: null,
    effective_at: null,
    expires_at: '2026-03-01T00:00:00Z',
    lapses_at: null,
    ...fields,
  }) as Proposal
const at = (text: string) => Date.parse(text)

describe('the list of proposals', () => {
  const all = [
    proposal({ proposal_id: 'prp_a', state: 'effective', kind: 'roster' }),
    proposal({ proposal_id: 'prp_b', state: 'queued' }),
    proposal({ proposal_id: 'prp_c', state: 'vetoed' }),
  ]
  test.each([
    [null, null, ['prp_c', 'prp_b', 'prp_a']],
    ['policy', null, ['prp_c', 'prp_b']],
    [null, 'open', ['prp_b']],
    ['roster', 'queued', []],
    [null, 'vetoed', ['prp_c']],
  ])('kind %s and state %s keep these, newest first', (kind, state, ids) => {
    expect(filteredProposals(all, { kind, state }).map(({ proposal_id }) => proposal_id)).toEqual(ids)
  })

  test('the filter offers what occurs, with its number', () => {
    expect(valuesOf(all, 'kind')).toEqual([
      ['policy', 2],
      ['roster', 1],
    ])
  })
})

describe('deadlines', () => {
  test.each([
    [{ state: 'consulting' }, 'Comments end'],
    [{ state: 'proposed' }, 'Expires'],
    [{ state: 'proposed', vote_ends_at: '2026-01-03T00:00:00Z' }, 'Vote ends'],
    [{ state: 'queued', effective_at: '2026-01-04T00:00:00Z' }, 'Notice ends'],
    [{ state: 'effective', lapses_at: '2026-01-05T00:00:00Z' }, 'Lapses unless ratified'],
    [{ state: 'effective' }, undefined],
    [{ state: 'vetoed', effective_at: '2026-01-04T00:00:00Z' }, undefined],
  ] as const)('%j waits for: %s', (fields, what) => {
    expect(deadlineOf(proposal(fields))?.what).toBe(what)
  })

  test.each([
    ['2026-01-03T04:00:30Z', 'in 2 d 4 h'],
    ['2026-01-01T00:12:05Z', 'in 12 min 5 s'],
    ['2026-01-01T00:00:07Z', 'in 7 s'],
    ['2026-01-01T00:00:00Z', 'in 0 s'],
    ['2025-12-31T21:59:00Z', 'due 2 h 1 min ago'],
  ])('until %s it is %s', (until, text) => {
    expect(showRemaining(until, at('2026-01-01T00:00:00Z'))).toBe(text)
  })

  test('an expiry is warned of 30 days ahead, to the millisecond', () => {
    const now = at('2026-01-01T00:00:00Z')
    const states = ['2026-01-31T00:00:00.001Z', '2026-01-31T00:00:00Z', '2026-01-01T00:00:00Z', null].map((one) =>
      expiryOf(one, now),
    )
    expect(states).toEqual([null, 'soon', 'expired', null])
  })

  test.each([
    [{}, 'valid'],
    [{ valid_from: '2026-02-01T00:00:00Z' }, 'not yet valid'],
    [{ valid_to: '2026-01-10T00:00:00Z' }, 'expires soon'],
    [{ valid_to: '2025-12-31T00:00:00Z' }, 'expired'],
    [{ revoked_at: '2026-01-01T00:00:00Z' }, 'revoked'],
    [{ revoked_at: '2026-01-02T00:00:00Z' }, 'valid'],
  ])('a key with %j is %s', (fields, state) => {
    const key = { valid_from: '2025-01-01T00:00:00Z', valid_to: null, revoked_at: null, ...fields }
    expect(keyState(key, at('2026-01-01T00:00:00Z'))).toBe(state)
  })
})

describe('acts', () => {
  const act = (act_id: string, fields: Partial<GovernanceAct>, details: object): GovernanceAct =>
    ({
      act_id,
      outcome: 'recorded',
      acted_at: '2026-01-01T00:00:00Z',
      signed_text: JSON.stringify({ details }),
      ...fields,
    }) as GovernanceAct
  const acts = [
    act('gac_1', { act: 'propose', actor_id: 'admin' }, { rationale: 'a reason' }),
    act('gac_2', { act: 'vote', actor_id: 'ann' }, { choice: 'dissent', reason: 'no' }),
    act(
      'rfs_1',
      { act: 'comment', actor_id: 'bob', outcome: 'refused', code: 'REVIEW_NOT_ALLOWED' },
      { text: 'refused' },
    ),
    act('gac_3', { act: 'comment', actor_id: 'bob' }, { text: 'why?' }),
    { ...act('gac_4', { act: 'veto', actor_id: 'olaf' }, {}), signed_text: 'no JSON' },
  ]
  const history = [
    ['gac_1', 'proposed'],
    ['gac_2', 'proposed'],
    ['gac_3', 'proposed'],
    ['gac_4', 'vetoed'],
  ]
  const whole = { history: history.map(([act_id, state]) => ({ act_id, state })) } as unknown as ProposalWithHistory
  const rows = actRows(whole, acts)

  test('each has the state that it led to, and its text; a refused one has none', () => {
    expect(rows.map(({ state, text, choice }) => [state, text, choice])).toEqual([
      ['proposed', 'a reason', null],
      ['proposed', 'no', 'dissent'],
      [null, 'refused', null],
      ['proposed', 'why?', null],
      ['vetoed', null, null],
    ])
  })

  test('remarks are comments, recusals, vetoes and withdrawals that were recorded', () => {
    expect(remarks(rows).map(({ act: one }) => one.act_id)).toEqual(['gac_3', 'gac_4'])
  })

  test('a vote has the reason of its act', () => {
    const vote = { actor_id: 'ann', choice: 'dissent' as const, public_key: 'k', acted_at: '2026-01-01T00:00:00Z' }
    const said = { ...vote, reason: 'no' }
    expect(voteRows([said, { ...said, actor_id: 'cleo' }], rows).map(({ reason }) => reason)).toEqual(['no', null])
  })
})

test('differences are old beside new; texts without quotes; a long list is cut', () => {
  const one = { path: '/threshold', before: '1', after: '2' }
  expect(
    differenceRows([one, { path: '/name', before: null, after: '"Ann"' }, { path: '/x', before: '{', after: null }]),
  ).toEqual([
    { ...one, change: 'changed' },
    { path: '/name', before: null, after: 'Ann', change: 'added' },
    { path: '/x', before: '{', after: null, change: 'removed' },
  ])
  expect(differenceRows(Array.from({ length: 205 }, () => one))).toHaveLength(200)
  expect([readableContent('{"a":1}'), readableContent('{')]).toEqual(['{\n  "a": 1\n}', '{'])
})

describe('an impact report', () => {
  const quantiles = { lowest: '0.00', p50: '1.20', p95: '4.00', highest: '7.50' }
  const side = {
    states: [{ quality_state: 'valid', ticks: 1440 }],
    coverage_ratio: { lowest: '0.700000', highest: '1.000000' },
  }
  const report = {
    statement: 'tidemark.impact.v1',
    version_before: '1',
    version_after: '2',
    as_of: '2026-01-01T00:00:00Z',
    from: '2025-12-01T00:00:00Z',
    to: '2025-12-31T00:00:00Z',
    is_full_window: true,
    change_class: 'parameter',
    restate_bp: '10',
    levels: {
      ticks: { compared: 1440, equal: 1000, different_level: 440, different_state: 0 },
      absolute_basis_points: quantiles,
      largest: { tick_at: '2025-12-02T00:00:00Z', level_before: '1000.0000', level_after: '1000.7500' },
      before: side,
      after: { ...side, coverage_ratio: null },
    },
    composition: { turnover: '0.0500000000', constituents_in: 1, constituents_out: 0 },
    changes: [
      {
        kind: 'constituent_in',
        name: 'con_a',
        before: null,
        after: '0.1',
        effect: { ticks_different: 440, states_different: 0, median_bp: '1.20', largest_bp: '7.50' },
      },
      { kind: 'setting', name: 'roll', before: 'a', after: 'b', effect: null },
    ],
    missing_inputs: { before: null, after: { moves: [{ constituent_id: 'con_a', move_bp: '12.50' }] } },
    manipulation_cost: {
      before: null,
      after: {
        ticks_examined: 20,
        ticks_without_depth: 1,
        notional_at_least: { least: '10.000000', median: '30.500000', greatest: '1200.000000' },
        notional_sufficient: null,
      },
    },
    back_test: {
      before: null,
      after: {
        leads: [
          { lead_d: 1, brier_score: '0.040000' },
          { lead_d: 7, brier_score: null },
        ],
      },
    },
  }

  test('is shown side by side, with each change alone', () => {
    const { facts, sides, changes } = impactRows(JSON.stringify(report))!
    expect(Object.fromEntries(facts)).toMatchObject({
      Class: 'parameter; threshold 10 bp',
      Differences: 'median 1.2 bp, 95 % below 4 bp, largest 7.5 bp',
      Turnover: '5 % of the weight',
    })
    expect(sides).toEqual([
      ['Version', '1', '2'],
      ['Ticks by quality', 'valid 1,440', 'valid 1,440'],
      ['Coverage', '70 to 100 %', 'none'],
      ['Largest move if an input is missing', 'unknown', '12.5 bp without con_a'],
      ['Cost to move by 1 %', 'unknown', 'at least 10 to 1,200, median 30.5; 1 of 20 ticks without depth'],
      ['Brier score against outcomes', 'none', '0.04, 1 d before'],
    ])
    expect(changes.map(({ cells }) => cells)).toEqual([
      ['constituent in con_a', null, '0.1', '440', '7.5 bp'],
      ['setting roll', 'a', 'b', 'cannot be made alone', 'none'],
    ])
  })

  test('of another kind of change is shown too', () => {
    const change = { statement: 'tidemark.impact.v2', as_of: '2026-01-01T00:00:00Z', change_class: 'material' }
    const methodology = {
      ...{ ...change, kind: 'methodology', target_id: 'mth_a', indexes_using: 2, not_computed: [] },
      parameters: [{ name: 'outlier.k', before: '5', after: null }],
      classes: { text: 1, parameter: 0, material: 1 },
      indexes: [{ index_id: 'idx_a', change_class: 'material', largest_bp: '12.50' }],
    }
    const shown = impactRows(JSON.stringify(methodology))!
    expect(Object.fromEntries(shown.facts)).toMatchObject({
      Indexes: '2 use it: 1 text, 0 parameter, 1 material',
      idx_a: 'material, largest 12.5 bp',
    })
    expect(shown.sides).toEqual([['outlier.k', '5', 'off']])
    const counts = { eligible: 1, ineligible: 2, unknown: 3 }
    const policy = { ...change, kind: 'eligibility_policy', target_id: 'pol_a', indexes: [] }
    const of_policy = impactRows(
      JSON.stringify({ ...policy, markets: { before: null, after: counts, no_longer_eligible: 0 } }),
    )!
    expect(of_policy.sides[1]).toEqual(['Markets ineligible', 'none', '2'])
    const lists = { proposals: [], market_ids: ['mkt_a'], severity_index_ids: [], indexes: [] }
    const end = { ...change, kind: 'cessation', target_id: 'idx_a', status_before: 'active', status_after: 'archived' }
    const of_end = impactRows(
      JSON.stringify({
        ...{ ...end, effective_from: '2026-03-01T00:00:00Z', final_value: 'the last level', substitute: null },
        dependents: lists,
      }),
    )!
    expect(Object.fromEntries(of_end.facts)).toMatchObject({ Substitute: null, 'Markets whose rules name it': '1' })
  })

  test('of another form is not guessed at', () => {
    for (const text of ['{', '{"statement":"other"}', JSON.stringify({ statement: report.statement })])
      expect(impactRows(text)).toBeNull()
  })
})
