import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publishSample } from '../../../operations/sample/publish-sample.ts'
import { isSampleRefusal } from '../../../operations/sample/refuse-sample.ts'
import { SANDBOX_ACTOR_PREFIX } from '../../../vocabulary/governance.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { governanceActs, inDays, rosterChange } from '../../support/governance-world.ts'
import { refusalOf } from '../../support/refusal.ts'
import { person } from '../../support/review-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Puts a roster of one administrator in force, and publishes the sample. @returns the error, and the steps that began */
async function sampleUnderRosterOf(actor_id: string) {
  const folder = tempFolder()
  const warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  const acts = governanceActs(warehouse)
  const admin = person(actor_id, 'administrator')
  const in_force = { threshold: 1, expires_at: inDays(await warehouse.now(), 300) }
  await acts.propose(admin, rosterChange(await acts.state(), [admin], in_force))
  const steps: string[] = []
  const stopped = new Error('stopped by the test')
  const write_world = () => Promise.reject(stopped)
  const on_step = (step: string) => void steps.push(step)
  const error = await publishSample(warehouse, { home: folder, write_world, on_step }).catch((thrown) => thrown)
  await warehouse.close()
  return { error, steps, stopped, folder }
}

test('a home with a roster of its own refuses the sample before any work, and says what works', async () => {
  const { error, steps, folder } = await sampleUnderRosterOf('ann')
  expect(isSampleRefusal(error)).toBe(true)
  expect((await refusalOf(Promise.reject(error))).code).toBe('GOVERNANCE_REQUIRED')
  expect(error.message).toContain('--no-sample-data')
  expect(steps).toEqual([])
  expect(existsSync(join(folder, 'sample'))).toBe(false)
}, 60_000)

test('the roster of a sandbox does not refuse it', async () => {
  const { error, steps, stopped } = await sampleUnderRosterOf(`${SANDBOX_ACTOR_PREFIX}administrator`)
  expect(error).toBe(stopped)
  expect(isSampleRefusal(error)).toBe(false)
  expect(steps).toHaveLength(1)
}, 60_000)
