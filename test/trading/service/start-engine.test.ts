import { describe, expect, test } from 'vitest'
import { wallClock } from '../../../primitives/wall-clock.ts'
import type { Answer, Submission } from '../../../trading/engine/submission.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { ACCOUNTS, randomSubmissions } from '../../support/trading/random-submissions.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { startLeading, stopAndReload, violations } from '../support/engine-faults.ts'

const database = withDatabase()

async function engineOn(pool: Pool) {
  const faults: unknown[] = []
  const engine = await startLeading(pool, { onFault: (e) => faults.push(e) })
  return { ...engine, faults }
}

async function submitAll(
  engine: { client: { submit(s: Submission): Promise<Answer> } },
  submissions: readonly Submission[],
) {
  return Promise.all(submissions.map((submission) => engine.client.submit(submission)))
}

describe('an engine', () => {
  test('answers after the commit: what it tells is in the database', async () => {
    const { pool } = await database()
    const engine = await engineOn(pool)
    const maker = new SubmissionMaker()
    const answers = await submitAll(engine, maker.setUp(['acct_a', 'acct_b']))
    expect(answers.map(({ status, error }) => error ?? status)).toEqual(answers.map(() => 200))
    const buy = await engine.client.submit(maker.place('acct_a', { side: 'BUY', quantity: '3' }))
    expect(buy.error).toBeNull()
    expect((await pool.query('SELECT status FROM trading.orders')).rows).toEqual([{ status: 'open' }])
    const sell = await engine.client.submit(maker.place('acct_b', { side: 'SELL', quantity: '2' }))
    expect(sell.status).toBe(201)
    expect((await pool.query('SELECT count(*) AS fills FROM trading.fill')).rows).toEqual([{ fills: 2 }])
    await engine.stop()
    expect(engine.faults).toEqual([])
    expect(await violations(pool)).toEqual([])
  })

  test.each([1, 2, 3])('random history %i: all invariants hold, and a reload equals the memory', async (seed) => {
    const { pool } = await database()
    const engine = await engineOn(pool)
    await submitAll(engine, new SubmissionMaker('s').setUp(ACCOUNTS))
    const submissions = randomSubmissions(seed, 400, wallClock())
    for (let from = 0; from < submissions.length; from += 25) {
      await submitAll(engine, submissions.slice(from, from + 25))
    }
    const { reloaded, memory } = await stopAndReload(pool, engine)
    expect(reloaded).toEqual(memory)
    expect(engine.faults).toEqual([])
    expect(await violations(pool)).toEqual([])
    const { rows } = await pool.query('SELECT count(*) AS fills FROM trading.fill')
    expect(rows[0].fills).toBeGreaterThan(20)
  })
})
