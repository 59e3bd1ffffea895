import { runIdem } from './idem/run-idem.ts'
import { anySeed, lane, whole } from './lane.ts'
import { withDatabase } from './with-database.ts'
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

writeReport('rel-idem', await withDatabase((pool) => runIdem(pool, { requests, seed })))
