import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerTo } from '../../tools/reliability/asof/recorded-query.ts'
import { runAsof } from '../../tools/reliability/asof/run-asof.ts'
import { runFuzz } from '../../tools/reliability/fuzz/run-fuzz.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { withDatabase } from '../support/trading/postgres.ts'

/** Faults planted in whole services; the verdicts of the lanes on single answers are tested in `npm test`. */
const database = withDatabase()
const folder = tempFolder()

test('rel:asof sees a service that forgets the instant', async () => {
  const forgetful: typeof answerTo = (world, query) =>
    answerTo(world, query.kind === 'api' ? { ...query, path: query.path.replace(/[?&]as_of=[^&]*/, '') } : query)
  const { violations } = await runAsof({
    folder: join(folder, 'asof'),
    seed: 2, // its third act changes the answer to a question of the first rounds
    comparisons: 8_000,
    answer: forgetful,
  })
  expect(violations[0]).toMatch(/^after \w+: \{"query":\{"kind":"api",/)
}, 400_000)

/** Kinds that the lane submits itself before its first request. */
const OWN_KINDS: ReadonlySet<string> = new Set(['place', 'request_transfer', 'create_webhook'])

// Requests are made while others are answered, so one seed gives others in each run: some hundredth of them reaches the fault.
test('sec:fuzz sees a service that fails on a request', async () => {
  const { pool } = await database()
  const failing = (real: EngineClient): EngineClient => ({
    ...real,
    submit: (submission) => {
      if (!OWN_KINDS.has(submission.kind)) throw new TypeError('planted')
      return real.submit(submission)
    },
  })
  const report = await runFuzz(pool, {
    folder: join(folder, 'fuzz'),
    seed: 2,
    cases: 2_000,
    frames: 1,
    serving: { engine: failing },
  })
  expect(report.violations[0]).toMatch(/^server error 500: .*"url":"\/v1\//)
}, 400_000)
