import { describe, expect, test } from 'vitest'
import { type ModelViolation, runModel } from '../../../tools/reliability/model/run-model.ts'
import type { Submission } from '../../../trading/engine/submission.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { sized } from '../../support/sized.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

const database = withDatabase()

test('what the API tells over random histories is what the model says', async () => {
  const { pool } = await database()
  const report = await runModel(pool, { seed: 1, commands: sized(60, 250), at_once: 4 })
  expect(report.violations).toEqual([])
  expect(report.orders).toBeGreaterThan(sized(10, 60))
  expect(report.fills).toBeGreaterThan(sized(0, 15))
  expect(report.looked_back).toBeGreaterThan(sized(0, 1))
}, 400_000)

describe('a service that takes post_only orders for others', () => {
  const forgetful = (real: EngineClient): EngineClient => ({ ...real, submit: (one) => real.submit(takingAnyway(one)) })
  const serving = { engine: forgetful }
  let found: ModelViolation

  test('is seen, and the history is shrunk to the two orders that meet', async () => {
    const { pool } = await database()
    // Its first histories meet the fault; before most seeds lie hundreds that do not.
    const options = { seed: 1146, commands: 5_000, history_max: 6, at_once: 1, shrinking_ms: 300_000, serving }
    const { violations } = await runModel(pool, options)
    found = violations[0] as ModelViolation
    expect(found.difference).toMatch(/ORDER_POST_ONLY_WOULD_TAKE/)
    expect(found.commands.length).toBeLessThanOrEqual(3)
  }, 400_000)

  test('is seen again where the same history is asked for', async () => {
    const { pool } = await database()
    const { seed, path, replay, difference, commands } = found
    const again = await runModel(pool, {
      seed,
      commands: 1,
      history_max: 6,
      counterexample: { path, replay },
      serving,
    })
    // The audit finds it too: what is stored is not what was signed.
    expect(again.violations).toMatchObject([{ seed, commands }, expect.stringMatching(/^O10: /)])
    expect((again.violations[0] as ModelViolation).difference.replace(/ord_\w+/, '')).toBe(
      difference.replace(/ord_\w+/, ''),
    )
  }, 200_000)
})

function takingAnyway(submission: Submission): Submission {
  if (submission.kind !== 'place') return submission
  const { order } = submission
  return { ...submission, order: { ...order, intent: { ...order.intent, post_only: false } } }
}
