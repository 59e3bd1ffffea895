import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { applyPolicy } from '../../../operations/eligibility/policies.ts'
import { advanceGovernance, recordAct } from '../../../operations/governance/advance-governance.ts'
import { auditVersions } from '../../../operations/governance/audit-versions.ts'
import { adoptionOf, rebalanceOf } from '../../../operations/governance/change-of-file.ts'
import { proposalOfChange } from '../../../operations/governance/governance-act-of.ts'
import { performGovernanceAct, signGovernanceAct } from '../../../operations/governance/perform-governance-act.ts'
import { readGovernance } from '../../../operations/governance/read-governance.ts'
import { openAppendGuard } from '../../../operations/import/append-guard.ts'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { runRebalances } from '../../../operations/selection/run-rebalances.ts'
import { loadSelectable } from '../../../operations/selection/select-index.ts'
import { selectRebalance } from '../../../operations/selection/select-rebalance.ts'
import { parseGovernanceAct } from '../../../pipelines/governance/acts.ts'
import type { ProposedContent } from '../../../pipelines/governance/change-form.ts'
import { decideAct } from '../../../pipelines/governance/decide.ts'
import { moveDue, nextDue } from '../../../pipelines/governance/due.ts'
import type { Proposal } from '../../../pipelines/governance/proposal.ts'
import { SERVICE_NAME } from '../../../pipelines/governance/roster-form.ts'
import type { SignedAct } from '../../../pipelines/review/signed-act.ts'
import { proFormaRecord } from '../../../pipelines/selection/pro-forma.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from '../../support/governance-world.ts'
import { refusalOf } from '../../support/refusal.ts'
import { person } from '../../support/review-world.ts'
import { clockedWarehouse, publishMarkets, publishRatings, publishTrades } from '../../support/selection-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const ELIGIBILITY = `policy: { policy_id: pol_core, name: Core }
rules:
  - { fact: market_status, one_of: [open] }
  - { fact: rating_band, at_least: MR3, age_max: P365D }
`
const DEFINITION = `
index: { index_id: idx_rule, slug: rule, symbol: RULE, name: Rule, base_date: 2026-05-01T00:00:00Z }
methodology: { methodology_id: mth_rule, version: "1", name: Rule, parameters: { mode: chain_linked } }
versions:
  - version: "1"
    effective_from: 2026-05-06T14:00:00Z
    calculation_frequency: P1D
    weighting: { rule: sqrt_volume }
    selection:
      universe: { venue_ids: [polymarket] }
      eligibility_policy: { policy_id: pol_core, version: 1 }
      ranking: { fact: median_daily_volume }
      count: 2
    rebalance: { schedule: monthly }
`
const rule = (committee: number, oversight: number, notice: string) => ({
  ...{ committee, oversight, comment: 'PT0S', vote: 'PT0S', notice },
})
const POLICY = {
  ...TEST_POLICY,
  classes: { ...TEST_POLICY.classes, text: rule(1, 0, 'PT1H'), scheduled_rebalance: rule(1, 0, 'P5D') },
}
const PEOPLE = {
  admin: person('admin', 'administrator'),
  ann: person('ann', 'committee'),
  ben: person('ben', 'committee'),
  olaf: person('olaf', 'oversight'),
}

let world: Awaited<ReturnType<typeof clockedWarehouse>>
let acts: ReturnType<typeof governanceActs>

beforeAll(async () => {
  const folder = tempFolder()
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  world = await clockedWarehouse(join(folder, 'warehouse'), '2026-04-20T00:00:00Z')
  const { warehouse, at } = world
  acts = governanceActs(warehouse)
  await publishMarkets(
    warehouse,
    ['a', 'b', 'c', 'd'].map((id) => ({ id })),
  )
  await publishRatings(warehouse, { a: 'MR1', b: 'MR2', c: 'MR3', d: 'MR3' })
  at('2026-04-29T12:00:00Z')
  await publishTrades(warehouse, { a: '800', b: '400', c: '200', d: '100' })
  await applyPolicy(warehouse, file('policy.yaml', ELIGIBILITY))
  at('2026-04-30T00:00:00Z')
  await applyDefinitions({ files: [file('rule.yaml', DEFINITION)], clock: 'wall', warehouse })
  const clock = await warehouse.now()
  const in_force = { threshold: 1, expires_at: inDays(clock, 300) }
  await acts.propose(PEOPLE.admin, rosterChange(await acts.state(), Object.values(PEOPLE), in_force))
  const policy = policyChange(await acts.state(), POLICY, inDays(clock, 300))
  await acts.propose(PEOPLE.admin, policy)
  for (const by of [PEOPLE.ann, PEOPLE.olaf]) await acts.vote(by, policy)
  const adoption = await propose(await adoptionOf(warehouse, 'idx_rule'))
  await vote(adoption)
  at('2026-05-01T00:00:00Z')
  await advanceGovernance(warehouse)
})
afterAll(() => world.warehouse.close())

async function propose(change: ProposedContent): Promise<Proposal> {
  const wish = { ...change, rationale: 'the schedule', emergency: null, base_hash: null }
  const signed = await proposalOfChange(world.warehouse, PEOPLE.ann.signer, wish)
  return (await performGovernanceAct(world.warehouse, signed)).proposal!
}
const vote = ({ kind, proposal_id }: Proposal) =>
  acts.perform(PEOPLE.ben, { act: 'vote', kind, subject_id: proposal_id, details: { choice: 'approve', reason: null } })
const stateOf = async ({ proposal_id }: Proposal) => (await acts.state()).proposals.get(proposal_id)!
const query = async (sql: string) => {
  const session = await openReadSession(world.warehouse, { as_of: null })
  return session.query(sql).finally(() => session.close())
}
const advance = async (instant: string) => {
  world.at(instant)
  await advanceGovernance(world.warehouse)
}
/** Announces the composition of an instant now, whether or not that is in time. */
async function announceNow(effective_from: string): Promise<void> {
  const { base, index } = await loadSelectable(world.warehouse, 'idx_rule')
  const selected = await selectRebalance(world.warehouse, base, index, toMicros(effective_from))
  const row = proFormaRecord({ ...selected, is_governed: true, base_version_id: base.version.index_version_id })
  const step = { app_id: row.pro_forma_id, app_sequence: 1, stamp: { kind: 'wall' }, operation: 'TEST' } as const
  await world.warehouse.append('index_pro_forma', [row], step)
}

const JUNE = '2026-06-03T14:00:00Z'

test('an announced composition needs one signature, no impact, and is published in the hour before it begins', async () => {
  world.at('2026-05-26T00:00:00Z')
  await publishTrades(world.warehouse, { c: '9000' })
  world.at('2026-05-28T15:00:00Z')
  expect(await runRebalances(world.warehouse)).toMatchObject([{ step: 'announce', outcome: 'done' }])
  const proposal = await propose(await rebalanceOf(world.warehouse, 'idx_rule'))
  expect(proposal).toMatchObject({ change_class: 'scheduled_rebalance', impact_digest: null, state: 'proposed' })
  await vote(proposal)
  expect(await stateOf(proposal)).toMatchObject({ state: 'queued', effective_at: toMicros(JUNE) - 3_600_000_000 })
  await advance('2026-06-03T12:59:59Z')
  expect(await stateOf(proposal)).toMatchObject({ state: 'queued' })
  await advance('2026-06-03T13:00:00Z')
  expect(await stateOf(proposal)).toMatchObject({ state: 'effective' })
  const versions = await query('select * from index_version order by effective_from')
  expect(versions).toMatchObject([
    { version: '1', governance: null },
    { version: '2026-06-03', governance: 'governed', approved_by: 'ben', proposal_id: proposal.proposal_id },
  ])
  const [, frozen] = await query('select * from index_pro_forma order by effective_from')
  expect(versions[1]!.definition).toBe(frozen!.definition)
  expect((await auditWarehouse({ warehouse: world.warehouse })).violations).toEqual([])
})

const JULY = '2026-07-01T14:00:00Z'

test('what differs from the announced composition, or was announced late or not at all, needs an impact', async () => {
  world.at('2026-06-20T00:00:00Z')
  await publishTrades(world.warehouse, { a: '500', c: '700' })
  world.at('2026-06-25T15:00:00Z')
  const { base, index } = await loadSelectable(world.warehouse, 'idx_rule')
  const { defined } = await selectRebalance(world.warehouse, base, index, toMicros(JULY))
  const june = await stateOf([...(await acts.state()).proposals.values()].find((one) => one.kind === 'index_version')!)
  const [newest] = await query('select index_version_id from index_version order by effective_from desc limit 1')
  const ids = defined.version.constituents.map(({ constituent_id }) => String(constituent_id))
  const weighed = (weights: readonly string[]): ProposedContent => {
    const content = {
      ...june.content,
      ...{ version: defined.version.version, effective_from: formatMicros(defined.version.effective_from) },
      ...{ definition: defined.file, supersedes_version_id: newest!.index_version_id },
      target_weights: Object.fromEntries(ids.map((id, i) => [id, weights[i]!])),
    }
    return { kind: 'index_version', content: JSON.parse(JSON.stringify(content)) }
  }
  const right = defined.version.constituents.map(({ target_weight }) => target_weight.toFixed(10))
  const refused = async (wish: ProposedContent) => {
    const { code, message } = await refusalOf(propose(wish))
    return [code, [...message.matchAll(/\(([A-Z_]+)\)/g)].map(([, fault]) => fault).join(' ')]
  }
  expect(await refused(weighed(right))).toEqual(['GOVERNANCE_IMPACT_REQUIRED', 'NOT_ANNOUNCED'])
  world.at('2026-06-26T14:00:01Z')
  await announceNow(JULY)
  expect(await refused(weighed(right))).toEqual(['GOVERNANCE_IMPACT_REQUIRED', 'ANNOUNCED_LATE'])
  expect(await refused(weighed(['0.5000000000', '0.5000000000']))).toEqual([
    'GOVERNANCE_IMPACT_REQUIRED',
    'ANNOUNCED_LATE DIFFERS_FROM_ANNOUNCED SELECTION_DIFFERS',
  ])
})

test('one that was recorded without the comparison expires instead of taking effect', async () => {
  const { warehouse, at } = world
  at('2026-07-20T00:00:00Z')
  await publishTrades(warehouse, { a: '500', c: '700' })
  at('2026-07-31T13:00:00Z')
  // The composition of July is announced too, but its start has passed.
  expect((await runRebalances(warehouse)).at(-1)).toMatchObject({ step: 'announce', outcome: 'done' })
  const { kind, content } = await rebalanceOf(warehouse, 'idx_rule')
  const ids = Object.keys(content.target_weights as object)
  const altered = { ...content, target_weights: Object.fromEntries(ids.map((id) => [id, '0.5000000000'])) }
  const proposal = await recordUnchecked({ kind, content: altered })
  expect(proposal.change_class).toBe('scheduled_rebalance')
  await vote(proposal)
  expect(await stateOf(proposal)).toMatchObject({ state: 'queued' })
  await advance('2026-08-05T13:00:00Z')
  expect(await stateOf(proposal)).toMatchObject({ state: 'expired', reason: 'PRECONDITION_BROKEN' })
  const [act] = await query(
    "select signed_text from governance_act where act = 'expire' order by sequence desc limit 1",
  )
  expect(String(act!.signed_text)).toContain('DIFFERS_FROM_ANNOUNCED')
  expect(await query('select count(*)::int as n from index_version')).toEqual([{ n: 2 }])
})

test('the audit finds one that a process put in force without the comparison', async () => {
  const { kind, content } = await rebalanceOf(world.warehouse, 'idx_rule')
  const [first, ...others] = Object.keys(content.target_weights as object)
  const target_weights = { [first!]: '1.0000000000', ...Object.fromEntries(others.map((id) => [id, '0.0000000000'])) }
  const { proposal_id } = await recordUnchecked({ kind, content: { ...content, target_weights } })
  const acted_at = await world.warehouse.now()
  const vote = { act: 'vote', kind, subject_id: proposal_id, details: { choice: 'approve', reason: null } } as const
  await recordAsIs(signGovernanceAct(PEOPLE.ben.signer, { ...vote, actor_id: 'ben', acted_at }))
  await performUnchecked()
  expect((await acts.state()).proposals.get(proposal_id)).toMatchObject({ state: 'effective' })
  const { violations } = await auditVersions(world.warehouse)
  expect(violations.map(({ id, detail }) => [id, detail])).toEqual([
    [proposal_id, 'it was activated, and is not published'],
    [proposal_id, 'it is not a scheduled rebalance: DIFFERS_FROM_ANNOUNCED, SELECTION_DIFFERS'],
  ])
})

/** Records a proposal as a process would that compares nothing. */
async function recordUnchecked(change: ProposedContent): Promise<Proposal> {
  const wish = { ...change, rationale: 'the schedule', emergency: null, base_hash: null }
  return recordAsIs(await proposalOfChange(world.warehouse, PEOPLE.ann.signer, wish))
}

async function recordAsIs({ signed_text, public_key, signature }: SignedAct): Promise<Proposal> {
  const { warehouse } = world
  const guard = await openAppendGuard(warehouse, ['governance_act'])
  const governance = await readGovernance(warehouse)
  const [act, recorded_at] = [parseGovernanceAct(signed_text), await warehouse.now()]
  const { actor, decision } = decideAct(governance.state, { act, public_key, recorded_at })
  const before = governance.state.proposals.get(act.subject_id) ?? null
  const signed = { public_key, signature }
  const recorded = { act, sequence: governance.acts.length + 1, recorded_at, roles: actor.roles, signed }
  await recordAct(warehouse, guard, recorded, { decision, before })
  return (decision as { readonly proposal: Proposal }).proposal
}

/** Performs what is due as a process would that compares nothing. */
async function performUnchecked(): Promise<void> {
  const { warehouse } = world
  for (;;) {
    const guard = await openAppendGuard(warehouse, ['governance_act'])
    const governance = await readGovernance(warehouse)
    const at = await warehouse.now()
    const due = nextDue(governance.state, at)
    if (due === null) return
    const before = governance.state.proposals.get(due.proposal_id)!
    const details = { since: formatMicros(due.since), reason: due.reason }
    const named = { act: due.act, kind: before.kind, subject_id: due.proposal_id, details }
    const act = { ...named, actor_id: SERVICE_NAME, acted_at: at }
    const recorded = { act, sequence: governance.acts.length + 1, recorded_at: at, roles: [], signed: null }
    const decision = { proposal: moveDue(governance.state, due, at) }
    await recordAct(warehouse, guard, recorded, { decision, before })
  }
}
