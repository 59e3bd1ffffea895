import type { LegData } from '../admission.ts'
import type { IndexSpec, IndexVersion, Leg } from '../version.ts'
import { BLOCK_TICKS } from './bulk-block.ts'
import { BulkSeries, type BulkTick, versionTicks } from './bulk-series.ts'
import { type BulkRun, BulkVersion } from './bulk-version.ts'
import { Chain, type ExactOptions } from './chain.ts'
import { LegSources } from './leg-sources.ts'

export { BulkSeries, type BulkTick }

/**
 * Replays an index in bulk, for the common case: plain constituents and no fixings; any number of versions, books, trades,
 * reported values, complements, resolutions and outliers. Legs are swept one after the other over blocks of ticks, so that
 * each column is read once and in order; the sums of a block are columns too.
 * @returns the same numbers as `exactSeries`, as columns; null if the spec is not this common case, or a Float64
 *   may not hold the sums (marks far outside [0, 1]) or the levels (a huge link factor)
 * @throws {ServiceError} INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT
 */
export function bulkReplay(
  spec: IndexSpec,
  legs: LegSources | ((leg: Leg) => LegData),
  options: Omit<ExactOptions, 'gate' | 'path'>,
): BulkSeries | null {
  if (!spec.versions.every(isPlain)) return null
  const chain = new Chain(spec, legs instanceof LegSources ? legs : new LegSources(legs), options)
  if (chain.path !== 'float64') return null
  const counts = spec.versions.map((version) => versionTicks(version, options.to))
  const series = new BulkSeries(
    spec.versions,
    counts.reduce((sum, { count }) => sum + count, 0),
  )
  const run: BulkRun = { chain, series, pending_links: [], written: 0, last_level: Number.NaN, last_cutoff: Number.NaN }
  for (const [i, version] of spec.versions.entries()) {
    if (version.effective_from >= options.to) break
    replayVersion(run, version, i, counts[i]!)
    if (chain.rounder?.large === true) return null
  }
  return series
}

function isPlain(version: IndexVersion): boolean {
  const plain = version.constituents.every(
    (c) => c.normalization === 'probability_0_1' || c.normalization === 'inverse',
  )
  return plain && version.fixing === null
}

function replayVersion(run: BulkRun, version: IndexVersion, i: number, ticks: { first: number; count: number }): void {
  const link = run.chain.open(version)
  if (link !== null) run.pending_links.push(link)
  if (ticks.count === 0) return
  run.series.links.push(...run.pending_links.splice(0))
  const bulk = new BulkVersion(run, run.chain.begin(version), i)
  for (let done = 0; done < ticks.count; done += BLOCK_TICKS) {
    const first = ticks.first + done * version.frequency
    bulk.replay({ first, step: version.frequency, count: Math.min(BLOCK_TICKS, ticks.count - done) })
  }
  bulk.finish()
}
