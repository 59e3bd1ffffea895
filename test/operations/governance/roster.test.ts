import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { advanceGovernance } from '../../../operations/governance/advance-governance.ts'
import { auditGovernance } from '../../../operations/governance/audit-governance.ts'
import { DERIVED_TABLES } from '../../../operations/governance/governance-rows.ts'
import { listGovernanceActs, listProposals, showDocument } from '../../../operations/governance/list-governance.ts'
import { performGovernanceAct, signGovernanceAct } from '../../../operations/governance/perform-governance-act.ts'
import { governedRoster, readGovernance } from '../../../operations/governance/read-governance.ts'
import { actingRoster } from '../../../operations/review/read-roster.ts'
import { recordHash } from '../../../pipelines/governance/documents.ts'
import { memberOfKey } from '../../../pipelines/governance/roster.ts'
import { MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import {
  governanceActs,
  inDays,
  policyChange,
  proposeAct,
  rosterChange,
  TEST_POLICY,
} from '../../support/governance-world.ts'
import { refusalOf } from '../../support/refusal.ts'
import { type Person, person } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const admin = person('admin', 'administrator')
const deputy = person('deputy', 'administrator')
const member = person('member', 'committee')
const other = person('other', 'committee')
const overseer = person('overseer', 'oversight')
const people = [admin, deputy, member, other, overseer]
const stranger = person('stranger', 'administrator')
let warehouse: Warehouse
let acts: ReturnType<typeof governanceActs>
let now: number

beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  acts = governanceActs(warehouse)
  now = await warehouse.now()
})
afterAll(() => warehouse.close())

const twoKeys = ({ member }: Person, second: Person): { readonly member: Person['member'] } => ({
  member: { ...member, keys: [...member.keys, ...second.member.keys] },
})
const change = async (list = people, threshold = 2, days = 300) =>
  rosterChange(await acts.state(), list, { threshold, expires_at: inDays(now, days) })
const version = async () => (await acts.state()).rosters.at(-1)?.document.version ?? 0

test('the first roster is in force once its own threshold has signed it', async () => {
  const first = await change()
  expect((await acts.propose(admin, first)).proposal).toMatchObject({ state: 'proposed', change_class: 'roster' })
  expect(await version()).toBe(0)
  expect((await acts.vote(deputy, first)).proposal).toMatchObject({ state: 'effective' })
  const shown = await showDocument(warehouse, { kind: 'roster', version: null, as_of: null })
  expect(shown.document).toMatchObject({ version: 1, previous_hash: null, threshold: 2 })
  expect(shown.record_hash).toBe(recordHash(shown.document))
})

test('a policy needs the committee and oversight, and each of them once', async () => {
  const first = policyChange(await acts.state(), TEST_POLICY, inDays(now, 300))
  expect((await acts.propose(admin, first)).proposal).toMatchObject({ state: 'proposed' })
  expect((await acts.vote(member, first)).proposal).toMatchObject({ state: 'proposed' })
  expect((await acts.vote(overseer, first)).proposal).toMatchObject({ state: 'effective' })
  expect(await showDocument(warehouse, { kind: 'policy', version: 1, as_of: null })).toMatchObject({
    document: { classes: TEST_POLICY.classes },
  })
})

test('one person with two keys counts once', async () => {
  const spare = person('spare')
  const with_spare = await change([...people.slice(1), twoKeys(admin, spare) as Person])
  await acts.propose(admin, with_spare)
  await acts.vote(deputy, with_spare)
  expect(await version()).toBe(2)
  const again = await change([...people.slice(1), twoKeys(admin, spare) as Person], 2, 200)
  await acts.propose(admin, again)
  const as_spare = { ...admin, signer: spare.signer }
  expect((await acts.vote(as_spare, again)).proposal).toMatchObject({ state: 'proposed' })
  expect((await acts.vote(deputy, again)).proposal).toMatchObject({ state: 'effective' })
})

test('a roster that skips a version, or follows an older one, is refused', async () => {
  const { content, ...rest } = await change()
  const skipped = { ...rest, content: { ...content, version: Number(content.version) + 1 } }
  expect(await refusalOf(acts.propose(admin, skipped))).toMatchObject({
    code: 'REVIEW_STATE_CONFLICT',
    message: expect.stringMatching(/^roster is version 5 after .*allowed: version 4 after/),
  })
  const stale = { ...(await change()), base_hash: 'a'.repeat(64) }
  expect(await refusalOf(acts.propose(admin, stale))).toMatchObject({ code: 'GOVERNANCE_BASE_STALE' })
})

test('a successor that the new administrators alone have signed is not in force', async () => {
  const takeover = await change([stranger, person('accomplice', 'administrator')], 1)
  expect((await acts.propose(stranger, takeover)).proposal).toMatchObject({ state: 'proposed' })
  expect(await version()).toBe(3)
  await acts.vote(admin, takeover)
  expect(await version()).toBe(3)
})

test('rosters that last too long, or that nobody could sign, are refused', async () => {
  expect(await refusalOf(acts.propose(admin, await change(people, 2, 401)))).toMatchObject({
    code: 'VALIDATION_DEFINITION_INVALID',
    message: expect.stringMatching(/^expires_at of the roster is .* at most 400 days later$/),
  })
  expect(await refusalOf(acts.propose(admin, await change(people, 3)))).toMatchObject({
    message: 'threshold is 3; allowed: from 1 to 2, the number of administrators',
  })
})

test('one byte changed after signing is refused, on record and in nobody’s name', async () => {
  const acted_at = await warehouse.now()
  const signed = signGovernanceAct(admin.signer, proposeAct(await change(people, 2, 250), 'admin', acted_at))
  const forged = { ...signed, signed_text: signed.signed_text.replace('"a test"', '"a tesT"') }
  expect((await refusalOf(performGovernanceAct(warehouse, forged))).code).toMatch(/REVIEW_NOT_ALLOWED/)
  const [last] = await listGovernanceActs(warehouse, null)
  expect(last).toMatchObject({ act: 'propose', actor_id: null, code: 'REVIEW_NOT_ALLOWED' })
})

test('an act in somebody else’s name, a stale one, and one of the future are refused', async () => {
  const next = await change(people, 2, 251)
  const at = await warehouse.now()
  const hand = (actor_id: string, acted_at: number) =>
    refusalOf(performGovernanceAct(warehouse, signGovernanceAct(admin.signer, proposeAct(next, actor_id, acted_at))))
  expect((await hand('deputy', at)).message).toBe('actor_id is deputy; allowed: admin, whose key it is')
  expect((await hand('admin', at - MICROS_PER_DAY - 1)).message).toMatch(/^acted_at is /)
  expect((await hand('admin', at + 3600 * 1e6)).message).toMatch(/^acted_at is /)
})

test('a revoked key signs nothing from then on, and what it signed before stays counted', async () => {
  const revoked_at = await warehouse.now()
  const keys = deputy.member.keys.map((key) => ({ ...key, revoked_at }))
  const without: Person = { ...deputy, member: { ...deputy.member, keys } }
  const third = person('third', 'administrator')
  const next = await change([admin, without, third, member, other, overseer])
  await acts.propose(admin, next)
  await acts.vote(deputy, next)
  // Both administrators of the roster in force have signed; of the successor's the deputy's key is revoked.
  expect(await version()).toBe(3)
  expect((await acts.vote(third, next)).proposal).toMatchObject({ state: 'effective' })
  const after = await change([admin, third, member, other, overseer])
  await acts.propose(admin, after)
  expect(await refusalOf(acts.vote(deputy, after))).toMatchObject({
    code: 'REVIEW_NOT_ALLOWED',
    message: expect.stringMatching(/^key is of deputy, not valid now/),
  })
  const restored = await change([admin, deputy, third, member, other, overseer], 2, 260)
  expect(await refusalOf(acts.propose(admin, restored))).toMatchObject({
    message: expect.stringMatching(/of deputy is without its revocation/),
  })
  await acts.vote(third, after)
  expect(await version()).toBe(5)
}, 20_000)

test('everything on record holds when it is decided again', async () => {
  await advanceGovernance(warehouse)
  const known = (await listGovernanceActs(warehouse, null)).filter(({ code }) => code === null)
  expect(await auditGovernance(warehouse)).toEqual({ checked: known.length, violations: [] })
  const { ok } = await auditWarehouse({ warehouse })
  expect(ok).toBe(true)
})

test('reviews go by the roster in force, not by a file', async () => {
  const roster = await actingRoster(warehouse, folder, null)
  expect(roster).toEqual(governedRoster(await readGovernance(warehouse)))
  expect(memberOfKey(roster, member.public_key, await warehouse.now()).actor_id).toBe('member')
  expect(await refusalOf(actingRoster(warehouse, folder, 'mine.yaml'))).toMatchObject({
    code: 'VALIDATION_USAGE_INVALID',
  })
  const expired = { ...roster, expires_at: now }
  expect(() => memberOfKey(expired, member.public_key, now)).toThrow(/^roster expired at/)
})

test('an act repeated is the same act', async () => {
  const next = await change([admin, person('fourth', 'administrator'), member, other, overseer], 2, 252)
  const signed = signGovernanceAct(admin.signer, proposeAct(next, 'admin', await warehouse.now()))
  const first = await performGovernanceAct(warehouse, signed)
  const before = (await readGovernance(warehouse)).acts.length
  expect((await performGovernanceAct(warehouse, signed)).act_id).toBe(first.act_id)
  expect((await readGovernance(warehouse)).acts).toHaveLength(before)
})

test('as of each instant the commands answer by the published records, not by the acts before them', async () => {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['governance_act', ...DERIVED_TABLES] })
  const rowsOf = (table: string) => session.query(`select * from ${table}_history`)
  const acts_of = await session.query('select * from governance_act')
  const [proposals, rosters] = [await rowsOf('governance_proposal'), await rowsOf('governance_roster')]
  await session.close()
  const instants = [...acts_of, ...proposals, ...rosters].map((row) => String(row.published_at))
  for (const as_of of [...new Set(instants)].sort().slice(0, 16)) {
    const known = (rows: readonly Row[]) => rows.filter((row) => toMicros(row.published_at) <= toMicros(as_of))
    const newest = new Map<unknown, number>()
    for (const { proposal_id, revision } of known(proposals))
      newest.set(proposal_id, Math.max(newest.get(proposal_id) ?? 0, Number(revision)))
    const listed = await listProposals(warehouse, as_of)
    expect(new Map(listed.map(({ proposal_id, revision }) => [proposal_id, revision]))).toEqual(newest)
    const version = Math.max(0, ...known(rosters).map((row) => Number(row.version)))
    const shown = showDocument(warehouse, { kind: 'roster', version: null, as_of })
    if (version === 0) expect((await refusalOf(shown)).code).toBe('GOVERNANCE_NOT_FOUND')
    else expect((await shown).document.version).toBe(version)
  }
}, 60_000)
