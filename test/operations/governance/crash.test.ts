import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { advanceGovernance } from '../../../operations/governance/advance-governance.ts'
import { auditGovernance } from '../../../operations/governance/audit-governance.ts'
import { readGovernance } from '../../../operations/governance/read-governance.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { dying } from '../../support/dying-warehouse.ts'
import { governanceActs, inDays, rosterChange } from '../../support/governance-world.ts'
import { person } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 120_000 })
const admin = person('admin', 'administrator')
const deputy = person('deputy', 'administrator')

test('a crash between any two steps loses nothing, and repeats nothing', async () => {
  const folder = tempFolder()
  const proposed = await openWarehouse({ root: join(folder, 'proposed'), create: true })
  const in_force = { threshold: 2, expires_at: inDays(await proposed.now(), 300) }
  const members = [{ member: admin.member }, { member: deputy.member }]
  const roster = rosterChange((await readGovernance(proposed)).state, members, in_force)
  await governanceActs(proposed).propose(admin, roster)
  await proposed.close()
  const killed: number[] = []
  for (let at = 1; ; at += 1) {
    const root = join(folder, `${at}`)
    cpSync(proposed.root, root, { recursive: true })
    const warehouse = await openWarehouse({ root })
    const died = await governanceActs(dying(warehouse, at))
      .vote(deputy, roster)
      .then(
        () => false,
        (error: Error) => error.message === 'killed',
      )
    if (died) killed.push(at)
    const { acts } = await readGovernance(warehouse)
    if (acts.length === 1) await governanceActs(warehouse).vote(deputy, roster)
    await advanceGovernance(warehouse)
    const { state, acts: after } = await readGovernance(warehouse)
    expect(after.map(({ act }) => act)).toEqual(['propose', 'vote', 'approve', 'queue', 'activate'])
    expect(state.rosters).toHaveLength(1)
    expect(await auditGovernance(warehouse)).toEqual({ checked: 5, violations: [] })
    await warehouse.close()
    if (!died) break
  }
  expect(killed.length).toBeGreaterThanOrEqual(9)
})
