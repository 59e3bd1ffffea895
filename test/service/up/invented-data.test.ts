import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  noteInventedData,
  refuseInventedData,
  refuseProduction,
  refuseRealData,
} from '../../../service/up/invented-data.ts'
import type { UpRun } from '../../../service/up/up-options.ts'
import { readSimulatedVenues } from '../../../warehouse/simulated-venues.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const FEEDS = ['gdacs', 'kalshi', 'manifold', 'polymarket', 'usgs'] as const
const runWith = (sandboxAccounts: number) => ({ options: { sandboxAccounts, sampleData: true } }) as unknown as UpRun

test('invented data is refused where money is real, and said with what to run instead', () => {
  expect(() => refuseProduction('production')).toThrow(
    /TIDEMARK_ENVIRONMENT is production, where `tidemark up` does not run, because its venues are simulated; allowed: another name, or the processes/,
  )
  for (const name of ['Production', 'production ', 'prod-eu']) expect(() => refuseProduction(name)).toThrow(name)
  for (const name of ['sandbox', 'staging', 'reproduction']) expect(() => refuseProduction(name)).not.toThrow()
})

test.each([
  ['a sandbox', 2, [...FEEDS, 'tidemark'].sort()],
  ['no sandbox', 0, FEEDS],
])('a run with %s notes its venues in the warehouse', async (_, accounts, wanted) => {
  const root = join(folder, `warehouse-${accounts}`)
  await noteInventedData(runWith(accounts), root)
  expect(existsSync(root)).toBe(false)
  mkdirSync(root)
  writeFileSync(join(root, 'warehouse.json'), '{"format":1}\n')
  await noteInventedData(runWith(accounts), root)
  expect([...(await readSimulatedVenues(root))].sort()).toEqual(wanted)
  await expect(refuseInventedData({ environment: 'production', warehouse: root })).rejects.toThrow(
    `TIDEMARK_ENVIRONMENT is production, but warehouse ${root} has data of simulated venues (`,
  )
  await refuseInventedData({ environment: 'staging', warehouse: root })
  await refuseInventedData({ environment: 'production', warehouse: folder })
})

test('simulated data is not added to a warehouse outside the home that has real data', async () => {
  const root = join(folder, 'real')
  const home = join(folder, 'home')
  await refuseRealData({ home, warehouse: root })
  mkdirSync(root)
  writeFileSync(join(root, 'warehouse.json'), '{"format":1}\n')
  await expect(refuseRealData({ home, warehouse: root })).rejects.toThrow(
    `warehouse is ${root}, which has no simulated data; \`tidemark up\` would add some`,
  )
  await refuseRealData({ home: folder, warehouse: join(folder, 'warehouse') })
  await noteInventedData(runWith(0), root)
  await refuseRealData({ home, warehouse: root })
})
