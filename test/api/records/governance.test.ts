import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { isSignedBy } from '../../../operations/review/signing.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from '../../support/governance-world.ts'
import { assertIsError, assertMatchesOperation } from '../../support/match-schema.ts'
import { refusalOf } from '../../support/refusal.ts'
import { person } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { rowOf, rowsOf, serve } from '../acceptance/served.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const root = join(tempFolder(), 'warehouse')
const admin = person('admin', 'administrator')
const member = person('member', 'committee')
const overseer = person('overseer', 'oversight')
const people = [admin, member, person('other', 'committee'), overseer]
let api: Awaited<ReturnType<typeof serve>>
let before: string

beforeAll(async () => {
  const warehouse = await openWarehouse({ root, create: true })
  const acts = governanceActs(warehouse)
  const now = await warehouse.now()
  const roster = rosterChange(await acts.state(), people, { threshold: 1, expires_at: inDays(now, 300) })
  await acts.propose(admin, roster)
  before = new Date(Math.ceil((await warehouse.now()) / 1000)).toISOString()
  await new Promise((resolve) => setTimeout(resolve, 5))
  const policy = policyChange(await acts.state(), TEST_POLICY, inDays(now, 300))
  await acts.propose(admin, policy)
  await acts.vote(member, policy)
  await refusalOf(acts.vote(admin, policy))
  await acts.vote(overseer, policy)
  await warehouse.close()
  api = await serve(root)
})

const hashOf = (text: unknown) => createHash('sha256').update(String(text)).digest('hex')

test('the roster and the policy are served with the text that was signed', async () => {
  const roster = await api.get('/governance/roster')
  assertMatchesOperation('get_governance_roster', roster.body)
  expect(rowOf(roster)).toMatchObject({ version: 1, previous_hash: null, threshold: 1 })
  expect(hashOf(rowOf(roster).signed_content)).toBe(rowOf(roster).record_hash)
  const policy = await api.get('/governance/policy?version=1')
  assertMatchesOperation('get_governance_policy', policy.body)
  expect(hashOf(rowOf(policy).signed_content)).toBe(rowOf(policy).record_hash)
  expect(rowOf(policy).classes).toHaveLength(5)
})

test('before it was in force the policy is not found, as of then', async () => {
  expect((await api.get(`/governance/roster?as_of=${before}`)).status).toBe(200)
  for (const path of [
    `/governance/policy?as_of=${before}`,
    '/governance/policy?version=2',
    '/governance/roster?version=9',
  ]) {
    const answer = await api.get(path)
    expect([path, answer.status]).toEqual([path, 404])
    assertIsError(answer.body)
    expect(answer.body.error?.code).toBe('GOVERNANCE_NOT_FOUND')
  }
})

test('proposals are listed with their filters, and each shows its history', async () => {
  const all = await api.get('/governance/proposals')
  assertMatchesOperation('list_governance_proposals', all.body)
  expect(rowsOf(all).map(({ kind, state }) => [kind, state])).toEqual([
    ['roster', 'effective'],
    ['policy', 'effective'],
  ])
  expect(rowsOf(await api.get('/governance/proposals?kind=policy'))).toEqual(rowsOf(all).slice(1))
  expect(rowsOf(await api.get('/governance/proposals?state=vetoed'))).toEqual([])
  expect(rowsOf(await api.get(`/governance/proposals?as_of=${before}`))).toHaveLength(1)
  const one = await api.get(`/governance/proposals/${rowsOf(all)[1]!.proposal_id}`)
  assertMatchesOperation('get_governance_proposal', one.body)
  const states = (rowOf(one).history as unknown as { state: string }[]).map(({ state }) => state)
  expect(states).toEqual(['proposed', 'proposed', 'proposed', 'approved', 'queued', 'effective'])
  expect((await api.get('/governance/proposals/prp_absent')).body.error?.code).toBe('GOVERNANCE_NOT_FOUND')
})

test('acts are listed with their signatures, refused ones too, page by page', async () => {
  const all = await api.get('/governance/acts')
  assertMatchesOperation('list_governance_acts', all.body)
  const signed = rowsOf(all).filter(({ signature }) => signature !== null)
  expect(signed).toHaveLength(5)
  for (const { signed_text, signature, public_key } of signed)
    expect(isSignedBy(String(signed_text), String(signature), String(public_key))).toBe(true)
  const [refused, ...others] = rowsOf(await api.get('/governance/acts?outcome=refused'))
  expect(others).toEqual([])
  expect(refused).toMatchObject({ act: 'vote', actor_id: 'admin', code: 'REVIEW_NOT_ALLOWED', recorded_at: null })
  const first = await api.get('/governance/acts?limit=2')
  expect(first.body.page).toMatchObject({ has_more: true })
  const next = await api.get(`/governance/acts?limit=2&cursor=${first.body.page!.next_cursor}`)
  expect([...rowsOf(first), ...rowsOf(next)]).toEqual(rowsOf(all).slice(0, 4))
})
