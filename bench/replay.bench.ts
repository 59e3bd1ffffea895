import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LegData } from '../pipelines/index/admission.ts'
import { admissionOf, legsOf } from '../pipelines/index/admit.ts'
import { decodeDefinition } from '../pipelines/index/definition.ts'
import type { DefinitionFile } from '../pipelines/index/definition-schema.ts'
import { bulkReplay } from '../pipelines/index/exact/bulk-replay.ts'
import type { BulkSeries } from '../pipelines/index/exact/bulk-series.ts'
import { indexSeries } from '../pipelines/index/series.ts'
import type { IndexSpec } from '../pipelines/index/version.ts'
import { parseDecimal } from '../primitives/decimal.ts'
import { invariant } from '../primitives/errors.ts'
import { formatMicros } from '../primitives/instants.ts'
import type { BenchRow } from './bench-row.ts'
import { median, rounded } from './support/rounds.ts'
import { MINUTE, seeded, syntheticLeg, YEAR_START } from './support/synthetic-books.ts'

const LEGS = 50
const TICKS = 365 * 24 * 60
const REFERENCE_TICKS = 7 * 24 * 60
const ROUNDS = 3
const WEIGHT_UNITS = 10 ** 10
const PEERS = fileURLToPath(new URL('peers/replay_peers.py', import.meta.url))
const ENSURE = fileURLToPath(new URL('../tools/python/ensure.mjs', import.meta.url))

/**
 * Replay of 50 constituents over a year of minutes: fixed weights of 10 decimals, midpoint books, no outlier filter, from
 * typed arrays. Ours in bulk beside the decimal reference (a week of it, a tick's time counts), polars' join_asof and
 * pandas' merge_asof, CPU seconds of one thread, rounds taking turns.
 * Equal first: the reference's strings on its week, the same digest twice, and the peers' levels to their rounding.
 * Goals: at least 25 times the reference and 4 times the better peer.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  try {
    const { spec, units } = syntheticIndex()
    const data = new Map(legsOf(spec).map((leg, i) => [leg.key, syntheticLeg(i, TICKS)] as const))
    writePeersData(folder, units, [...data.values()])
    const python = execFileSync(process.execPath, [ENSURE], { encoding: 'utf8' }).trim()
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(measureRound(spec, data, folder, python))
    checkEqual(rounds, folder)
    return rowsOf(rounds)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Round = {
  readonly series: BulkSeries
  readonly reference_levels: readonly (string | null)[]
  readonly seconds: {
    readonly bulk: number
    readonly reference: number
    readonly polars: number
    readonly pandas: number
  }
}

function measureRound(spec: IndexSpec, data: ReadonlyMap<string, LegData>, folder: string, python: string): Round {
  const to = YEAR_START + TICKS * MINUTE
  const bulk = cpuTimed(() => bulkReplay(spec, (leg) => data.get(leg.key)!, { to })!)
  const week = { to: YEAR_START + REFERENCE_TICKS * MINUTE }
  const reference = cpuTimed(() => Array.from(indexSeries(spec, admissionOf(data), week), ({ result }) => result.level))
  const output = execFileSync(python, [PEERS, folder, String(TICKS), String(LEGS)], { encoding: 'utf8' })
  const peers = JSON.parse(output) as { polars: number; pandas: number }
  return {
    series: bulk.value,
    reference_levels: reference.value,
    seconds: { bulk: bulk.seconds, reference: reference.seconds, ...peers },
  }
}

function checkEqual(rounds: readonly Round[], folder: string): void {
  const { series, reference_levels } = rounds[0]!
  reference_levels.forEach((level, i) => {
    invariant(series.tick(i).level === level, `tick ${i}: ${series.tick(i).level} beside the reference's ${level}`)
  })
  const digests = new Set(
    rounds.map((round) => createHash('sha256').update(new Uint8Array(round.series.level.buffer)).digest('hex')),
  )
  invariant(digests.size === 1, 'every run gives the same levels')
  const peers = new Float64Array(Uint8Array.from(readFileSync(join(folder, 'levels.f64'))).buffer)
  const worst = series.level.reduce((most, level, i) => Math.max(most, Math.abs(level / 1e4 - peers[i]!)), 0)
  invariant(series.length === TICKS && worst <= 0.5e-4 + 1e-9, `the peers' levels differ by ${worst}`)
}

function rowsOf(rounds: readonly Round[]): BenchRow[] {
  const rates = (name: keyof Round['seconds'], ticks: number) => rounds.map(({ seconds }) => ticks / seconds[name])
  const bulk = rates('bulk', TICKS)
  const peers = {
    reference: rates('reference', REFERENCE_TICKS),
    polars: rates('polars', TICKS),
    pandas: rates('pandas', TICKS),
  }
  const better = rounds.map((_, i) => Math.max(peers.polars[i]!, peers.pandas[i]!))
  const ratio = (others: readonly number[]) => rounded(median(bulk.map((rate, i) => rate / others[i]!)))
  const details = Object.fromEntries(
    Object.entries({ bulk, ...peers }).map(([name, values]) => [`${name}_levels_per_s`, values.map(Math.round)]),
  )
  return [
    { figure: 'replay.levels_per_s', value: Math.round(median(bulk)), unit: '1/s', goal: null, details },
    { figure: 'replay.to_reference', value: ratio(peers.reference), unit: 'x', goal: { at_least: 25 }, details: {} },
    { figure: 'replay.to_better_peer', value: ratio(better), unit: 'x', goal: { at_least: 4 }, details: {} },
  ]
}

/** A gauge over 50 invented markets; random weights that sum to exactly 1 at 10 decimals. */
function syntheticIndex(): { spec: IndexSpec; units: readonly number[] } {
  const random = seeded(7)
  const parts = Array.from({ length: LEGS }, () => 1 + Math.floor(random() * 1e9))
  const total = parts.reduce((sum, part) => sum + part, 0)
  const units = parts.map((part) => Math.floor((part * WEIGHT_UNITS) / total))
  units[LEGS - 1]! += WEIGHT_UNITS - units.reduce((sum, unit) => sum + unit, 0)
  const start = formatMicros(YEAR_START)
  const file: DefinitionFile = {
    index: {
      index_id: 'idx_bench',
      slug: 'bench',
      symbol: 'BENCH',
      name: 'Bench',
      base_value: '1000',
      base_date: start,
    },
    methodology: {
      methodology_id: 'mth_bench',
      version: '1',
      name: 'Bench',
      parameters: { mode: 'gauge', 'outlier.enabled': 'false' },
    },
    versions: [
      {
        version: '1',
        effective_from: start,
        calculation_frequency: 'PT1M',
        constituents: units.map((unit, i) => ({
          constituent_id: `con_${String(i).padStart(2, '0')}`,
          venue_id: 'bench',
          source_market_id: `m${i}`,
          target_weight: `0.${String(unit).padStart(10, '0')}`,
        })),
      },
    ],
  }
  const { index, versions } = decodeDefinition(file)
  const spec: IndexSpec = {
    index_id: index.index_id,
    unit: index.unit,
    base_value: parseDecimal(index.base_value, 'base_value'),
    base_date: YEAR_START,
    versions: versions.map(({ version }) => version),
  }
  return { spec, units }
}

function writePeersData(folder: string, units: readonly number[], legs: readonly LegData[]): void {
  const write = (name: string, values: Float64Array) =>
    writeFileSync(join(folder, `${name}.f64`), new Uint8Array(values.buffer))
  write(
    'ticks',
    Float64Array.from({ length: TICKS }, (_, i) => YEAR_START + i * MINUTE),
  )
  write(
    'weights',
    Float64Array.from(units, (unit) => unit / WEIGHT_UNITS),
  )
  legs.forEach(({ quotes }, i) => {
    write(`at-${i}`, quotes.source_at)
    write(
      `mid-${i}`,
      quotes.bid!.map((bid, row) => (bid + quotes.ask![row]!) / 2e9),
    )
  })
}

function cpuTimed<T>(work: () => T): { readonly value: T; readonly seconds: number } {
  const started = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(started)
  return { value, seconds: (user + system) / 1e6 }
}
