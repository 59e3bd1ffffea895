import { expect, test, vi } from 'vitest'
import { advanceGovernance } from '../../../operations/governance/advance-governance.ts'
import { auditGovernance } from '../../../operations/governance/audit-governance.ts'
import { readGovernance } from '../../../operations/governance/read-governance.ts'
import { performRecordedSteps, type RecordedSteps } from '../../../operations/sample/recorded-steps.ts'
import type { Change } from '../../../pipelines/governance/proposal.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { dying } from '../../support/dying-warehouse.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from '../../support/governance-world.ts'
import { openedWarehouses } from '../../support/opened-warehouses.ts'
import { person } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 120_000 })
const { warehouseAt } = openedWarehouses(tempFolder())
const admin = person('admin', 'administrator')
const member = person('member', 'committee')
const overseer = person('overseer', 'oversight')
const people = [admin, member, person('other', 'committee'), overseer]

/** A roster, then a policy: acts of people and of the service at four instants of a past. */
const PAST: RecordedSteps = {
  tables: ['governance_act', 'governance_proposal', 'governance_roster', 'governance_policy'],
  steps: [
    {
      at: '2025-12-01T08:00:00Z',
      perform: (at) => propose(at, (state, now) => rosterChange(state, people, ends(now))),
    },
    { at: '2025-12-01T09:00:00Z', perform: (at) => propose(at, policyOf) },
    { at: '2025-12-02T09:00:00Z', perform: (at) => vote(at, member) },
    { at: '2025-12-03T09:00:00Z', perform: (at) => vote(at, overseer) },
    { at: '2025-12-04T09:00:00Z', perform: (at) => advanceGovernance(at) },
  ],
}

const ends = (now: number) => ({ threshold: 1, expires_at: inDays(now, 300) })
type State = Awaited<ReturnType<typeof readGovernance>>['state']
const policyOf = (state: State, now: number) => policyChange(state, TEST_POLICY, inDays(now, 300))

/** Proposes a first record of its kind; one that is in force already is left as it is. */
async function propose(warehouse: Warehouse, changeIn: (state: State, now: number) => Change) {
  await advanceGovernance(warehouse)
  const acts = governanceActs(warehouse)
  const { rosters, policies } = await acts.state()
  if (changeIn === policyOf ? policies.length > 0 : rosters.length > 0) return
  await acts.propose(admin, changeIn(await acts.state(), await warehouse.now()))
}

async function vote(warehouse: Warehouse, by: typeof member) {
  const { proposals } = (await readGovernance(warehouse)).state
  const policy = [...proposals.values()].find(({ kind }) => kind === 'policy')!
  await governanceActs(warehouse).vote(by, policy)
}

const recordsOf = (acts: readonly Row[]) => acts.map(({ row_ordinal: _o, published_at: _p, ...row }) => row)

test('a past that was interrupted anywhere is completed as if it never had been: each act once, at its instant', async () => {
  const whole = await warehouseAt('whole')
  await performRecordedSteps(whole, PAST)
  const expected = recordsOf((await readGovernance(whole)).acts)
  expect(expected.map(({ act, recorded_at }) => [act, recorded_at])).toContainEqual(['vote', '2025-12-02T09:00:00Z'])
  expect(expected.map(({ act }) => act)).toEqual([
    ...['propose', 'approve', 'queue', 'activate'],
    ...['propose', 'vote', 'vote', 'approve', 'queue', 'activate'],
  ])
  const killed: number[] = []
  // Commits of acts and of the records that follow from them, in three steps.
  for (const at of [1, 4, 9, 11, 13, 17]) {
    const warehouse = await warehouseAt(`killed-${at}`)
    await performRecordedSteps(dying(warehouse, at), PAST).catch(({ message }: Error) => {
      expect(message).toBe('killed')
      killed.push(at)
    })
    await performRecordedSteps(warehouse, PAST)
    await performRecordedSteps(warehouse, PAST)
    expect(recordsOf((await readGovernance(warehouse)).acts)).toEqual(expected)
    expect((await auditGovernance(warehouse)).violations).toEqual([])
  }
  expect(killed.length).toBeGreaterThanOrEqual(5)
})

test('a step sees what was published by its instant, and nothing later', async () => {
  const warehouse = await warehouseAt('sees')
  const seen: number[] = []
  const look = {
    at: '2025-12-02T12:00:00Z',
    perform: async (at: Warehouse) => seen.push((await readGovernance(at)).acts.length),
  }
  await performRecordedSteps(warehouse, { ...PAST, steps: [...PAST.steps.slice(0, 3), look] })
  const published = (await warehouse.log('governance_act').closedThrough())!
  expect(published).toBeLessThan(toMicros('2025-12-02T09:00:01Z'))
  expect(seen).toEqual([6])
})

test('a step that has records behind it is not performed again: it would see what followed it', async () => {
  const warehouse = await warehouseAt('again')
  const performed: string[] = []
  const counted = PAST.steps.map((step) => ({
    at: step.at,
    perform: (at: Warehouse) => {
      performed.push(step.at)
      return step.perform(at)
    },
  }))
  await performRecordedSteps(warehouse, { ...PAST, steps: counted.slice(0, 2) })
  await performRecordedSteps(warehouse, { ...PAST, steps: counted.slice(0, 3) })
  expect(performed).toEqual([0, 1, 1, 2].map((n) => PAST.steps[n]!.at))
})
