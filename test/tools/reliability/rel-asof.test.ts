import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runAsof } from '../../../tools/reliability/asof/run-asof.ts'
import { ACTS } from '../../../tools/reliability/asof/warehouse-acts.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// test/slow/lanes-see-faults.test.ts plants a fault in the lane.
const folder = tempFolder()

test('answers as of an instant stay the same through every kind of change', async () => {
  const report = await runAsof({ folder: join(folder, 'a'), seed: 1, comparisons: sized(50, 1_000) })
  expect(report.violations).toEqual([])
  expect(report.comparisons).toBeGreaterThanOrEqual(sized(50, 1_000))
  expect(Object.keys(report.acts)).toEqual([...ACTS])
  expect(Math.min(...Object.values(report.acts))).toBeGreaterThan(0)
  expect(report.queries.log).toBeGreaterThan(5)
  expect(report.queries['api 200']).toBeGreaterThan(5)
}, 400_000)
