/**
 * Measures the import of a simulated week of Kalshi's messages into an empty warehouse, in a process of its own: 200 markets, to
 * each visited by traders every 10 s (12 M visits). Every payload is stored by content before it is read. `--days N` imports
 * fewer than seven days and scales the goal for the time.
 * Goals: a week under 300 s on two cores, resident memory flat and under 1 GB.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { invariant } from '../primitives/errors.ts'
import type { BenchOptions } from './bench-options.ts'
import type { BenchRow } from './bench-row.ts'
import { rounded } from './support/rounds.ts'
import { runScript } from './support/run-script.ts'
import { INTERVAL_SECONDS, MARKETS, simulatedDays } from './support/simulated-days.ts'
import { stolenCpuSeconds, stolenSince } from './support/stolen-cpu.ts'

const SCRIPT = fileURLToPath(new URL('support/import-days-once.ts', import.meta.url))
const DAYS = 7
const SECONDS_A_WEEK_MAX = 300
const RESIDENT_MB_MAX = 1000
/** Largest allowed ratio of the last day's resident memory to the second day's; a leak grows every day. */
const GROWTH_MAX = 1.25

/** Output of import-days-once.ts. */
type Measured = {
  readonly seconds: number
  readonly cpu_seconds: number
  readonly resident_max_mb: number
  readonly resident_mb_by_day: readonly number[]
  readonly payloads: number
  readonly payloads_stored: number
  readonly records: number
  readonly records_stored: number
  readonly quarantined: number
  readonly commits: number
}

export async function run(options: BenchOptions): Promise<BenchRow[]> {
  const days = Math.min(options.days ?? DAYS, DAYS)
  const dir = await simulatedDays(days)
  const root = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  try {
    const stolen_before = stolenCpuSeconds()
    const measured = await importDays(join(root, 'warehouse'), dir)
    const stolen_cpu_seconds = stolenSince(stolen_before)
    const { payloads, payloads_stored, records, records_stored, quarantined } = measured
    invariant(payloads === payloads_stored, `each of ${payloads} payloads is stored once, not ${payloads_stored}`)
    invariant(records === records_stored + quarantined, `${records} records are stored, not ${records_stored}`)
    return rowsOf(measured, days, stolen_cpu_seconds)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function rowsOf(measured: Measured, days: number, stolen_cpu_seconds: number | string): BenchRow[] {
  const { seconds, cpu_seconds, resident_max_mb, resident_mb_by_day, payloads, records, quarantined, commits } =
    measured
  const details = {
    days,
    markets: MARKETS,
    interval_seconds: INTERVAL_SECONDS,
    payloads,
    records,
    quarantined,
    commits,
    stolen_cpu_seconds,
  }
  const rows: BenchRow[] = [
    figureRow('seconds', seconds, 's', { at_most: rounded((SECONDS_A_WEEK_MAX * days) / DAYS) }, details),
    figureRow('cpu_seconds', cpu_seconds, 's', null, {}),
    figureRow('payloads', payloads / seconds, '1/s', null, {}),
    figureRow('records', records / seconds, '1/s', null, {}),
    figureRow('resident_max', resident_max_mb, 'MB', { at_most: RESIDENT_MB_MAX }, { resident_mb_by_day }),
  ]
  // The first day starts with empty memory.
  const [, first] = resident_mb_by_day
  const last = resident_mb_by_day.at(-1)
  if (days > 2 && first !== undefined && last !== undefined)
    rows.push(figureRow('last_day_to_second', last / first, 'x', { at_most: GROWTH_MAX }, { resident_mb_by_day }))
  return rows
}

function figureRow(
  name: string,
  value: number,
  unit: string,
  goal: BenchRow['goal'],
  details: BenchRow['details'],
): BenchRow {
  return { figure: `import_week.${name}`, value: rounded(value), unit, goal, details }
}

function importDays(root: string, dir: string): Promise<Measured> {
  return runScript(SCRIPT, [root, dir])
}
