import { expect, test } from 'vitest'
import { runMaker } from '../../tools/reliability/maker/run-maker.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a maker of several markets, whose statement and fills sum to what it has', async () => {
  const report = await runMaker({ home: tempFolder(), seconds: 24, markets: 4 })
  expect(report.violations).toEqual([])
  expect(report.takes).toBeGreaterThan(20)
}, 600_000)
