import { runElle } from './elle/run-elle.ts'
import { runElleWithKills } from './elle/run-elle-with-kills.ts'
import { anySeed, lane, whole } from './lane.ts'
import { withDatabase } from './with-database.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:elle -- [--operations N] [--kills K] [--seed S]`: clients trade and read over HTTP at once; what they were told must be
 * one order of all commits, that of the engine's log, and none may be told less than was answered before it asked: also while K times
 * the engine that leads is ended by signal 9 and another one goes on. Prints one JSON line, which reports/reliability/rel-elle.json
 * keeps (rel-elle-kills.json with kills); ends with 1 where that is not so.
 */
const { operations, kills, seed } = lane('rel:elle')
  .option('--operations <n>', 'requests in all', whole(1), 20_000)
  .option('--kills <n>', 'how often the leading engine is ended', whole(0), 0)
  .option('--seed <n>', 'of what clients ask', whole(0), anySeed())
  .parse()
  .opts<{ operations: number; kills: number; seed: number }>()

const report =
  kills === 0
    ? await withDatabase((pool) => runElle(pool, { operations, seed }))
    : await runElleWithKills({ operations, kills, seed })
writeReport(kills === 0 ? 'rel-elle' : 'rel-elle-kills', report)
