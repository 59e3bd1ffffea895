import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endedWith } from './ended-with.ts'
import { lane, whole } from './lane.ts'
import { runMaker } from './maker/run-maker.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:maker -- [--seconds N] [--markets M]`: an account quotes both sides of many complementary markets while others trade with
 * it. Its mirror, statement, fills, balances and positions must agree to the last digit. Prints one JSON line, which
 * reports/reliability/rel-maker.json keeps, with files and memory over time; ends with 1 where something differs.
 */
const { seconds, markets } = lane('rel:maker')
  .option('--seconds <n>', 'time of trading', whole(1), 3_600)
  .option('--markets <n>', 'markets that are quoted', whole(1), 20)
  .parse()
  .opts<{ seconds: number; markets: number }>()

const home = mkdtempSync(join(tmpdir(), 'tidemark-maker-'))
const onCheck = (check: object) => process.stderr.write(`${JSON.stringify(check)}\n`)
const report = await endedWith(
  async () => rmSync(home, { recursive: true, force: true }),
  () => runMaker({ home, seconds, markets, onCheck }),
)
writeReport('rel-maker', { lane: 'rel:maker', seconds_of_trading: seconds, markets, ...report })
