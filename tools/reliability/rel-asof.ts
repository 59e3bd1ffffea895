import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAsof } from './asof/run-asof.ts'
import { endedWith } from './ended-with.ts'
import { anySeed, lane, whole } from './lane.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:asof -- [--comparisons N] [--seed S]`: questions as of an instant, asked over the API and by SQL over the table logs, while
 * the warehouse gets new, late and corrected records, is compacted, cleaned up and started again. The SHA-256 of each canonical answer
 * stays as it was. Prints one JSON line, which reports/reliability/rel-asof.json keeps; ends with 1 where an answer changed.
 */
const { comparisons, seed } = lane('rel:asof')
  .option('--comparisons <n>', 'answers that are compared at least', whole(1), 25_000)
  .option('--seed <n>', 'of questions and changes', whole(0), anySeed())
  .parse()
  .opts<{ comparisons: number; seed: number }>()

const folder = mkdtempSync(join(tmpdir(), 'tidemark-asof-'))
const onRound = (text: string) => process.stderr.write(`${text}\n`)
const report = await endedWith(
  async () => rmSync(folder, { recursive: true, force: true }),
  () => runAsof({ folder, comparisons, seed, onRound }),
)
writeReport('rel-asof', report)
