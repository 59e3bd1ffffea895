import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { effectInstantOf } from '../../../api/resources/governance.ts'
import { plannedAt } from '../../../cli/governance/governance-ports.ts'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { type ChangeWish, proposalOfChange } from '../../../operations/governance/governance-act-of.ts'
import { prepareAndPerform } from '../../../operations/governance/perform-governance-act.ts'
import { correctIndex } from '../../../operations/index/correct-index.ts'
import { showIndex } from '../../../operations/index/show-index.ts'
import { verifyObservations } from '../../../operations/index/verify-observations.ts'
import { takesEffectAt } from '../../../pipelines/governance/due.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { governedIndex, january, PEOPLE } from '../../support/governed-index.ts'
import { refusalOf } from '../../support/refusal.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
const { ann, ben, cat, olaf, r1, r2 } = PEOPLE
let world: Awaited<ReturnType<typeof governedIndex>>

beforeAll(async () => {
  world = await governedIndex(tempFolder())
  await world.govern()
  await world.adopt(january(11))
})
afterAll(() => world.warehouse.close())

const shown = () => showIndex({ index_id: 'idx_tide', as_of: null, warehouse: world.warehouse })
const versions = async () => (await shown()).versions as readonly Row[]
const stateOf = async (proposal_id: string) => (await world.acts.state()).proposals.get(proposal_id)!
const FIRST = { version: '1', from: january(1) }
const status = (to: string, from: number): Pick<ChangeWish, 'kind' | 'content'> => ({
  kind: 'index_status',
  content: { index_id: 'idx_tide', status: to, effective_from: formatMicros(from) },
})
const ticks = async () => {
  const session = await openReadSession(world.warehouse, { as_of: null })
  try {
    const sql = `select tick_at, index_version from index_observation where tick_at >= '2026-01-11T12:00:00Z' order by 1`
    return (await session.query(sql)).map((row) => `${String(row.tick_at).slice(8, 13)} ${row.index_version}`)
  } finally {
    await session.close()
  }
}
const clean = async () => {
  expect((await auditWarehouse({ warehouse: world.warehouse })).violations).toEqual([])
  expect((await verifyObservations({ warehouse: world.warehouse })).failures).toEqual([])
}

test('an emergency that nobody ratifies lapses after 72 hours: the base is published again', async () => {
  world.at(january(11, 8))
  const wish = await world.contentOf(
    world.file([FIRST, { version: '2', from: january(11, 10), weights: ['0.9', '0.1'] }]),
  )
  for (const runner of [r1, r2]) await world.attest(runner, wish, 'material')
  const { proposal } = await world.propose(ann, { ...wish, emergency: 'VENUE_OUTAGE' })
  const { proposal_id } = proposal!
  await world.approve(proposal_id, ben, olaf)
  expect(await stateOf(proposal_id)).toMatchObject({ state: 'effective', lapses_at: january(14, 8) })
  expect((await versions()).map(({ version }) => version)).toEqual(['1', '2'])
  await world.advance(january(14, 8))
  expect(await stateOf(proposal_id)).toMatchObject({ state: 'lapsed', reason: 'NOT_RATIFIED' })
  const [base, , returned] = await versions()
  expect(returned).toMatchObject({
    version: `1-after-${proposal_id.slice(4, 16)}`,
    governance: 'governed',
    effective_from: formatMicros(january(14, 8) + 60_000_000),
  })
  const weights = (row: Row | undefined) =>
    (row!.constituents as readonly Row[]).map(({ target_weight }) => target_weight)
  expect(weights(returned)).toEqual(weights(base))
  world.at(january(15))
  await world.compute(january(10), january(15))
  const by_version = await ticks()
  expect(by_version.filter((one) => one.endsWith(' 2'))).toHaveLength(12)
  expect(by_version.at(-1)).toMatch(/^14T18 1-after-/)
  await clean()
})

test('an emergency suspension withholds levels at once, and a ratified one stays', async () => {
  const { proposal } = await world.propose(ann, { ...status('suspended', january(15)), emergency: 'VENUE_OUTAGE' })
  const { proposal_id } = proposal!
  await world.approve(proposal_id, ben, olaf)
  expect(await shown()).toMatchObject({ status: 'suspended' })
  for (const by of [ben, cat, olaf]) await world.on(by, proposal_id, 'ratify')
  await world.advance(january(18, 1))
  expect(await stateOf(proposal_id)).toMatchObject({ state: 'effective', lapses_at: null })
  await world.compute(january(10), january(18))
  expect((await ticks()).at(-1)).toMatch(/^14T18/)
})

test('a reinstated index publishes from then on; what was withheld stays withheld', async () => {
  const { proposal } = await world.propose(ann, status('active', january(18, 20)))
  expect(proposal).toMatchObject({ change_class: 'material', state: 'consulting' })
  await world.approve(proposal!.proposal_id, ben, cat, olaf)
  await world.advance(january(18, 7))
  await world.advance(january(18, 19))
  expect(await shown()).toMatchObject({ status: 'suspended' })
  await world.advance(january(18, 20))
  expect(await shown()).toMatchObject({ status: 'active' })
  world.at(january(19, 8))
  await world.compute(january(10), january(20))
  await correctIndex({
    ...{ index_id: 'idx_tide', from: null, to: null },
    reason: 'LATE_DATA',
    warehouse: world.warehouse,
  })
  const days = (await ticks()).slice(-3).map((one) => one.slice(0, 5))
  expect(days).toEqual(['14T18', '19T00', '19T06'])
  await clean()
})

test('a status that has begun already is refused; an emergency may begin an hour before it is proposed', async () => {
  const early = status('suspended', january(19, 19))
  const end = { final_value: 'last level', substitute_index_id: null }
  const cessation = { kind: 'cessation', content: { ...early.content, ...end } } as const
  expect((await refusalOf(world.propose(ann, early))).message).toBe(
    'effective_from is 2026-01-19T19:00:00Z; allowed: 2026-01-19T20:00:00Z or later, when its notice can have ended',
  )
  expect((await refusalOf(world.propose(ann, cessation))).message).toMatch(/2026-02-18T14:00:00Z or later/)
  const urgent = (at: number) => world.propose(ann, { ...status('suspended', at), emergency: 'VENUE_OUTAGE' })
  expect((await refusalOf(urgent(january(19, 7) - 1))).message).toMatch(/an hour before it is proposed$/)
  const { proposal } = await urgent(january(19, 7))
  await world.on(ann, proposal!.proposal_id, 'cancel', { reason: 'a test' })
})

test('a status whose start passes before its notice can end expires, and changes nothing', async () => {
  const { proposal } = await world.propose(ann, status('suspended', january(20)))
  world.at(january(19, 19))
  await world.approve(proposal!.proposal_id, ben, cat, olaf)
  expect(await stateOf(proposal!.proposal_id)).toMatchObject({ state: 'expired', reason: 'START_BEFORE_NOTICE_ENDS' })
  expect(await shown()).toMatchObject({ status: 'active' })
})

test('a status takes effect at its own instant, and an emergency that lapsed is not invoked again', async () => {
  const wish = { ...status('suspended', january(21, 12)), emergency: 'VENUE_OUTAGE' }
  const { proposal } = await world.propose(ann, wish)
  const { proposal_id } = proposal!
  await world.approve(proposal_id, ben, olaf)
  const waiting = await stateOf(proposal_id)
  expect(waiting.state).toBe('queued')
  const { effective_at } = waiting
  expect(takesEffectAt(waiting)).toBe(january(21, 12))
  expect(plannedAt(waiting)).toBe('2026-01-21T12:00:00Z')
  const row = { ...waiting, content: JSON.stringify(waiting.content), effective_at: formatMicros(effective_at!) }
  expect(effectInstantOf(row as unknown as Row, [])).toBe('2026-01-21T12:00:00Z')
  expect(effectInstantOf({ ...row, effective_at: null } as unknown as Row, [])).toBeNull()
  expect(takesEffectAt({ ...waiting, effective_at: january(21, 13) })).toBe(january(21, 13))
  await world.advance(january(21, 12) - 1)
  expect(await shown()).toMatchObject({ status: 'active' })
  await world.advance(january(21, 12))
  expect(await shown()).toMatchObject({ status: 'suspended' })
  const late = { act: 'activate', subject_id: proposal_id, recorded_at: '2026-01-21T12:03:00Z' } as unknown as Row
  expect(effectInstantOf(row as unknown as Row, [late])).toBe('2026-01-21T12:03:00Z')
  world.at(january(24, 13))
  expect(await stateOf(proposal_id)).toMatchObject({ state: 'effective' })
  const ended = { index_id: 'idx_tide', effective_from: formatMicros(january(80)), final_value: 'last level' }
  const end = { kind: 'cessation', content: { ...ended, substitute_index_id: null }, rationale: 'a test' } as const
  const { warehouse } = world
  const signed = () => proposalOfChange(warehouse, ann.signer, { ...end, emergency: null, base_hash: null })
  // Signed before the lapse is performed, it would name the status that lapses as its base.
  const ending = (await prepareAndPerform(warehouse, signed)).proposal!
  expect(ending).toMatchObject({ change_class: 'cessation', state: 'consulting' })
  await world.on(ann, ending.proposal_id, 'cancel', { reason: 'a test' })
  expect(await stateOf(proposal_id)).toMatchObject({ state: 'lapsed' })
  const again = await refusalOf(world.propose(ann, { ...wish, rationale: 'another reason' }))
  expect(again).toMatchObject({
    code: 'REVIEW_STATE_CONFLICT',
    message: `emergency is VENUE_OUTAGE, for the act of ${proposal_id}, which lapsed without ratification; allowed: none, for that act: a proposal with its notice`,
  })
  const code = await refusalOf(world.propose(ann, { ...wish, rationale: 'a code', emergency: 'outage' }))
  expect(code.message).toMatch(/^emergency is outage; allowed: 2 to 40 capital letters/)
  const announced = await world.propose(ann, {
    ...status('suspended', january(30)),
    rationale: 'with its notice',
  })
  expect(announced.proposal).toMatchObject({ change_class: 'material', state: 'consulting' })
  await world.on(ann, announced.proposal!.proposal_id, 'cancel', { reason: 'a test' })
})

test('an index that publishes ends by a cessation, with its final value named, 30 days after the notice', async () => {
  expect((await refusalOf(world.propose(ann, status('archived', january(20))))).message).toBe(
    'status is "archived"; allowed: suspended, from active',
  )
  const end = { index_id: 'idx_tide', effective_from: formatMicros(january(56)), final_value: 'last level' }
  expect(
    (await refusalOf(world.propose(ann, { kind: 'cessation', content: { ...end, substitute_index_id: 'other' } })))
      .code,
  ).toBe('VALIDATION_DEFINITION_INVALID')
  const content = { ...end, substitute_index_id: null }
  const { proposal } = await world.propose(ann, { kind: 'cessation', content })
  expect(proposal).toMatchObject({ change_class: 'cessation' })
  await world.approve(proposal!.proposal_id, ben, cat, olaf)
  await world.advance(january(26))
  const { effective_at } = await stateOf(proposal!.proposal_id)
  expect(effective_at).toBe(january(56))
  await world.advance(effective_at! - 1)
  expect(await shown()).toMatchObject({ status: 'active' })
  await world.advance(effective_at!)
  expect(await shown()).toMatchObject({ status: 'archived' })
  const next = [FIRST, { version: '2', from: january(11, 10), weights: ['0.9', '0.1'] as const }]
  const wish = await world.contentOf(world.file([...next, { version: '9', from: january(70) }]))
  expect((await refusalOf(world.propose(ann, wish))).message).toMatch(
    /is archived; allowed: an index that has not ended/,
  )
})
