import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { governedRoster, readGovernance } from '../../../operations/governance/read-governance.ts'
import { actOnComplaint, type ComplaintPorts, complaintRow } from '../../../operations/notices/act-on-complaint.ts'
import { auditComplaints, auditNotices } from '../../../operations/notices/audit-notices.ts'
import { openComplaintBox } from '../../../operations/notices/complaint-box.ts'
import { derivedRow, publishNotices } from '../../../operations/notices/publish-notices.ts'
import { publishWrittenNotice, signNoticeAct } from '../../../operations/notices/publish-written-notice.ts'
import { readCalendar } from '../../../operations/notices/read-calendar.ts'
import { newestComplaints, readComplaintActs } from '../../../operations/notices/read-complaints.ts'
import { readNoticeFacts } from '../../../operations/notices/read-facts.ts'
import { readNotices } from '../../../operations/notices/read-notices.ts'
import { decideComplaint } from '../../../pipelines/notices/complaint.ts'
import { deriveNotices } from '../../../pipelines/notices/derive-notices.ts'
import { parseNoticeAct } from '../../../pipelines/notices/notice-act.ts'
import { noticeDetails, writtenNoticeId } from '../../../pipelines/notices/notice-form.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { sql } from '../../api/acceptance/served.ts'
import { append, governHome, PEOPLE, recordFaults } from '../../support/notice-world.ts'
import { refusalOf } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const home = tempFolder()
const root = join(home, 'warehouse')
const { admin, analyst, member, operator, other, overseer } = PEOPLE
let warehouse: Warehouse
let policy_proposal: string

beforeAll(async () => {
  warehouse = await openWarehouse({ root, create: true })
  await recordFaults(warehouse)
})

const refused = () => sql(warehouse, "select code, actor_id, act from refused_act where subject = 'governance'")

describe('the service', () => {
  test('publishes no notices in a home without a roster, and none about what was published before it', async () => {
    expect(await publishNotices(warehouse)).toBe(0)
    policy_proposal = await governHome(warehouse)
    expect(await publishNotices(warehouse)).toBe(4)
    const titles = (await readNotices(warehouse)).map(({ title }) => title)
    expect(titles.sort()).toEqual([
      'Approved: new governance policy',
      'Approved: new roster',
      'In force: new governance policy',
      'In force: new roster',
    ])
  })

  test('accepts published titles of the form before, and publishes nothing again for them', async () => {
    const old = await openWarehouse({ root: join(home, 'old'), create: true })
    await governHome(old)
    const { facts } = (await readNoticeFacts(old, null))!
    const derived = deriveNotices(facts, await old.now(), 1)
    expect(derived.map(({ title }) => title)).toContain('Approved: roster change of roster')
    for (const notice of derived) await append(old, 'governance_notice', derivedRow(notice))
    expect(await publishNotices(old)).toBe(0)
    expect((await auditNotices(old)).violations).toEqual([])
    const title = 'Approved: roster change of policy'
    await append(old, 'governance_notice', { ...derivedRow(derived[0]!), title })
    expect((await auditNotices(old)).violations).toHaveLength(1)
    await old.close()
  })

  test('publishes each notice once, also by two processes at the same time', async () => {
    const fresh = await openWarehouse({ root: join(home, 'second'), create: true })
    await governHome(fresh)
    await recordFaults(fresh)
    const beside = await openWarehouse({ root: join(home, 'second'), create: false })
    const counts = await Promise.all([publishNotices(fresh), publishNotices(beside), publishNotices(fresh)])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4 + 2 + 1 + 1 + 2 + 1)
    const notices = await readNotices(fresh)
    expect(new Set(notices.map(({ notice_id }) => notice_id)).size).toBe(notices.length)
    expect(notices).toHaveLength(11)
    expect(await publishNotices(beside)).toBe(0)
    await expectFaultNotices(fresh)
    expect((await auditNotices(fresh)).violations).toEqual([])
    await append(fresh, 'governance_notice', {
      ...{ notice_id: 'ntc_forged', kind: 'announcement', title: 'All is well', text: 'It is.' },
      ...{ changes: [], source_ids: ['obs_1'] },
    })
    expect((await auditNotices(fresh)).violations.map(({ id }) => id)).toEqual(['ntc_forged'])
    await Promise.all([fresh.close(), beside.close()])
  })
})

async function expectFaultNotices(of: Warehouse): Promise<void> {
  const notices = await readNotices(of)
  const one = (title: string) => notices.find((notice) => notice.title === title)
  expect(one('Corrected: 1 level of idx_a')).toMatchObject({
    cause: 'LATE_DATA',
    changes: [{ record_id: 'obs_100', field: 'level', old_value: '10.0000', new_value: '12.5000' }],
  })
  expect(one('Corrected: resolution of mkt_a')).toMatchObject({
    changes: [{ field: 'payouts', old_value: 'out_y 1.000000000', new_value: 'out_n 1.000000000' }],
  })
  expect(one('Degraded service: levels of idx_a')).toMatchObject({ cause: 'NO_FRESH_INPUT', source_ids: ['obs_2'] })
  expect(one('Restored: levels of idx_a')?.source_ids).toEqual(['obs_2', 'obs_22'])
  expect(one('Restored: data of kalshi')?.follows_notice_id).toBe(one('Degraded service: data of kalshi')?.notice_id)
  expect(one('Status of idx_a: suspended')).toMatchObject({ kind: 'announcement', index_id: 'idx_a' })
}

const NOTICE =
  'notice: { kind: degraded_service, title: Maintenance, text: No levels., starts_at: 2026-01-05T00:00:00Z }'

describe('a notice that a member writes', () => {
  const publish = async (by: typeof operator, text: string) => {
    const details = noticeDetails(text, 'notice.yaml')
    const wish = { act: 'publish_notice', subject_id: writtenNoticeId(details), details } as const
    return publishWrittenNotice(warehouse, await signNoticeAct(warehouse, by.signer, wish))
  }

  test('is published once, however often it is signed, and corrected by another that names it', async () => {
    const { notice, is_new } = await publish(operator, NOTICE)
    const { notice_id } = notice
    expect(is_new).toBe(true)
    expect(await publish(member, NOTICE)).toEqual({ notice, is_new: false })
    const correction = `notice: { kind: correction, title: Wrong day, text: It is the 6th., corrects_notice_id: ${notice_id} }`
    await publish(member, correction)
    const written = (await readNotices(warehouse)).filter(({ actor_id }) => actor_id !== null)
    expect(written.map(({ actor_id, corrects_notice_id }) => [actor_id, corrects_notice_id])).toEqual([
      ['operator', null],
      ['member', notice_id],
    ])
  })

  test.each(['index_id: idx_none', 'market_id: mkt_none', 'venue_id: nowhere'])(
    'about an unknown record is refused: %s',
    async (named) => {
      const refused = await refusalOf(publish(operator, NOTICE.replace('title:', `${named}, title:`)))
      expect(refused).toMatchObject({ code: 'GOVERNANCE_NOT_FOUND' })
      expect(refused.message).toMatch(named.replace(': ', ' is '))
    },
  )

  test('is refused to others, on record', async () => {
    expect((await refusalOf(publish(analyst, NOTICE))).code).toBe('REVIEW_NOT_ALLOWED')
    const forged = await signNoticeAct(warehouse, operator.signer, {
      act: 'publish_notice',
      subject_id: 'ntc_a',
      details: {},
    })
    const changed = { ...forged, signed_text: forged.signed_text.replace('ntc_a', 'ntc_b') }
    expect((await refusalOf(publishWrittenNotice(warehouse, changed))).message).toContain('signature')
    expect(await refused()).toContainEqual({ code: 'REVIEW_NOT_ALLOWED', actor_id: 'analyst', act: 'publish_notice' })
  })
})

describe('a complaint', () => {
  const box = openComplaintBox(home, 2)
  const ports = (): ComplaintPorts => ({ warehouse, box })
  const filed = (complaint_id: string, subject_id: string | null) => ({
    ...{ complaint_id, filed_at: '2026-01-04T00:00:00Z', text: `I, Jane, object to ${subject_id}.` },
    ...{
      subject_kind: subject_id === null ? ('other' as const) : ('proposal' as const),
      subject_id,
      contact: 'jane@example.com',
    },
  })
  const newest = async (id: string) => newestComplaints(await readComplaintActs(warehouse)).get(id)

  test('waits in files that only their owner reads, and only so many wait', async () => {
    await box.file(filed('cmp_1', policy_proposal))
    await box.file(filed('cmp_2', null))
    expect((await refusalOf(box.file(filed('cmp_3', null)))).code).toBe('SERVICE_UNAVAILABLE')
    expect((await box.list()).map(({ complaint_id }) => complaint_id)).toEqual(['cmp_1', 'cmp_2'])
    const { mode } = await stat(join(home, 'complaints', 'cmp_1.json'))
    expect(mode & 0o077).toBe(0)
    expect(await readComplaintActs(warehouse)).toEqual([])
  })

  test('is published as a moderator clears it, without its contact', async () => {
    await actOnComplaint(ports(), operator.signer, 'cmp_1', { act: 'publish_complaint', text: 'Somebody objects.' })
    await actOnComplaint(ports(), member.signer, 'cmp_2', { act: 'decline_complaint', reason: 'it is about nobody' })
    const known = await newest('cmp_1')
    const text_sha256 = sha256Hex(`I, Jane, object to ${policy_proposal}.`)
    expect(known).toMatchObject({ state: 'published', is_redacted: true, text: 'Somebody objects.', text_sha256 })
    expect(await newest('cmp_2')).toMatchObject({ state: 'declined', text: null })
    expect(await box.list()).toEqual([])
    expect(JSON.stringify(await sql(warehouse, 'from governance_complaint_history'))).not.toMatch(/jane|Jane/)
  })

  test('is not handled by somebody who took part in the matter: refused, and on record', async () => {
    const assign = (handler: string) =>
      actOnComplaint(ports(), operator.signer, 'cmp_1', { act: 'assign_complaint', handler })
    for (const involved of ['member', 'overseer'])
      expect((await refusalOf(assign(involved))).message).toContain(`${involved}, who took part in the matter`)
    await assign('other')
    const refusals = (await refused()).filter(({ act }) => act === 'assign_complaint')
    expect(refusals).toEqual([
      { code: 'REVIEW_NOT_ALLOWED', actor_id: 'operator', act: 'assign_complaint' },
      { code: 'REVIEW_NOT_ALLOWED', actor_id: 'operator', act: 'assign_complaint' },
    ])
  })

  test('is resolved by its handler, and a notice has the outcome', async () => {
    const wish = { act: 'resolve_complaint', outcome: 'upheld', reason: 'The delay was too short.' } as const
    expect((await refusalOf(actOnComplaint(ports(), overseer.signer, 'cmp_1', wish))).code).toBe('REVIEW_NOT_ALLOWED')
    const unknown = { ...wish, proposal_id: `prp_${'0'.repeat(64)}` }
    expect((await refusalOf(actOnComplaint(ports(), other.signer, 'cmp_1', unknown))).code).toBe('GOVERNANCE_NOT_FOUND')
    await actOnComplaint(ports(), other.signer, 'cmp_1', { ...wish, proposal_id: policy_proposal })
    expect(await newest('cmp_1')).toMatchObject({ proposal_id: policy_proposal })
    expect(await newest('cmp_1')).toMatchObject({ state: 'resolved', handler: 'other', outcome: 'upheld', revision: 3 })
    const notice = (await readNotices(warehouse)).find(({ kind }) => kind === 'complaint_outcome')
    const told = { subject_id: 'cmp_1', cause: 'upheld', text: wish.reason, proposal_id: policy_proposal }
    expect(notice).toMatchObject(told)
  })

  test('that was never filed is not found', async () => {
    const wish = { act: 'publish_complaint', text: 'x' } as const
    expect((await refusalOf(actOnComplaint(ports(), operator.signer, 'cmp_9', wish))).code).toBe('GOVERNANCE_NOT_FOUND')
  })

  test('and every act on it is decided again by the audit, which finds a forged outcome', async () => {
    const { checks, violations } = await auditWarehouse({ warehouse })
    expect(violations.filter(({ table }) => table.startsWith('governance_'))).toEqual([])
    expect(
      checks.filter(({ table, check }) => table === 'governance_notice' && check === 'notices derived again'),
    ).toHaveLength(1)
    const [row] = await sql(
      warehouse,
      "select * exclude (published_at, row_ordinal) from governance_complaint_history where complaint_id = 'cmp_1' and revision = 3",
    )
    await append(warehouse, 'governance_complaint', { ...row, revision: 4, outcome: 'rejected' })
    expect((await auditComplaints(warehouse)).violations).toMatchObject([
      { id: 'cmp_1', table: 'governance_complaint' },
    ])
  })

  test('about one matter cannot lead to a proposal about another: refused, and found by the audit', async () => {
    await box.file(filed('cmp_4', policy_proposal))
    await actOnComplaint(ports(), operator.signer, 'cmp_4', { act: 'publish_complaint', text: null })
    await actOnComplaint(ports(), operator.signer, 'cmp_4', { act: 'assign_complaint', handler: 'other' })
    const { state } = await readGovernance(warehouse)
    const [roster] = [...state.proposals.values()].filter(({ target }) => target === 'roster')
    const wish = { outcome: 'upheld', reason: 'As it says.', proposal_id: roster!.proposal_id } as const
    const refused = await refusalOf(
      actOnComplaint(ports(), other.signer, 'cmp_4', { act: 'resolve_complaint', ...wish }),
    )
    expect([refused.code, refused.message]).toEqual([
      'VALIDATION_DEFINITION_INVALID',
      `proposal_id is ${roster!.proposal_id}, about roster; allowed: one about policy`,
    ])
    expect(await newest('cmp_4')).toMatchObject({ state: 'assigned' })
    const act = { act: 'resolve_complaint', subject_id: 'cmp_4', details: wish } as const
    const signed = await signNoticeAct(warehouse, other.signer, act)
    const parsed = parseNoticeAct(signed.signed_text)
    const recorded_at = await warehouse.now()
    const context = { roster: governedRoster(await readGovernance(warehouse))!, involved: new Set<string>() }
    const request = { act: parsed, public_key: signed.public_key, recorded_at }
    const forged = decideComplaint((await newest('cmp_4'))!, request, context)
    const spoiled = await openWarehouse({ root, create: false })
    await append(spoiled, 'governance_complaint', complaintRow(forged, parsed, signed, recorded_at))
    const { violations } = await auditComplaints(spoiled)
    // The forged outcome of the test before is among them.
    expect(violations.filter(({ id }) => id === 'cmp_4').map(({ id, detail }) => [id, detail])).toEqual([
      ['cmp_4', `proposal_id is ${roster!.proposal_id}, about roster; allowed: one about policy`],
    ])
    await spoiled.close()
  })
})

test('the calendar has the expiry of the newest roster and policy', async () => {
  const now = await warehouse.now()
  const entries = await readCalendar(warehouse, { from: null, to: null, as_of: null })
  expect(entries.map(({ kind }) => kind)).toEqual(['roster_expiry'])
  expect(entries[0]!.at > new Date(now / 1000).toISOString()).toBe(true)
  for (const to of ['2026-01-02T00:00:00Z', '2027-02-06T00:00:00.000001Z']) {
    const wrong = await refusalOf(readCalendar(warehouse, { from: '2026-01-02T00:00:00Z', to, as_of: null }))
    expect(wrong.code).toBe('VALIDATION_RANGE_INVALID')
    expect(wrong.message).toBe(`to is ${to}; allowed: after 2026-01-02T00:00:00Z, at most 400 days later`)
  }
  expect(admin.member.actor_id).toBe('admin')
})
