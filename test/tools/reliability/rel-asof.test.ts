import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerTo } from '../../../tools/reliability/asof/recorded-query.ts'
import { runAsof } from '../../../tools/reliability/asof/run-asof.ts'
import { ACTS } from '../../../tools/reliability/asof/warehouse-acts.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()

test('answers as of an instant stay the same through every kind of change', async () => {
  const report = await runAsof({ folder: join(folder, 'a'), seed: 1, comparisons: sized(100, 1_000) })
  expect(report.violations).toEqual([])
  expect(report.comparisons).toBeGreaterThanOrEqual(sized(100, 1_000))
  expect(Object.keys(report.acts)).toEqual([...ACTS])
  expect(Math.min(...Object.values(report.acts))).toBeGreaterThan(0)
  expect(report.queries.log).toBeGreaterThan(5)
  expect(report.queries['api 200']).toBeGreaterThan(5)
}, 400_000)

test('the lane sees a service that forgets the instant', async () => {
  const forgetful: typeof answerTo = (world, query) =>
    answerTo(world, query.kind === 'api' ? { ...query, path: query.path.replace(/[?&]as_of=[^&]*/, '') } : query)
  const { violations } = await runAsof({
    folder: join(folder, 'b'),
    seed: 2, // its third act changes the answer to a question of the first rounds
    comparisons: 8_000,
    answer: forgetful,
  })
  expect(violations[0]).toMatch(/^after \w+: \{"query":\{"kind":"api",/)
}, 400_000)
