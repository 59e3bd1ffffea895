/**
 * Measures the replay of 50 constituents over a year of minutes: fixed weights of 10 decimals, midpoint books, gauge. In CPU
 * seconds of one process, the rounds taking turns. Ours starts from columns that were scanned once (`first` includes the scan) and
 * applies all rules of the methodology but the outlier filter (`filtered` has it too). The peers start from frames with instants
 * of admission and midpoints ready, and apply no rules. First checks equality: every string of the decimal reference on its week,
 * the same digest from every run, and each of the peers' levels, rounded, equal to the published one.
 * Goals: 25 times the decimal reference; 4 times the better of polars' join_asof and pandas' merge_asof, written as their users
 * write it: one join over all legs. A loop over legs that adds up numpy columns is shown beside it.
 */

import { createHash } from 'node:crypto'
import { admissionOf } from '../pipelines/index/admit.ts'
import { bulkReplay } from '../pipelines/index/exact/bulk-replay.ts'
import type { BulkSeries } from '../pipelines/index/exact/bulk-series.ts'
import { LegSources } from '../pipelines/index/exact/leg-sources.ts'
import { indexSeries } from '../pipelines/index/series.ts'
import type { IndexSpec } from '../pipelines/index/version.ts'
import { invariant } from '../primitives/errors.ts'
import type { BenchRow } from './bench-row.ts'
import { openReplayPeers, PEERS, type Peer, type ReplayPeers } from './support/replay-peers.ts'
import { type ReplayWorld, replayWorld } from './support/replay-world.ts'
import { median, rounded } from './support/rounds.ts'
import { MINUTE, YEAR_START } from './support/synthetic-books.ts'

const LEGS = 50
const TICKS = 365 * 24 * 60
const ROUNDS = 3
/** Ticks of the decimal reference in each round; the rounds together are a week. */
const REFERENCE_TICKS = (7 * 24 * 60) / ROUNDS
/** Half a unit of a published level, plus the possible difference of two floating-point sums of 50 terms. */
const PEER_TOLERANCE = 0.5e-4 + 1e-9

type Name = 'bulk' | 'filtered' | 'first' | 'texts' | 'reference' | Peer
/** Levels per CPU second, by round. */
type Rates = Record<Name, number[]>

export async function run(): Promise<BenchRow[]> {
  const world = replayWorld(LEGS, TICKS)
  const peers = openReplayPeers(world, TICKS)
  try {
    return rowsOf(await measure(world, peers))
  } finally {
    peers.close()
  }
}

async function measure(world: ReplayWorld, peers: ReplayPeers): Promise<Rates> {
  const rates: Rates = Object.fromEntries(
    ['bulk', 'filtered', 'first', 'texts', 'reference', ...PEERS].map((name) => [name, []]),
  ) as unknown as Rates
  const sources = new LegSources((leg) => world.data.get(leg.key)!)
  const reference = indexSeries(world.unfiltered, admissionOf(world.data), { to: Number.MAX_SAFE_INTEGER })
  const digests = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const first = timed(rates.first, TICKS, () =>
      replay(world.unfiltered, new LegSources((leg) => world.data.get(leg.key)!)),
    )
    replay(world.unfiltered, sources)
    const series = timed(rates.bulk, TICKS, () => replay(world.unfiltered, sources))
    const filtered = timed(rates.filtered, TICKS, () => replay(world.spec, sources))
    timed(rates.texts, TICKS, () => checkTexts(series))
    for (const run of [first, series, filtered]) digests.add(digestOf(run))
    const from = round * REFERENCE_TICKS
    const levels = timed(rates.reference, REFERENCE_TICKS, () => take(reference, REFERENCE_TICKS))
    checkReference(levels, series, from)
    for (const peer of PEERS) {
      const { seconds, levels: floats } = await peers.run(peer)
      rates[peer].push(TICKS / seconds)
      checkPeer(peer, floats, series)
    }
  }
  invariant(digests.size === 1, 'every run gives the same columns, filtered or not: nothing here is an outlier')
  return rates
}

function replay(spec: IndexSpec, sources: LegSources): BulkSeries {
  const series = bulkReplay(spec, sources, { to: YEAR_START + TICKS * MINUTE })
  invariant(series?.length === TICKS, 'a plain index is replayed in bulk')
  return series
}

/** Returns every level as text, as a reader of all levels receives it. */
function checkTexts(series: BulkSeries): void {
  let characters = 0
  for (let i = 0; i < series.length; i++) characters += series.tick(i).level!.length
  invariant(characters >= 6 * series.length, 'every tick has a level')
}

function take(reference: ReturnType<typeof indexSeries>, count: number): string[] {
  return Array.from({ length: count }, () => {
    const { level, quality_state, coverage_ratio, confidence } = reference.next().value!.result
    return `${level} ${quality_state} ${coverage_ratio} ${confidence}`
  })
}

function checkReference(texts: readonly string[], series: BulkSeries, from: number): void {
  texts.forEach((text, i) => {
    const { level, quality_state, coverage_ratio, confidence } = series.tick(from + i)
    const ours = `${level} ${quality_state} ${coverage_ratio} ${confidence}`
    invariant(ours === text, `tick ${from + i}: ${ours} beside the reference's ${text}`)
  })
}

function checkPeer(peer: Peer, levels: Float64Array, series: BulkSeries): void {
  const worst = levels.reduce((most, level, i) => Math.max(most, Math.abs(level - series.level[i]! / 1e4)), 0)
  invariant(levels.length === TICKS && worst <= PEER_TOLERANCE, `${peer}: a level differs by ${worst}`)
}

function digestOf({ level, state, coverage, confidence }: BulkSeries): string {
  const hash = createHash('sha256')
  for (const column of [level, state, coverage, confidence]) hash.update(new Uint8Array(column.buffer))
  return hash.digest('hex')
}

function timed<T>(rates: number[], levels: number, work: () => T): T {
  const started = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(started)
  rates.push(levels / ((user + system) / 1e6))
  return value
}

function rowsOf(rates: Rates): BenchRow[] {
  const better = (...peers: readonly Peer[]) =>
    rates.bulk.map((_, i) => Math.max(...peers.map((peer) => rates[peer][i]!)))
  const over = (others: readonly number[]) => rounded(median(rates.bulk.map((rate, i) => rate / others[i]!)))
  const speed = (name: Name, figure: string): BenchRow => {
    const rounds = rates[name].map(Math.round)
    return {
      figure: `replay.${figure}_per_s`,
      value: median(rounds),
      unit: 'levels/s',
      goal: null,
      details: { rounds },
    }
  }
  const details = Object.fromEntries(
    ['reference' as const, ...PEERS].map((name) => [name, rates[name].map(Math.round)]),
  )
  const ratio = (figure: string, value: number, goal: BenchRow['goal']): BenchRow => ({
    figure: `replay.${figure}`,
    value,
    unit: 'x',
    goal,
    details,
  })
  return [
    speed('bulk', 'levels'),
    speed('filtered', 'filtered_levels'),
    speed('first', 'first_levels'),
    speed('texts', 'printed_levels'),
    ratio('over_reference', over(rates.reference), { at_least: 25 }),
    ratio('over_better_asof', over(better('polars', 'pandas')), { at_least: 4 }),
    ratio('over_better_asof_loop', over(better('polars_loop', 'pandas_loop')), null),
  ]
}
