import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { advanceGovernance } from '../../../operations/governance/advance-governance.ts'
import { auditGovernance } from '../../../operations/governance/audit-governance.ts'
import { auditRestatements } from '../../../operations/governance/audit-restatements.ts'
import { auditLevels } from '../../../operations/governance/audit-versions.ts'
import { describeChange } from '../../../operations/governance/describe-change.ts'
import { planCorrection } from '../../../operations/index/plan-correction.ts'
import { verifyObservations } from '../../../operations/index/verify-observations.ts'
import { writeStamped } from '../../../operations/index/write-stamped.ts'
import { auditNotices } from '../../../operations/notices/audit-notices.ts'
import { publishNotices } from '../../../operations/notices/publish-notices.ts'
import { readNotices } from '../../../operations/notices/read-notices.ts'
import { readRestatement } from '../../../pipelines/governance/restatement.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { january, PEOPLE } from '../../support/governed-index.ts'
import { correct, LATE, levelsAt, RECENT, restatementWorld } from '../../support/restatement-world.ts'
import { tidemark } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 300_000 })

const folder = tempFolder()
const { ben, cat, olaf } = PEOPLE

async function restatements(warehouse: Warehouse) {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_restatement'] })
  try {
    return await session.query('from index_restatement')
  } finally {
    await session.close()
  }
}

async function expectSound(warehouse: Warehouse): Promise<void> {
  for (const audit of [auditGovernance, auditLevels, auditRestatements, auditNotices])
    expect((await audit(warehouse)).violations).toEqual([])
  expect((await verifyObservations({ warehouse, index_id: 'idx_tide' })).failures).toEqual([])
}

test('late levels wait for a vote, are restated once as approved, and the old ones stay known', async () => {
  const world = await restatementWorld(join(folder, 'story'))
  const { warehouse } = world
  world.at(january(10, 12))
  await world.load('late', [...LATE, ...RECENT])
  const corrected = await correct(warehouse)
  expect(corrected.revised.map(({ restatement }) => restatement)).toEqual([
    'official',
    'official',
    'official',
    'official',
  ])
  expect(new Set(corrected.waiting.map(({ restatement }) => restatement))).toEqual(new Set(['committee']))
  // From 01-02 to 01-05, when the next value of B is known.
  expect(corrected.waiting.map(({ tick_at }) => tick_at.slice(8, 10))).toEqual(
    [2, 3, 4].flatMap((day) => Array(4).fill(`0${day}`)),
  )
  expect(await correct(warehouse)).toMatchObject({ revised: [], waiting: corrected.waiting })

  const [first, second] = [await world.propose(january(1), january(4)), await world.propose(january(4), january(8))]
  const ids = [first.proposal_id, second.proposal_id]
  expect(first).toMatchObject({ kind: 'restatement', target: 'idx_tide:levels', base_hash: null })
  const rule = { committee: 2, oversight: 1, notice: 'PT6H' }
  expect(first).toMatchObject({ change_class: 'late_restatement', rule })
  const ticks = [first, second].flatMap(({ content }) => readRestatement(content).ticks)
  expect(ticks.map(({ tick_at, new_level }) => [tick_at, new_level])).toEqual(
    corrected.waiting.map(({ tick_at, new_level }) => [tick_at, new_level]),
  )
  for (const id of ids) await world.approve(id, ben, cat)
  await world.advance(january(10, 18))
  expect((await world.acts.state()).proposals.get(ids[0]!)).toMatchObject({ state: 'consulting' })
  for (const id of ids) await world.approve(id, olaf)
  world.at(january(10, 23))
  const before = await levelsAt(warehouse, null)
  expect(await restatements(warehouse)).toEqual([])
  const asked_at = await warehouse.now()
  await world.advance(january(11, 6))

  const after = await levelsAt(warehouse, null)
  expect(await levelsAt(warehouse, asked_at)).toEqual(before)
  const changed = [...after].filter(([tick, level]) => before.get(tick) !== level).sort()
  expect(changed).toEqual(ticks.map(({ tick_at, new_level }) => [tick_at, new_level]))
  const rows = await restatements(warehouse)
  expect(rows.map(({ proposal_id }) => proposal_id).sort()).toEqual([...ids].sort())
  expect(rows.flatMap(({ changes }) => changes)).toHaveLength(12)

  await publishNotices(warehouse)
  const notices = (await readNotices(warehouse)).filter(({ proposal_id }) => ids.includes(String(proposal_id)))
  const told = notices.filter(({ kind }) => kind === 'correction')
  expect(told.map(({ cause, title }) => [cause, title]).sort()).toEqual([
    ['LATE_DATA', 'Restated late: 4 levels of idx_tide'],
    ['LATE_DATA', 'Restated late: 8 levels of idx_tide'],
  ])
  const rangeOf = ({ proposal_id, starts_at, ends_at }: Record<string, unknown>) => [proposal_id, starts_at, ends_at]
  expect(told.map(rangeOf).sort()).toEqual(rows.map(rangeOf).sort())
  // The notices and two answers as of instants before and after say the same.
  const changes = told.flatMap((notice) => notice.changes)
  expect(changes.map(({ at, old_value, new_value }) => [at, old_value, new_value]).sort()).toEqual(
    changed.map(([tick, level]) => [tick, before.get(tick), level]),
  )
  await expectSound(warehouse)
  await advanceGovernance(warehouse)
  expect(await correct(warehouse)).toMatchObject({ revised: [], waiting: [] })
  expect(await levelsAt(warehouse, null)).toEqual(after)
  await warehouse.close()
})

test('nobody types a level, and data that came meanwhile ends the proposal without a change', async () => {
  const world = await restatementWorld(join(folder, 'broken'))
  const { warehouse } = world
  world.at(january(10, 12))
  await expect(world.contentOf(january(1), january(8))).rejects.toThrow('in which none waits for a vote')
  await world.load('late', LATE)
  await expect(world.contentOf(january(1), january(8), 'idx_absent')).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
  const wish = await world.contentOf(january(1), january(8))
  const { ticks } = readRestatement(wish.content)
  const typed = (changed: unknown) =>
    world.proposeContent({ ...wish, content: { ...wish.content, ticks: changed } as never })
  const described = await describeChange(warehouse, world.form)
  expect(described).toMatchObject({ kind: 'restatement', base_hash: null, change_class: 'late_restatement' })
  const { tick_at, new_level } = ticks[0]!
  const difference = { path: `/ticks/${tick_at}/new_level`, before: null, after: JSON.stringify(new_level) }
  expect(described.differences).toContainEqual(difference)
  const wrong = ticks.map((tick, n) => (n === 3 ? { ...tick, new_level: '1500.0000' } : tick))
  await expect(typed(wrong)).rejects.toThrow(`ticks/${ticks[3]!.tick_at} is `)
  await expect(typed(ticks.slice(1))).rejects.toThrow(`ticks is without ${ticks[0]!.tick_at}`)
  const more = { ...ticks[0]!, tick_at: formatMicros(january(1, 6)), supersedes_id: 'iob_absent' }
  await expect(typed([more, ...ticks])).rejects.toThrow('no tick that needs no restatement')
  await expect(world.proposeContent({ ...wish, emergency: 'LATE' })).rejects.toThrow('none, for a restatement')

  const proposal = await world.propose()
  await world.approve(proposal.proposal_id, ben, cat, olaf)
  await world.advance(january(10, 18))
  const before = await levelsAt(warehouse, null)
  await world.load('later', [['s1', 'B', 3, '08T07:00', '0.6']])
  await world.advance(january(11))
  expect((await world.acts.state()).proposals.get(proposal.proposal_id)).toMatchObject({
    ...{ state: 'expired', reason: 'PRECONDITION_BROKEN' },
  })
  expect(await levelsAt(warehouse, null)).toEqual(before)
  expect(await restatements(warehouse)).toEqual([])
  await expectSound(warehouse)
  await warehouse.close()
})

test('a late revision without a vote is found by the audit and refused by the verifier', async () => {
  const world = await restatementWorld(join(folder, 'unapproved'))
  const { warehouse } = world
  world.at(january(10, 12))
  await world.load('late', [...LATE, ...RECENT])
  // By the clock of the machine, levels of the last hours are late too.
  const told = await tidemark(['index', 'correct', 'idx_tide', '--reason', 'LATE_DATA'], {
    environment: { TIDEMARK_HOME: join(folder, 'unapproved') },
  })
  expect(told.stdout).toContain('\n16 more wait for a vote: tidemark governance propose with a restatement')
  const range = { from: null, to: null, as_of: null, is_governed: false }
  const { due, waiting } = await planCorrection({ ...range, index_id: 'idx_tide', reason: 'LATE_DATA', warehouse })
  expect(waiting).toEqual([])
  const rows = due.map(
    ({ observation: row }) => ({ table: 'index_observation', row, stamp: { kind: 'wall' } }) as const,
  )
  await writeStamped(warehouse, rows, { operation: 'CORRECT_LEVELS' })
  const late = due.filter(({ revision }) => revision.restatement === 'late').map((one) => one.revision.observation_id)
  expect(late).toHaveLength(12)
  const { violations } = await auditRestatements(warehouse)
  expect(violations.map(({ id }) => id).sort()).toEqual([...late].sort())
  expect(violations[0]!.detail).toBe('it was restated late, and no proposal in force approved it')
  const { failures } = await verifyObservations({ warehouse, index_id: 'idx_tide' })
  expect(failures.map(({ observation_id }) => observation_id).sort()).toEqual([...late].sort())
  await warehouse.close()
})

test('late levels wait for a vote from the approval of an adoption on; the audit finds those that did not', async () => {
  const world = await restatementWorld(join(folder, 'queued'), { is_adopted: false })
  const { warehouse } = world
  world.at(january(10, 12))
  await world.load('late', LATE)
  let late: readonly string[] = []
  await world.adopt(january(10, 13), async () => {
    world.at(january(10, 13) + 60_000_000)
    const { revised, waiting, adoption } = await correct(warehouse)
    expect([revised.length, waiting.length]).toEqual([0, 12])
    expect(adoption).toMatchObject({ effective_at: '2026-01-10T14:00:00Z' })
    const told = await tidemark(['index', 'correct', 'idx_tide', '--reason', 'LATE_DATA'], {
      environment: { TIDEMARK_HOME: join(folder, 'queued') },
    })
    expect(told.stdout).toContain(`, once the adoption ${adoption!.proposal_id} is in force, at 2026-01-10T14:00:00Z`)
    const range = { from: null, to: null, as_of: null, is_governed: false }
    const { due } = await planCorrection({ ...range, index_id: 'idx_tide', reason: 'LATE_DATA', warehouse })
    const rows = due.map(
      ({ observation: row }) => ({ table: 'index_observation', row, stamp: { kind: 'wall' } }) as const,
    )
    await writeStamped(warehouse, rows, { operation: 'CORRECT_LEVELS' })
    late = due.map(({ revision }) => revision.observation_id)
    expect((await auditRestatements(warehouse)).violations).toEqual([])
  })
  const { violations } = await auditRestatements(warehouse)
  expect(violations.map(({ id }) => id).sort()).toEqual([...late].sort())
  await warehouse.close()
})
