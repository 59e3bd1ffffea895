import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { isSignedBy } from '../../../operations/review/signing.ts'
import { parseEntry } from '../../../pipelines/transparency/log-entry.ts'
import { verifyReceipt } from '../../../pipelines/transparency/receipt.ts'
import { type RecordProof, verifyRecordProof } from '../../../pipelines/transparency/record-proof.ts'
import { sealOf } from '../../../pipelines/transparency/seal.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import type { OperationId } from '../../../protocol/endpoints/endpoints.ts'
import { SOURCE_TERMS_POLICY } from '../../../vocabulary/eligibility.ts'
import { openLogReader } from '../../../warehouse/transparency/log-reader.ts'
import { openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from '../../support/governance-world.ts'
import { LOG_KEY, signedBy } from '../../support/log/log-keys.ts'
import { assertIsError, assertMatchesOperation } from '../../support/match-schema.ts'
import { append } from '../../support/notice-world.ts'
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
const RESTATEMENT = {
  ...{ proposal_id: 'prp_a', index_id: 'idx_a', change_class: 'late_restatement', correction_reason: 'LATE_DATA' },
  ...{ starts_at: '2026-01-01T00:00:00Z', ends_at: '2026-01-02T00:00:00Z', known_at: '2026-01-09T00:00:00Z' },
  changes: [
    {
      ...{ observation_id: 'iob_b', supersedes_id: 'iob_a', tick_at: '2026-01-01T06:00:00Z' },
      ...{ old_level: '10.0000', new_level: '12.5000', basis_points: '2500.00', quality_state: 'corrected' },
    },
  ],
  act_id: 'gac_a',
}

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
  await append(warehouse, 'index_restatement', RESTATEMENT)
  const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }
  const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
  while ((await writer.append()).more);
  writer.close()
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

test('versions and revisions begin at 1, and 0 is refused with what is allowed', async () => {
  const [proposal] = rowsOf(await api.get('/governance/proposals'))
  for (const path of [
    '/governance/policy?version=0',
    '/governance/roster?version=0',
    '/governance/roster/proof?version=0',
    `/eligibility/policies/${SOURCE_TERMS_POLICY}?version=0`,
    `/governance/proposals/${proposal!.proposal_id}/proof?revision=0`,
  ]) {
    const { status, body } = await api.get(path)
    expect([path, status]).toEqual([path, 400])
    assertIsError(body)
    expect(JSON.stringify(body)).toContain('an integer from 1 to 999999999')
  }
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
  expect(rowOf(one).seats).toEqual([
    { roles: ['committee'], needed: 1, actor_ids: ['member'], roster_version: 1 },
    { roles: ['oversight'], needed: 1, actor_ids: ['overseer'], roster_version: 1 },
    { roles: ['committee', 'oversight'], needed: 2, actor_ids: ['member', 'overseer'], roster_version: 1 },
  ])
  const first = await api.get(`/governance/proposals/${rowsOf(all)[0]!.proposal_id}`)
  expect(rowOf(first).seats).toEqual([
    { roles: ['administrator'], needed: 1, actor_ids: ['admin'], roster_version: null },
  ])
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

test('acts are listed by their subject, refused ones too', async () => {
  const [, policy] = rowsOf(await api.get('/governance/proposals'))
  const path = `/governance/acts?subject_id=${policy!.proposal_id}`
  const found = rowsOf(await api.get(path))
  const all = rowsOf(await api.get('/governance/acts'))
  expect(found).toEqual(all.filter(({ subject_id }) => subject_id === policy!.proposal_id))
  expect(found.some(({ outcome }) => outcome === 'refused')).toBe(true)
  expect(rowsOf(await api.get(`${path}&outcome=refused`))).toHaveLength(1)
  expect(rowsOf(await api.get('/governance/acts?subject_id=prp_absent'))).toEqual([])
  expect((await api.get("/governance/acts?subject_id=x'or")).status).toBe(400)
})

test('an act has a path of its own, a refused one too', async () => {
  for (const act of rowsOf(await api.get('/governance/acts'))) {
    const one = await api.get(`/governance/acts/${act.act_id}`)
    assertMatchesOperation('get_governance_act', one.body)
    expect(rowOf(one)).toEqual(act)
  }
  for (const id of ['gac_absent', 'rfs_absent'])
    expect((await api.get(`/governance/acts/${id}`)).body.error?.code).toBe('GOVERNANCE_NOT_FOUND')
})

describe('the log of governance', () => {
  /** Proof of a record, and the record that the log repeats. */
  const proven = async (path: string, operation: OperationId) => {
    const answer = await api.get(path)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    assertMatchesOperation(operation, answer.body)
    const proof = answer.body.data as unknown as RecordProof
    const { entry } = verifyRecordProof(proof, LOG_KEY.key)
    return { entry, text: proof.record_text }
  }

  test('has rosters and policies in full, as they are served', async () => {
    for (const kind of ['roster', 'policy'] as const) {
      const { entry, text } = await proven(`/governance/${kind}/proof?version=1`, `get_governance_${kind}_proof`)
      const served = rowOf(await api.get(`/governance/${kind}`))
      expect([entry.kind, entry.record_id, canonicalJson(served)]).toEqual([kind, `${kind}_1`, text])
      expect(entry.record).toEqual(served)
    }
    expect((await api.get('/governance/roster/proof?version=2')).body.error?.code).toBe('GOVERNANCE_NOT_FOUND')
  })

  test('has each state of a proposal', async () => {
    const [, policy] = rowsOf(await api.get('/governance/proposals'))
    const path = `/governance/proposals/${policy!.proposal_id}`
    const history = rowOf(await api.get(path)).history as unknown as Record<string, unknown>[]
    for (const state of history) {
      const { entry } = await proven(`${path}/proof?revision=${state.revision}`, 'get_governance_proposal_proof')
      expect(entry.record).toEqual(state)
    }
    const newest = await proven(`${path}/proof`, 'get_governance_proposal_proof')
    expect(newest.entry.record).toEqual(history.at(-1))
    expect((await api.get(`${path}/proof?revision=99`)).body.error?.code).toBe('GOVERNANCE_NOT_FOUND')
  })

  test('has each act in full, and what a member was refused', async () => {
    for (const act of rowsOf(await api.get('/governance/acts'))) {
      const { entry } = await proven(`/governance/acts/${act.act_id}/proof`, 'get_governance_act_proof')
      expect(entry).toMatchObject({
        kind: act.outcome === 'refused' ? 'refusal' : 'governance_act',
        record_id: act.act_id,
        record: { signed_text: act.signed_text, signature: act.signature },
      })
    }
  })

  test('has a late restatement in full, with each level before and after', async () => {
    const path = '/governance/restatements/prp_a'
    const { entry, text } = await proven(`${path}/proof`, 'get_restatement_proof')
    expect(entry).toMatchObject({ kind: 'restatement', form: 'restatement/1', record_id: 'prp_a', record: RESTATEMENT })
    expect(canonicalJson(rowOf(await api.get(path)))).toBe(text)
    expect((await api.get('/governance/restatements/prp_b/proof')).body.error?.code).toBe('GOVERNANCE_NOT_FOUND')
  })

  test('has a complaint whose outcome names a proposal under a form of its own', () => {
    const complaints = TABLE_FORMS.find(({ table }) => table === 'governance_complaint')!
    const row = { complaint_id: 'cmp_1', revision: 3, state: 'resolved', published_at: '2026-01-01T00:00:00Z' }
    const [before_it] = complaints.records(row)
    const [with_it] = complaints.records({ ...row, proposal_id: 'prp_a' })
    expect([before_it!.form, with_it!.form]).toEqual(['complaint/1', 'complaint/2'])
    expect(before_it!.record_text).not.toContain('proposal_id')
    expect(with_it!.record_text).toContain('"proposal_id":"prp_a"')
  })

  test('has of a refusal that anybody caused the hash alone', () => {
    const refusals = TABLE_FORMS.find(({ table }) => table === 'refused_act')!
    const row = { refusal_id: 'rfs_1', published_at: '2026-01-01T00:00:00Z', subject: 'governance', actor_id: 'ann' }
    const inFull = (more: object) => refusals.records({ ...row, ...more }).map(({ in_full }) => in_full)
    expect([inFull({}), inFull({ actor_id: null }), inFull({ subject: 'market_rating' })]).toEqual([
      [true],
      [false],
      [false],
    ])
  })

  test('seals count its kinds, and lists have receipts', async () => {
    const log = openLogReader(root)
    const { size } = (await log.checkpoint())!
    const seal = sealOf(parseEntry(await log.entry(size - 1)))
    expect(seal.counts).toEqual({ governance_act: 10, proposal: 10, policy: 1, refusal: 1, restatement: 1, roster: 1 })
    const whole = expect.stringContaining('leaves no record out')
    const newest = expect.stringContaining('that no newer record was published by as_of')
    const time = expect.stringContaining('when a record was published')
    const around = expect.stringMatching(/^meta\.published_at, meta\.request_id, .*: no record of the log says them$/)
    // The refused act among them is logged as a refusal, under the names of that record.
    const named = expect.stringMatching(/^act_id, outcome, recorded_at, roles, subject_id: /)
    for (const [path, shown, left] of [
      ['/governance/acts', 11, [named, whole, around, time, newest]],
      ['/governance/proposals', 2, [whole, around, time, newest]],
    ] as const) {
      const { body } = await api.get(`${path}?as_of=${seal.sealed_through}&receipt=true`)
      const { records, unproven } = verifyReceipt(body, LOG_KEY.key)
      expect(records).toHaveLength(shown)
      expect(unproven).toEqual(left)
    }
  })
})
