/**
 * Measures operations on a warehouse with 4, 40 and 400 days of quotes (1x, 10x and 100x of history), in a folder and, with 4 and 40
 * days, in an object store of this machine (versitygw). Each step runs in a process of its own, and the sizes take turns.
 * Goals: at the most history an operation takes at most 1.2 times as long as at the least; as of an instant, a host without copies
 * answers from the object store in 15 s, and then in 1.1 times the time of the folder; another host sees a commit in 2 s.
 */

import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { invariant } from '../primitives/errors.ts'
import { type StorePair, startStorePair } from '../test/support/versitygw.ts'
import { useObjectStores } from '../warehouse/store/s3/object-store-access.ts'
import type { BenchOptions } from './bench-options.ts'
import type { BenchRow } from './bench-row.ts'
import type { DaySize } from './support/history/history-days.ts'
import type { StepOptions, StepTimes } from './support/history/history-step.ts'
import { FIRST_OPENED_DAYS_MAX, makeHistory } from './support/history/history-world.ts'
import { inTurn, rounded, spread } from './support/rounds.ts'
import { runScript } from './support/run-script.ts'

const SCRIPT = fileURLToPath(new URL('support/history/history-step.ts', import.meta.url))
const STEPS = ['open', 'read', 'append', 'tick']
/** Figures of the steps whose growth has a goal. */
const GROWING = ['open_warehouse', 'open_reader', 'latest', 'as_of_cold', 'as_of_warm', 'append', 'tick_first', 'tick']
const GROWTH_MAX = 1.2
const ROUNDS = 3
const DAYS = [4, 40, 400]
const STORE_DAYS = DAYS.slice(0, 2)
const DEFAULT_QUOTES = 8_000_000
/** Quotes from which there are as many markets as in the simulated year. */
const MANY_QUOTES = 80_000_000
/** Most bytes of a quote in a data file; a run needs twice as many. */
const QUOTE_BYTES = 25

type World = { readonly name: string; readonly options: StepOptions; readonly times: Record<string, number[]> }

export async function run({ quotes = DEFAULT_QUOTES }: BenchOptions): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const pair = await startStorePair(folder)
  try {
    requireSpace(folder, quotes)
    const size = sizeOf(quotes)
    const rows = [...(await inFolder(folder, size)), ...(await inStore(folder, pair, size))]
    return rows
  } finally {
    await pair.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Rounds are a multiple of ten, so that each commit of a day has as many. */
function sizeOf(quotes: number): DaySize {
  const markets = quotes >= MANY_QUOTES ? 10_000 : 1000
  const rounds = Math.max(1, Math.round(quotes / (DAYS.at(-1)! * markets * 20))) * 10
  return { markets, rounds }
}

function requireSpace(folder: string, quotes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const wanted = quotes * QUOTE_BYTES * 2
  invariant(bavail * bsize >= wanted, `history: ${bavail * bsize} bytes are free in ${folder}; needed: ${wanted}`)
}

async function inFolder(folder: string, size: DaySize): Promise<BenchRow[]> {
  const worlds = DAYS.map((days) => worldOf(days, join(folder, `days-${days}`), null))
  const made = await makeAll(worlds, size)
  await measure(worlds)
  rmSync(worlds.at(-1)!.options.root, { recursive: true, force: true })
  return [...made, ...growthRows('history', worlds), firstOpening(worlds)]
}

async function inStore(folder: string, pair: StorePair, size: DaySize): Promise<BenchRow[]> {
  const access = { ...pair.access, folder: join(folder, 'writer') }
  const worlds = STORE_DAYS.map((days) => worldOf(days, `s3://${pair.bucket}/days-${days}`, access))
  useObjectStores(access)
  const made = await makeAll(worlds, size)
  await measure(worlds)
  return [...made, ...growthRows('history.store', worlds), ...(await hostRows(folder, worlds[0]!))]
}

function worldOf(days: number, root: string, access: StepOptions['access']): World {
  return { name: `${days / DAYS[0]!}x`, options: { root, days, access }, times: {} }
}

async function makeAll(worlds: readonly World[], size: DaySize): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const { name, options } of worlds) {
    const from = performance.now()
    await makeHistory(options.root, size, options.days)
    const seconds = (performance.now() - from) / 1000
    const details = { ...size, days: options.days, quotes: size.markets * 2 * size.rounds * options.days }
    const kind = options.access === null ? 'history' : 'history.store'
    rows.push({ figure: `${kind}.made.${name}`, value: rounded(seconds), unit: 's', goal: null, details })
  }
  return rows
}

/** Runs every step on every world, in turns. A first opening reads the whole history, and is kept apart. */
async function measure(worlds: readonly World[]): Promise<void> {
  for (const world of worlds) if (world.options.days <= FIRST_OPENED_DAYS_MAX) await runStep(world, 'open', 'first_')
  for (let round = 0; round < ROUNDS; round++) {
    for (const step of STEPS) for (const world of inTurn(worlds, round)) await runStep(world, step)
  }
}

async function runStep({ options, times }: World, step: string, prefix = ''): Promise<void> {
  const taken = await runScript<StepTimes>(SCRIPT, [step, JSON.stringify(options)])
  for (const [name, values] of Object.entries(taken)) {
    times[prefix + name] = [...(times[prefix + name] ?? []), ...values]
  }
}

/**
 * Compares the least times, because what else the machine does only adds to them; of what runs in one process, its processor time, to
 * which it adds least.
 */
function growthRows(prefix: string, worlds: readonly World[]): BenchRow[] {
  return GROWING.map((name) => {
    const of = worlds.map(({ times }) => times[`${name}_cpu`] ?? times[name]!)
    const value = rounded(Math.min(...of.at(-1)!) / Math.min(...of[0]!))
    const entries = worlds.flatMap((world, n) => [
      [`least_ms_${world.name}`, rounded(Math.min(...of[n]!))],
      [`median_ms_${world.name}`, spread(of[n]!).p50],
    ])
    const kind = worlds[0]!.times[`${name}_cpu`] === undefined ? 'elapsed' : 'processor'
    const details = { ...Object.fromEntries(entries), time: kind, load: rounded(loadavg()[0]!) }
    return { figure: `${prefix}.${name}`, value, unit: 'x', goal: { at_most: GROWTH_MAX }, details }
  })
}

/** The first reader of a host or of a table's new form reads every row; each later one reads what was published since. */
function firstOpening(all: readonly World[]): BenchRow {
  const worlds = all.filter(({ times }) => times.first_open_reader !== undefined)
  const seconds = worlds.map(({ name, times }) => [`s_${name}`, rounded(times.first_open_reader![0]! / 1000)])
  const memory = worlds.map(({ name, times }) => [`mb_${name}`, Math.round(times.first_resident_max_mb![0]!)])
  const details = Object.fromEntries([...seconds, ...memory])
  const value = worlds.at(-1)!.times.first_open_reader![0]! / 1000
  return { figure: 'history.first_open_reader', value: rounded(value), unit: 's', goal: null, details }
}

/** A query over all quotes on a host without copies of the objects, with them, and over a folder; and commits seen by another host. */
async function hostRows(folder: string, world: World): Promise<BenchRow[]> {
  const { options } = world
  const access = { ...options.access!, folder: join(folder, 'reader') }
  const of_folder = { root: join(folder, `days-${options.days}`), days: options.days, access: null }
  const scan = (of: StepOptions) => runScript<StepTimes>(SCRIPT, ['scan', JSON.stringify(of)])
  const store = await scan({ ...options, access })
  const local = await scan(of_folder)
  const seen = await runScript<StepTimes>(SCRIPT, [
    'visible',
    JSON.stringify({ ...options, access, writer: options.access }),
  ])
  const [cold_s, warm, warm_folder] = [store.cold![0]! / 1000, Math.min(...store.warm!), Math.min(...local.warm!)]
  const details = { quotes: store.quotes![0]!, store_ms: store.warm!.map(rounded), folder_ms: local.warm!.map(rounded) }
  const { p50, p99 } = spread(seen.visible!)
  return [
    { figure: 'history.store.scan_cold', value: rounded(cold_s), unit: 's', goal: { at_most: 15 }, details },
    {
      figure: 'history.store.scan_warm_to_folder',
      value: rounded(warm / warm_folder),
      unit: 'x',
      goal: { at_most: 1.1 },
      details,
    },
    { figure: 'history.store.visible_p99', value: p99, unit: 'ms', goal: { at_most: 2000 }, details: { p50 } },
  ]
}
