/**
 * Measures the time from the start of `tidemark engine`, after the one before was killed by signal 9, to its first accepted order,
 * with a history of a million orders, 50,000 of them working.
 * Goal: the slowest of seven (p95) under 3 s.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { invariant } from '../primitives/errors.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { SubmissionMaker } from '../test/support/trading/submissions.ts'
import { connectEngine } from '../trading/service/connect-engine.ts'
import { startEngine } from '../trading/service/start-engine.ts'
import type { Pool } from '../trading/store/create-pool.ts'
import type { BenchRow } from './bench-row.ts'
import { withTradingDatabase } from './support/trading-database.ts'
import { multiplyHistory } from './support/trading-history.ts'

const ROUNDS = 7
const ACCOUNTS = Array.from({ length: 50 }, (_, n) => `acct_${n}`)
const WORKING_EACH = 1_000
const ENDED = 950_000
const TIDEMARK = fileURLToPath(new URL('../cli/tidemark.mjs', import.meta.url))

export async function run(): Promise<BenchRow[]> {
  return withTradingDatabase(async ({ pool, url }) => {
    const maker = new SubmissionMaker('restart')
    await seed(pool, maker)
    await multiplyHistory(pool, WORKING_EACH, ENDED)
    compileCommand()
    const seconds: number[] = []
    const client = connectEngine({ pool, leader_ms: 60_000 })
    for (let round = 0; round < ROUNDS; round += 1) {
      const started = performance.now()
      const engine = start(url)
      const answer = await client.submit(maker.place('acct_0', { limit_price: '0.01' }))
      invariant(answer.status === 201, 'the first order is accepted')
      seconds.push((performance.now() - started) / 1000)
      engine.kill('SIGKILL')
      await once(engine, 'close')
    }
    await client.close()
    const value = Math.max(...seconds)
    const details = { seconds, orders: ENDED + WORKING_EACH * ACCOUNTS.length, working: WORKING_EACH * ACCOUNTS.length }
    return [
      { figure: 'engine.restart', value: Math.round(value * 100) / 100, unit: 's', goal: { at_most: 3 }, details },
    ]
  })
}

/** Compiles the checkout first; only the first command after a change does that, not each restart. */
function compileCommand(): void {
  const { status } = spawnSync(process.execPath, [TIDEMARK, '--version'], { stdio: 'ignore' })
  invariant(status === 0, 'the command starts')
}

function start(url: string): ChildProcess {
  const env = { ...process.env, DATABASE_URL: url }
  return spawn(process.execPath, [TIDEMARK, 'engine'], { env, stdio: 'ignore' })
}

/** Places one working order per account; the history is then multiplied. */
async function seed(pool: Pool, maker: SubmissionMaker): Promise<void> {
  const engine = await startEngine({ pool, now: wallClock, holder: 'bench', address: null })
  await engine.leading
  const orders = ACCOUNTS.map((account_id, n) => maker.place(account_id, { limit_price: `0.${10 + (n % 30)}` }))
  for (const submission of [...maker.setUp(ACCOUNTS, '1000000'), ...orders]) {
    invariant((await engine.client.submit(submission)).error === null, 'the bench is set up')
  }
  await engine.stop()
}
