import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../trading/store/start-postgres.ts'
import { endedWith } from './ended-with.ts'
import { runAttacks } from './replay/run-attacks.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run sec:replay -- [--count N] [--seed S]`: requests that were accepted are sent again, whole or changed in some seventy ways,
 * to a served API with its engine. Each must be refused with its code and leave log, orders, balances and positions as they were.
 * Prints one JSON line, which reports/reliability/sec-replay.json keeps; ends with 1 at the first that is not.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
})

const started = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'tidemark-replay-'))
const starting = startPostgres({ folder: join(folder, 'postgres') })
const close = async () => {
  await starting.then((postgres) => postgres.stop())
  rmSync(folder, { recursive: true, force: true })
}
const report = await endedWith(close, async () => {
  const { pool } = await starting
  return await runAttacks(pool, { count: Number(values.count), seed: Number(values.seed) })
})
writeReport('sec-replay', { ...report, seconds: Math.round((performance.now() - started) / 1000) })
