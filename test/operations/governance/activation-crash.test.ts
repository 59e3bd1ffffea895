import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { advanceGovernance } from '../../../operations/governance/advance-governance.ts'
import { auditGovernance } from '../../../operations/governance/audit-governance.ts'
import { auditVersions } from '../../../operations/governance/audit-versions.ts'
import { readGovernance } from '../../../operations/governance/read-governance.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openLocalStore } from '../../../warehouse/store/local-store.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { dying } from '../../support/dying-warehouse.ts'
import { governedIndex, january, PEOPLE } from '../../support/governed-index.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 300_000 })

/** Tables that the activation of a new index writes, in their order. Records of the act before are offered again, and then its own. */
const WRITTEN = [
  ...['governance_proposal', 'governance_act', 'governance_proposal', 'governance_proposal'],
  ...['methodology', 'index_definition', 'index_version'],
]

const EVERY_STEP = Array.from({ length: WRITTEN.length + 1 }, (_, n) => n + 1)
/** In the fast lane: before and after the act, between two of its records, and no interruption. */
const STEPS = sized([2, 3, 6, WRITTEN.length + 1], EVERY_STEP)

async function publishedRows(warehouse: Warehouse) {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const sql = `select (select count(*)::int from index_version_history where index_id = 'idx_other') as versions,
      (select count(*)::int from index_definition_history where index_id = 'idx_other') as indexes,
      (select count(*)::int from methodology where methodology_id = 'mth_other') as methodologies`
    return (await session.query(sql))[0]
  } finally {
    await session.close()
  }
}

test('an activation interrupted between any two steps, or done by two processes at once, publishes everything once', async () => {
  const folder = tempFolder()
  const world = await governedIndex(folder)
  await world.govern()
  const other = world.file([{ version: '1', from: january(12) }], { name: 'other', index_id: 'idx_other' })
  const { proposal } = await world.propose(PEOPLE.ann, await world.contentOf(other))
  expect(proposal).toMatchObject({ change_class: 'material', base_hash: null })
  await world.approve(proposal!.proposal_id, PEOPLE.ben, PEOPLE.cat, PEOPLE.olaf)
  await world.advance(january(10, 6))
  await world.warehouse.close()
  for (const at of STEPS) {
    const root = join(folder, `after-${at}`)
    cpSync(join(folder, 'warehouse'), root, { recursive: true })
    const now = async () => january(10, 12)
    const warehouse = await openWarehouse({ root, ports: { now, store: { ...openLocalStore(root), now } } })
    const written: string[] = []
    const is_last = at > WRITTEN.length
    const run = advanceGovernance(dying(warehouse, is_last ? Number.POSITIVE_INFINITY : at, written))
    await (is_last ? run : expect(run).rejects.toThrow('killed'))
    expect(written.slice(0, WRITTEN.length)).toEqual(WRITTEN.slice(0, at - 1))
    await Promise.all([advanceGovernance(warehouse), advanceGovernance(warehouse)])
    expect(await publishedRows(warehouse)).toEqual({ versions: 1, indexes: 1, methodologies: 1 })
    const { acts } = await readGovernance(warehouse)
    expect(acts.filter(({ act, kind }) => act === 'activate' && kind === 'index_version')).toHaveLength(1)
    expect((await auditGovernance(warehouse)).violations).toEqual([])
    expect((await auditVersions(warehouse)).violations).toEqual([])
    await warehouse.close()
  }
})
