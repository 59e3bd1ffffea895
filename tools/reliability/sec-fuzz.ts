import { join } from 'node:path'
import { runFuzz } from './fuzz/run-fuzz.ts'
import { anySeed, lane, whole } from './lane.ts'
import { withDatabase } from './with-database.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run sec:fuzz -- [--cases N] [--frames F] [--seed S]`: requests to every route, signed and unsigned, with faults in path, query,
 * headers and body, and frames of a stream with faults. None is answered with a server error, after two seconds, or as no document
 * describes, and memory stays bounded. Prints one JSON line, which reports/reliability/sec-fuzz.json keeps; ends with 1 at the first
 * violation.
 */
const { cases, frames, seed } = lane('sec:fuzz')
  .option('--cases <n>', 'requests', whole(1), 500_000)
  .option('--frames <n>', 'frames of a stream', whole(1), 20_000)
  .option('--seed <n>', 'of requests and frames', whole(0), anySeed())
  .parse()
  .opts<{ cases: number; frames: number; seed: number }>()

const onProgress = (text: string) => process.stderr.write(`${text}\n`)
const options = { cases, frames, seed, onProgress }
writeReport(
  'sec-fuzz',
  await withDatabase((pool, folder) => runFuzz(pool, { folder: join(folder, 'public'), ...options })),
)
