import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyPolicy, listPolicies, nextPolicy } from '../../../operations/eligibility/policies.ts'
import { auditGovernance } from '../../../operations/governance/audit-governance.ts'
import type { EligibilityPolicy } from '../../../pipelines/eligibility/policy.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import {
  changeTo,
  governanceActs,
  inDays,
  policyChange,
  rosterChange,
  TEST_POLICY,
} from '../../support/governance-world.ts'
import { refusalOf } from '../../support/refusal.ts'
import { person } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const admin = person('admin', 'administrator')
const members = [person('ann', 'committee'), person('ben', 'committee'), person('eve', 'oversight')] as const
const [ann, ben, eve] = members
const AT_ONCE = { comment: 'PT0S', vote: 'PT0S', notice: 'PT0S' }
const RULES = {
  ...TEST_POLICY,
  classes: {
    ...TEST_POLICY.classes,
    text: { committee: 1, oversight: 0, ...AT_ONCE },
    material: { committee: 1, oversight: 1, ...AT_ONCE },
  },
}
let warehouse: Warehouse
let acts: ReturnType<typeof governanceActs>

const file = (name: string, rules = '{ fact: spread, at_most: 0.05 }') => {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(path, `policy: { policy_id: pol_core, name: ${name} }\nrules: [${rules}]\n`)
  return path
}
const proposalOf = async (path: string) => {
  const { document, before } = await nextPolicy(warehouse, path)
  return { document, change: changeTo('eligibility_policy', document, before?.record_hash ?? null) }
}
const names = async () =>
  (await listPolicies(warehouse, null))
    .slice(1)
    .map(({ document, proposal_id }) => [
      document.version,
      document.name,
      proposal_id === null ? 'ungoverned' : 'governed',
    ])

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  acts = governanceActs(warehouse)
  await applyPolicy(warehouse, file('first'))
  const now = await warehouse.now()
  await acts.propose(
    admin,
    rosterChange(await acts.state(), [admin, ...members], { threshold: 1, expires_at: inDays(now, 300) }),
  )
  const policy = policyChange(await acts.state(), RULES, inDays(now, 300))
  await acts.propose(admin, policy)
  await acts.vote(ann, policy)
  await acts.vote(eve, policy)
})
afterAll(() => warehouse.close())

test('a home with a roster applies no policy: it is proposed, signed as a material change, and follows the ungoverned version', async () => {
  expect((await refusalOf(applyPolicy(warehouse, file('second')))).code).toBe('GOVERNANCE_REQUIRED')
  const { change } = await proposalOf(file('second', '{ fact: spread, at_most: 0.04 }'))
  const proposed = await acts.propose(ann, change)
  expect(proposed.proposal).toMatchObject({ change_class: 'material', target: 'pol_core', state: 'proposed' })
  expect((await refusalOf(acts.vote(ann, change))).code).toBe('REVIEW_NOT_ALLOWED')
  await acts.vote(ben, change)
  expect(await names()).toEqual([[1, 'first', 'ungoverned']])
  expect((await acts.vote(eve, change)).proposal).toMatchObject({ state: 'effective' })
  expect(await names()).toEqual([
    [1, 'first', 'ungoverned'],
    [2, 'second', 'governed'],
  ])
})

test('other words alone are a change of text; a document that follows another base is refused', async () => {
  const { document, change } = await proposalOf(file('third', '{ fact: spread, at_most: 0.04 }'))
  const stale = changeTo('eligibility_policy', document, 'a'.repeat(64))
  expect((await refusalOf(acts.propose(ann, stale))).code).toBe('GOVERNANCE_BASE_STALE')
  const wrong = { ...document, version: 7 } as EligibilityPolicy
  const skipped = changeTo('eligibility_policy', wrong, document.previous_hash)
  expect((await refusalOf(acts.propose(ann, skipped))).code).toBe('REVIEW_STATE_CONFLICT')
  expect((await acts.propose(ann, change)).proposal).toMatchObject({ change_class: 'text' })
  expect((await acts.vote(ben, change)).proposal).toMatchObject({ state: 'effective' })
  expect((await names()).at(-1)).toEqual([3, 'third', 'governed'])
})

test('everything published follows from the acts', async () => {
  expect((await auditGovernance(warehouse)).violations).toEqual([])
})
