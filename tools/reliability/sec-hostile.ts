import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endedWith } from './ended-with.ts'
import { ATTACKS } from './hostile/attacks.ts'
import { runHostile } from './hostile/run-hostile.ts'
import { anyOf, lane, whole } from './lane.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run sec:hostile -- [--seconds N] [--attack NAME]`: starts the service, and attacks it from one account and one address in every
 * known way. Beside each attack an account trades, a reader reads and a stream listens; docs/security.md says what they are promised.
 * Prints one JSON line, which reports/reliability/sec-hostile.json keeps; ends with 1 where a promise was broken.
 */
const { seconds, attack } = lane('sec:hostile')
  .option('--seconds <n>', 'length of each attack', whole(1), 60)
  .option('--attack <name>', 'only this attack, repeatable', anyOf(Object.keys(ATTACKS)), [])
  .parse()
  .opts<{ seconds: number; attack: readonly string[] }>()

const home = mkdtempSync(join(tmpdir(), 'tidemark-hostile-'))
const attacks = attack.length === 0 ? Object.keys(ATTACKS) : attack
const rows = await endedWith(
  async () => rmSync(home, { recursive: true, force: true }),
  () => runHostile({ home, seconds, attacks, onRow: (row) => process.stderr.write(`${JSON.stringify(row)}\n`) }),
)
const violations = rows.flatMap((row) => row.violations)
writeReport('sec-hostile', {
  lane: 'sec:hostile',
  rows,
  violations,
})
