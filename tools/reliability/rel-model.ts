import { anySeed, lane, whole } from './lane.ts'
import { runModel } from './model/run-model.ts'
import { withDatabase } from './with-database.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:model -- [--commands N] [--seed S] [--path P --replay R]`: random histories of orders, batches, amends, cancels, previews, pauses,
 * settlements, corrections and reads, now and as of earlier instants, over HTTP, and through a slow, plain model beside. What differs is
 * shrunk; its seed and paths repeat it. Prints one JSON line, which reports/reliability/rel-model.json keeps; ends with 1 at the first
 * difference.
 */
const { commands, seed, path, replay } = lane('rel:model')
  .option('--commands <n>', 'commands in all', whole(1), 100_000)
  .option('--seed <n>', 'of the first history', whole(0), anySeed())
  .option('--path <path>', 'of a counterexample that was printed')
  .option('--replay <path>', 'of its commands', '')
  .parse()
  .opts<{ commands: number; seed: number; path?: string; replay: string }>()

const counterexample = path === undefined ? null : { path, replay }
writeReport('rel-model', await withDatabase((pool) => runModel(pool, { commands, seed, counterexample })))
