import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../trading/store/start-postgres.ts'
import { endedWith } from './ended-with.ts'
import { runIdem } from './idem/run-idem.ts'
import { anySeed, lane, whole } from './lane.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:idem -- [--requests N] [--seed S]`: the same request again, at once and after its connection was taken away before, in or
 * after its commit, and other requests under the same Idempotency-Key. Each key has one effect, and whoever asks again is told the same.
 * Prints one JSON line, which reports/reliability/rel-idem.json keeps; ends with 1 at the first violation.
 */
const { requests, seed } = lane('rel:idem')
  .option('--requests <n>', 'requests in all', whole(1), 20_000)
  .option('--seed <n>', 'of the requests', whole(0), anySeed())
  .parse()
  .opts<{ requests: number; seed: number }>()

const started = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'tidemark-idem-'))
const starting = startPostgres({ folder: join(folder, 'postgres') })
const close = async () => {
  await starting.then((postgres) => postgres.stop())
  rmSync(folder, { recursive: true, force: true })
}
const report = await endedWith(close, async () => {
  const { pool } = await starting
  return await runIdem(pool, { requests, seed })
})
writeReport('rel-idem', { ...report, seconds: Math.round((performance.now() - started) / 1000) })
