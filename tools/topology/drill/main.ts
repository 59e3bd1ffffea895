import { mkdtempSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureServerBinary } from '../../../workflows/server/ensure-binary.ts'
import { anySeed, lane, whole } from '../../reliability/lane.ts'
import { runDrill } from './run-drill.ts'
import { startBroken } from './start-broken.ts'

/** Starts the topology of deploy/compose.yaml, breaks it under load for some minutes, and checks what callers were told. */
const options = lane('topology:drill')
  .option('--minutes <n>', 'how long faults follow each other', whole(1), 60)
  .option('--seed <n>', 'seed of faults and load', whole(0), anySeed())
  .option('--home <dir>', 'home of the topology (default: a new temporary folder)')
  .parse()
  .opts<{ minutes: number; seed: number; home?: string }>()
const home = resolve(options.home ?? join(mkdtempSync(join(tmpdir(), 'tidemark-drill-')), 'home'))
const note = (text: string) => process.stdout.write(`${new Date().toISOString()} ${text}\n`)
note(`home ${home}, seed ${options.seed}`)
const { path } = await ensureServerBinary({
  cli_path: process.env.TEMPORAL_CLI_PATH || null,
  path: process.env.PATH ?? '',
  cache: process.env.TIDEMARK_CACHE || join(homedir(), '.cache', 'tidemark'),
  on_step: note,
})
const broken = await startBroken({
  home,
  folder: join(home, 'topology'),
  number: 60,
  temporal_binary: path,
  environment: 'sandbox',
})
try {
  const report = await runDrill({ ...broken, ...options, on_note: note })
  const file = join(home, 'drill.json')
  writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`)
  const failed = report.checks.filter(({ found }) => found.length > 0)
  for (const { name, found } of failed) note(`${name}: ${found.slice(0, 10).join('\n')}`)
  note(
    `${report.faults.length} faults, ${report.orders.acknowledged} orders acknowledged, ${report.messages} messages; ${file}`,
  )
  note(failed.length === 0 ? 'everything holds' : `${failed.length} checks failed`)
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  await broken.stop()
}
