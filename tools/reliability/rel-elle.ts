import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../trading/store/start-postgres.ts'
import { runElle } from './elle/run-elle.ts'
import { endedWith } from './ended-with.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:elle -- [--operations N] [--seed S]`: clients trade and read over HTTP at once; what they were told must be one order of
 * all commits, that of the engine's log, and none may be told less than was answered before it asked. Prints one JSON line, which
 * reports/reliability/rel-elle.json keeps; ends with 1 where that is not so.
 */
const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
})

const started = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'tidemark-elle-'))
const starting = startPostgres({ folder: join(folder, 'postgres') })
const close = async () => {
  await starting.then((postgres) => postgres.stop())
  rmSync(folder, { recursive: true, force: true })
}
const report = await endedWith(close, async () => {
  const { pool } = await starting
  return await runElle(pool, { operations: Number(values.operations), seed: Number(values.seed) })
})
writeReport('rel-elle', { ...report, seconds: Math.round((performance.now() - started) / 1000) })
