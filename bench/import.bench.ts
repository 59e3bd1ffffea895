/**
 * Measures the import of the recorded archive (154,289 rows, 850 publication instants) into an empty warehouse under the recorded
 * clock, then a second import that finds everything stored; each round runs in a process of its own.
 * Goals: under 25 s and under 700 MB resident.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { invariant } from '../primitives/errors.ts'
import { recordedData } from '../test/support/recorded-data.ts'
import type { BenchRow } from './bench-row.ts'
import { runScript } from './support/run-script.ts'

/** Output of import-once.ts. */
type Measured = {
  readonly seconds: number
  readonly cpu_seconds: number
  readonly resident_max_mb: number
  readonly records_read: number
  readonly records_stored: number
  readonly commits: number
}

const ROUNDS = 3
const SCRIPT = fileURLToPath(new URL('support/import-once.ts', import.meta.url))

export async function run(): Promise<BenchRow[]> {
  const dir = recordedData('forecastbench')
  const first: Measured[] = []
  const second: Measured[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const root = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
    try {
      first.push(await importOnce(root, dir))
      second.push(await importOnce(root, dir))
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }
  const stored = first[0]!.records_stored
  invariant(
    first.every((m) => m.records_stored === stored && m.records_read === stored),
    'every row is stored once',
  )
  invariant(
    second.every((m) => m.records_stored === 0 && m.commits === 0),
    'a second import stores nothing',
  )
  const rows = { rows: stored, commits: first[0]!.commits }
  return [
    row('import.recorded.seconds', 's', { at_most: 25 }, first, 'seconds', rows),
    row('import.recorded.cpu_seconds', 's', null, first, 'cpu_seconds', rows),
    row('import.recorded.resident_max', 'MB', { at_most: 700 }, first, 'resident_max_mb', rows),
    row('import.again.seconds', 's', null, second, 'seconds', rows),
    row('import.again.resident_max', 'MB', { at_most: 700 }, second, 'resident_max_mb', rows),
  ]
}

function row(
  figure: string,
  unit: string,
  goal: BenchRow['goal'],
  measured: readonly Measured[],
  field: 'seconds' | 'cpu_seconds' | 'resident_max_mb',
  details: Readonly<Record<string, number>>,
): BenchRow {
  const rounds = measured.map((m) => Math.round(m[field] * 100) / 100)
  return {
    figure,
    value: rounds.toSorted((a, b) => a - b)[rounds.length >> 1]!,
    unit,
    goal,
    details: { rounds, ...details },
  }
}

function importOnce(root: string, dir: string): Promise<Measured> {
  return runScript(SCRIPT, [root, dir, 'recorded'])
}
