import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../trading/store/start-postgres.ts'
import { endedWith } from './ended-with.ts'
import { runModel } from './model/run-model.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run rel:model -- [--commands N] [--seed S] [--path P --replay R]`: random histories of orders, batches, amends, cancels, previews, pauses,
 * settlements, corrections and reads, now and as of earlier instants, over HTTP, and through a slow, plain model beside. What differs is
 * shrunk; its seed and paths repeat it. Prints one JSON line, which reports/reliability/rel-model.json keeps; ends with 1 at the first
 * difference.
 */
const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    path: { type: 'string' },
    replay: { type: 'string', default: '' },
  },
})

const started = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'tidemark-model-'))
const starting = startPostgres({ folder: join(folder, 'postgres') })
const close = async () => {
  await starting.then((postgres) => postgres.stop())
  rmSync(folder, { recursive: true, force: true })
}
const { commands, seed, path, replay } = values
const counterexample = path === undefined ? null : { path, replay }
const report = await endedWith(close, async () => {
  const { pool } = await starting
  return await runModel(pool, { commands: Number(commands), seed: Number(seed), counterexample })
})
writeReport('rel-model', { ...report, seconds: Math.round((performance.now() - started) / 1000) })
