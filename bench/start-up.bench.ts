/**
 * Measures how long a user waits for a process: commands that read the warehouse, beside a bare Node process and one that only opens
 * DuckDB, and `tidemark up` on an existing home until the first 200 of GET /v1/indexes. The home has the sample week.
 * Goal: 0.5 s a command and 3 s for `up`, on a quiet machine; medians.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { invariant } from '../primitives/errors.ts'
import { freePort } from '../workflows/server/free-port.ts'
import type { BenchRow } from './bench-row.ts'
import { median, rounded } from './support/rounds.ts'

const ROUNDS = 7
const UP_ROUNDS = 3
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TIDEMARK = join(ROOT, 'cli', 'tidemark.mjs')
const OPEN_DUCKDB = `const { DuckDBInstance } = require('@duckdb/node-api')
DuckDBInstance.create(':memory:').then((instance) => instance.connect())`

/** Commands by the name of their figure. */
const COMMANDS = {
  version: ['--version'],
  tables: ['tables'],
  index_list: ['index', 'list'],
  sql: ['sql', 'select count(*) from market_quote'],
} as const

export async function run(): Promise<BenchRow[]> {
  const home = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  try {
    runOnce([TIDEMARK, 'up', '--once', '--home', home])
    const bare_s = timesOf(['-e', '0'])
    const duckdb_s = timesOf(['-e', OPEN_DUCKDB])
    const rows: BenchRow[] = Object.entries(COMMANDS).map(([name, argv]) => {
      const seconds = timesOf([TIDEMARK, ...argv, '--home', home])
      const details = { seconds, bare_node_s: median(bare_s), node_and_duckdb_s: median(duckdb_s) }
      return { figure: `start_up.${name}`, value: median(seconds), unit: 's', goal: { at_most: 0.5 }, details }
    })
    const seconds: number[] = []
    for (let round = 0; round < UP_ROUNDS; round += 1) seconds.push(await firstAnswer(home))
    return [
      ...rows,
      {
        figure: 'start_up.first_answer',
        value: median(seconds),
        unit: 's',
        goal: { at_most: 3 },
        details: { seconds },
      },
    ]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Times of a command, after one run that compiles it. */
function timesOf(argv: readonly string[]): number[] {
  runOnce(argv)
  return Array.from({ length: ROUNDS }, () => {
    const started = performance.now()
    runOnce(argv)
    return rounded((performance.now() - started) / 1000)
  })
}

function runOnce(argv: readonly string[]): void {
  const { status } = spawnSync(process.execPath, argv, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  invariant(status === 0, `node ${argv.join(' ')} ends with 0`)
}

/** Time from the start of the service to its first answer; then it is stopped. */
async function firstAnswer(home: string): Promise<number> {
  const port = await freePort('127.0.0.1')
  const started = performance.now()
  const argv = [TIDEMARK, 'up', '--home', home, '--port', String(port)]
  const child = spawn(process.execPath, argv, { stdio: 'ignore' })
  try {
    await answered(`http://127.0.0.1:${port}/v1/indexes`, child)
    return rounded((performance.now() - started) / 1000)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'close')
  }
}

async function answered(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => null,
    )
    if (status === 200) return
    await sleep(10)
  }
  invariant(false, 'the service runs until it has answered')
}
