import { anySeed, lane, whole } from './lane.ts'
import { runAttacks } from './replay/run-attacks.ts'
import { withDatabase } from './with-database.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run sec:replay -- [--count N] [--seed S]`: requests that were accepted are sent again, whole or changed in 85 ways,
 * to a served API with its engine. Each must be refused with its code and leave log, orders, balances and positions as they were.
 * Prints one JSON line, which reports/reliability/sec-replay.json keeps; ends with 1 at the first that is not.
 */
const { count, seed } = lane('sec:replay')
  .option('--count <n>', 'requests that are sent again', whole(1), 20_000)
  .option('--seed <n>', 'of the requests', whole(0), anySeed())
  .parse()
  .opts<{ count: number; seed: number }>()

writeReport('sec-replay', await withDatabase((pool) => runAttacks(pool, { count, seed })))
