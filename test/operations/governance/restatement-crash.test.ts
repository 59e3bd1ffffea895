import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { advanceGovernance } from '../../../operations/governance/advance-governance.ts'
import { auditGovernance } from '../../../operations/governance/audit-governance.ts'
import { auditRestatements } from '../../../operations/governance/audit-restatements.ts'
import { readGovernance } from '../../../operations/governance/read-governance.ts'
import { planCorrection } from '../../../operations/index/plan-correction.ts'
import { writeStamped } from '../../../operations/index/write-stamped.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { dying } from '../../support/dying-warehouse.ts'
import { january, PEOPLE } from '../../support/governed-index.ts'
import { LATE, restatementWorld } from '../../support/restatement-world.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 300_000 })

/** Tables that an activation writes, in their order. Records of the act before are offered again, and then its own. */
const WRITTEN = [
  ...['governance_proposal', 'governance_act', 'governance_proposal', 'governance_proposal'],
  ...['index_restatement', 'index_observation'],
]

/** Second revisions: those of the restatement, and two from before the index was governed. */
const LEVELS = 12 + 2

async function published(warehouse: Warehouse) {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const sql = `select (select count(*)::int from index_observation_history where revision = 2) as levels,
      (select count(*)::int from index_observation_history where revision > 2) as again,
      (select count(*)::int from index_restatement_history) as restatements`
    return (await session.query(sql))[0]
  } finally {
    await session.close()
  }
}

test('a restatement interrupted between any two steps, or done by two processes at once, is published once', async () => {
  const folder = tempFolder()
  const world = await restatementWorld(folder)
  world.at(january(10, 12))
  await world.load('late', LATE)
  const proposal = await world.propose()
  await world.approve(proposal.proposal_id, PEOPLE.ben, PEOPLE.cat, PEOPLE.olaf)
  await world.advance(january(10, 18))
  await world.warehouse.close()
  // Steps before the act of the activation are those of every change (activation-crash.test.ts).
  for (const at of sized([5, 6, 7], [2, 3, 5, 6, 7])) {
    const root = join(folder, `after-${at}`)
    cpSync(join(folder, 'warehouse'), root, { recursive: true })
    const now = async () => january(11, 12)
    const warehouse = await openWarehouse({ root, ports: { now, store: { ...openLocalStore(root), now } } })
    const written: string[] = []
    const is_last = at > WRITTEN.length
    const run = advanceGovernance(dying(warehouse, is_last ? Number.POSITIVE_INFINITY : at, written))
    await (is_last ? run : expect(run).rejects.toThrow('killed'))
    expect(written.slice(0, WRITTEN.length)).toEqual(WRITTEN.slice(0, at - 1))
    await Promise.all([advanceGovernance(warehouse), advanceGovernance(warehouse)])
    expect(await published(warehouse)).toEqual({ levels: LEVELS, again: 0, restatements: 1 })
    const { acts } = await readGovernance(warehouse)
    expect(acts.filter(({ act, kind }) => act === 'activate' && kind === 'restatement')).toHaveLength(1)
    expect((await auditGovernance(warehouse)).violations).toEqual([])
    expect((await auditRestatements(warehouse)).violations).toEqual([])
    await warehouse.close()
  }
  await expectMoved(folder)
})

/** A level of the restatement gets another revision after the activation: nothing is published, and the audit says so. */
async function expectMoved(folder: string): Promise<void> {
  const root = join(folder, 'moved')
  cpSync(join(folder, 'warehouse'), root, { recursive: true })
  const now = async () => january(11, 12)
  const warehouse = await openWarehouse({ root, ports: { now, store: { ...openLocalStore(root), now } } })
  await expect(advanceGovernance(dying(warehouse, 5, []))).rejects.toThrow('killed')
  const tick = { from: '2026-01-02T00:00:00Z', to: '2026-01-02T01:00:00Z', as_of: null, is_governed: false }
  const { due } = await planCorrection({ ...tick, index_id: 'idx_tide', reason: 'LATE_DATA', warehouse })
  const rows = due.map(
    ({ observation: row }) => ({ table: 'index_observation', row, stamp: { kind: 'wall' } }) as const,
  )
  const other = rows.map(({ row, ...of }) => ({
    ...of,
    row: { ...row, observation_id: 'iob_other', record_hash: 'x' },
  }))
  await writeStamped(warehouse, other, { operation: 'CORRECT_LEVELS' })
  await advanceGovernance(warehouse)
  expect(await published(warehouse)).toEqual({ levels: 2 + 1, again: 0, restatements: 0 })
  const { violations } = await auditRestatements(warehouse)
  expect(violations.filter(({ table }) => table === 'index_restatement')).toHaveLength(12)
  expect(violations[0]!.detail).toContain('was approved, and is not in its record')
  await warehouse.close()
}
