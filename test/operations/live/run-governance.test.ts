import { expect, test } from 'vitest'
import { adoptionOf } from '../../../operations/governance/change-of-file.ts'
import { runGovernance } from '../../../operations/live/run-governance.ts'
import { readNotices } from '../../../operations/notices/read-notices.ts'
import { recordPause, recordResume } from '../../../operations/pause/record-schedule-act.ts'
import { governedIndex, january, PEOPLE } from '../../support/governed-index.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('a process without Temporal performs what is due, unless that is paused; failures are reported, and tried again', async () => {
  const world = await governedIndex(tempFolder())
  await world.govern()
  const { proposal } = await world.propose(PEOPLE.ann, await adoptionOf(world.warehouse, 'idx_tide'))
  await world.approve(proposal!.proposal_id, PEOPLE.ben)
  world.at(january(10, 1))
  const stateOf = async () => (await world.acts.state()).proposals.get(proposal!.proposal_id)!.state
  const run = async (warehouse = world.warehouse, until: (problems: unknown[]) => Promise<boolean>) => {
    const [stop, problems] = [new AbortController(), [] as unknown[]]
    const running = runGovernance({ warehouse, signal: stop.signal, on_problem: (error) => problems.push(error) })
    while (!(await until(problems))) await new Promise((resolve) => setTimeout(resolve, 20))
    stop.abort()
    await running
  }
  await recordPause(world.warehouse, 'govern', { actor: 'ada', reason: 'a test' })
  let looks = 0
  const now = async () => {
    looks += 1
    return world.warehouse.now()
  }
  const counted = { ...world.warehouse, now }
  await run(counted, async () => looks > 0)
  expect(await stateOf()).toBe('queued')
  await recordResume(world.warehouse, 'govern', { actor: 'ada', reason: 'over' })
  const failing = { ...world.warehouse, append: async () => Promise.reject(new Error('disk full')) }
  await run(failing, async (problems) => problems.length > 0)
  expect(await stateOf()).toBe('queued')
  await run(world.warehouse, async () => (await stateOf()) === 'effective')
  await world.warehouse.close()
}, 120_000)

test('an idle process announces what people decide elsewhere, and performs it at its instant', async () => {
  const world = await governedIndex(tempFolder())
  await world.govern()
  const titles = async () => (await readNotices(world.warehouse)).map(({ title }) => title)
  const isSaid = async (what: string) =>
    (await titles()).some((title) => title.startsWith(`${what}: `) && title.includes(' of idx_tide'))
  const [stop, problems] = [new AbortController(), [] as unknown[]]
  const until = async (isSo: () => Promise<boolean>) => {
    while (problems.length === 0 && !(await isSo())) await new Promise((resolve) => setTimeout(resolve, 100))
    expect(problems).toEqual([])
  }
  // Another object, so that nothing but the warehouse tells it of acts.
  const warehouse = { ...world.warehouse }
  const running = runGovernance({ warehouse, signal: stop.signal, on_problem: (error) => problems.push(error) })
  await until(async () => (await titles()).length > 0)
  const { proposal } = await world.propose(PEOPLE.ann, await adoptionOf(world.warehouse, 'idx_tide'))
  await world.approve(proposal!.proposal_id, PEOPLE.ben)
  // The clock of the test stands, so a turn of five minutes would never end.
  await until(() => isSaid('Approved'))
  expect(await isSaid('In force')).toBe(false)
  world.at(january(10, 2))
  await until(() => isSaid('In force'))
  stop.abort()
  await running
  await world.warehouse.close()
}, 60_000)
