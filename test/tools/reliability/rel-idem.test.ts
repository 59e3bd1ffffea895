import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runIdem } from '../../../tools/reliability/idem/run-idem.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

const database = withDatabase()

test('requests that are repeated, at once and after a lost connection, have one effect and one answer', async () => {
  const { pool } = await database()
  const report = await runIdem(pool, { seed: 1, requests: 150 })
  expect(report.violations).toEqual([])
  for (const count of [report.dropped, report.replayed, report.conflicts]) expect(count).toBeGreaterThan(0)
}, 120_000)

test('the lane sees a service that forgets its Idempotency-Keys', async () => {
  const { pool } = await database()
  const engine = (real: EngineClient): EngineClient => ({
    ...real,
    submit: (submission) =>
      real.submit(
        'identity' in submission
          ? { ...submission, identity: { ...submission.identity, idempotency_key: randomUUID() } }
          : submission,
      ),
  })
  const { violations } = await runIdem(pool, { seed: 1, requests: 60, serving: { engine } })
  expect(violations.length).toBeGreaterThan(0)
}, 120_000)
