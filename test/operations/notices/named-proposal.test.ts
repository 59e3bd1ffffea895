import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Governance } from '../../../operations/governance/read-governance.ts'
import { checkNamedProposal } from '../../../operations/notices/named-proposal.ts'
import { NO_GOVERNANCE, type Proposal } from '../../../pipelines/governance/proposal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { append } from '../../support/notice-world.ts'
import { refusalOf } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const AT = '2026-01-01T00:00:00Z'
let warehouse: Warehouse
let before: Micros
let now: Micros

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  before = await warehouse.now()
  const version = (id: string, fields: object) => ({
    ...{ index_version_id: `idv_${id}`, index_id: `idx_${id}`, version: '1', status: 'active', effective_from: AT },
    ...{ methodology_version: '1.0.0', mode: 'gauge', calculation_frequency: 'PT1M', rebalance_rule: 'none' },
    ...{ weight_sum: '1.0000000000', minimum_coverage_ratio: '0.5000000000', change_summary: [], ...fields },
  })
  const constituent = (market_id: string) => ({
    ...{ constituent_id: `con_${market_id}`, market_id, outcome_id: 'out_y', target_weight: '1.0000000000' },
  })
  const selection = JSON.stringify({ selection: { eligibility_policy: { policy_id: 'pol_a', version: 1 } } })
  const a = { methodology_id: 'mth_a', definition: selection, constituents: [constituent('mkt_a')] }
  const b = { methodology_id: 'mth_b', definition: '{}', constituents: [constituent('mkt_b')] }
  await append(warehouse, 'index_version', version('a', a), version('b', b))
  const rating = { rating_id: 'rat_a', chain_id: 'rch_a', revision: 1, market_id: 'mkt_a', effective_from: AT }
  const of = { methodology_id: 'mth_r', methodology_version: '1.0.0', issuer: { kind: 'model', issuer_id: 'x' } }
  const review = { review_state: 'approved', observation_cutoff_at: AT, confidence: '0.9000' }
  const shown = { band: 'MR1', score: '90.00', outlook: 'stable', watch_status: 'none', reason_codes: [], evidence: [] }
  await append(warehouse, 'market_rating', { ...rating, ...of, ...review, ...shown, component_scores: {} })
  const market = { market_id: 'mkt_b', revision: 1, event_id: 'evt_b', title: 'B', status: 'open', outcomes: [] }
  const received = { outcome_type: 'binary', source_at: AT, received_at: AT }
  await append(warehouse, 'market', { ...market, ...received })
  const severity = { assessment_id: 'sev_b', chain_id: 'sch_b', revision: 1, event_id: 'evt_b', effective_from: AT }
  const assessed = {
    assessment_type: 'forecast',
    level: 'SEV-1',
    event_time_window: { start: AT, end: AT },
    score: '10.00',
    component_scores: {},
    ...of,
  }
  await append(warehouse, 'severity_assessment', {
    ...severity,
    ...assessed,
    ...review,
    reason_codes: [],
    evidence: [],
  })
  const notice = { notice_id: 'ntc_a', kind: 'announcement', title: 'A', text: 'A', changes: [], source_ids: [] }
  await append(warehouse, 'governance_notice', { ...notice, index_id: 'idx_a' })
  now = await warehouse.now()
})
afterAll(() => warehouse.close())

/** Checks an outcome that names a proposal about a target. */
async function named(subject_id: string | null, target: string, by = now): Promise<void> {
  const proposal = { proposal_id: 'prp_x', target } as Proposal
  const state = { ...NO_GOVERNANCE, proposals: new Map([['prp_x', proposal]]) }
  const governance: Governance = { state, acts: [] }
  await checkNamedProposal(warehouse, { subject_id, proposal_id: 'prp_x' }, { governance, by })
}

test.each([
  ['idx_a', ['idx_a', 'idx_a:status', 'idx_a:levels', 'mth_a', 'pol_a'], ['idx_b', 'mth_b', 'policy', 'roster']],
  ['mkt_a', ['idx_a', 'idx_a:levels', 'mth_a', 'pol_a'], ['idx_b', 'idx_b:levels', 'mth_b']],
  ['rat_a', ['idx_a', 'pol_a'], ['idx_b']],
  ['sev_b', ['idx_b', 'mth_b'], ['idx_a', 'pol_a']],
  ['ntc_a', ['idx_a', 'mth_a'], ['idx_b']],
  [null, ['idx_a', 'policy', 'roster'], []],
])('a complaint about %s leads to proposals about %j, and not about %j', async (subject_id, accepted, refused) => {
  for (const target of accepted) await named(subject_id, target)
  for (const target of refused) {
    const { code, message } = await refusalOf(named(subject_id, target))
    expect(code).toBe('VALIDATION_DEFINITION_INVALID')
    expect(message).toMatch(`proposal_id is prp_x, about ${target.split(':')[0]}; allowed: one about `)
  }
})

test('a record that no index uses leads to none; what is published later decides nothing', async () => {
  expect((await refusalOf(named('mkt_none', 'idx_a'))).message).toBe(
    'proposal_id is prp_x, about idx_a; allowed: none: no proposal is about mkt_none',
  )
  await refusalOf(named('mkt_a', 'idx_a', before))
})
