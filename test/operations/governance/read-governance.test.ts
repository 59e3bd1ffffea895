import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readGovernance } from '../../../operations/governance/read-governance.ts'
import { MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import { atRecordedInstant } from '../../../warehouse/recorded-clock.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { governanceActs, rosterChange } from '../../support/governance-world.ts'
import { person } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Acts that are read one after the other, beside all of them read at once. */
const admin = person('admin', 'administrator')
const deputy = person('deputy', 'administrator')
const FIRST = toMicros('2025-12-02T09:00:00Z')
const SECOND = FIRST + MICROS_PER_DAY
let root: string
let warehouse: Warehouse

beforeAll(async () => {
  root = join(tempFolder(), 'warehouse')
  warehouse = await openWarehouse({ root, create: true })
})
afterAll(() => warehouse.close())

/** Reads everything anew: another opening of the same warehouse has read nothing before. */
async function readAll() {
  const other = await openWarehouse({ root })
  try {
    return await readGovernance(other)
  } finally {
    await other.close()
  }
}

test('acts read one after the other, at their recorded instants and later, are those of all read at once', async () => {
  const [first, second] = [atRecordedInstant(warehouse, FIRST), atRecordedInstant(warehouse, SECOND)]
  const { state } = await readGovernance(first)
  const change = rosterChange(state, [admin, deputy], { threshold: 2, expires_at: FIRST + 300 * MICROS_PER_DAY })
  await governanceActs(first).propose(admin, change)
  const proposed = await readGovernance(first)
  expect(proposed).toEqual(await readAll())
  await governanceActs(second).vote(deputy, change)
  const voted = await readGovernance(second)
  expect(voted.acts.length).toBeGreaterThan(proposed.acts.length)
  expect(voted).toEqual(await readAll())
  expect(await readGovernance(warehouse)).toEqual(voted)
  // An earlier instant is not that of the newest acts, which were read last.
  expect(await readGovernance(first)).toEqual(proposed)
  expect(await readGovernance(warehouse)).toEqual(voted)
})
