import { admissionOf, legsOf } from '../../pipelines/index/admit.ts'
import { comparedSeries } from '../../pipelines/index/compare-engines.ts'
import { bulkReplay } from '../../pipelines/index/exact/bulk-replay.ts'
import type { BulkSeries } from '../../pipelines/index/exact/bulk-series.ts'
import type { ExactMemory } from '../../pipelines/index/exact/chain.ts'
import { type ExactStep, exactSeries } from '../../pipelines/index/exact/exact-series.ts'
import { indexSeries, type SeriesStep } from '../../pipelines/index/series.ts'
import type { IndexSpec, Leg } from '../../pipelines/index/version.ts'
import type { Decimal } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { KnownAtTick } from './counting.ts'
import type { QuoteBounds } from './leg-records.ts'
import { loadLegData } from './load-leg-data.ts'

export type OpenSeriesOptions = {
  /** Exclusive end of the ticks. */
  readonly to: Micros
  readonly published_links?: ReadonlyMap<string, Decimal>
  /** A correction's unbounded grace. */
  readonly grace?: Micros
  /** False when left out. */
  readonly known_at_tick?: KnownAtTick
  /** Quotes to read; all when left out. */
  readonly quotes?: QuoteBounds
}

/** One series, three ways to have it; all give the same strings. */
export type OpenedSeries = {
  /** For publication: the decimal reference, each tick compared with the exact engine and suspended where they differ. */
  twin(): Generator<SeriesStep>
  /** For replays: the exact engine. @param resume continues after a memory's tick */
  exact(resume?: ExactMemory): Generator<ExactStep>
  /** For replays of levels alone: columns; null where a version is not plain enough. */
  bulk(): BulkSeries | null
}

/** The series of an index over what a session shows: loads the legs once; ticks are computed when asked for. */
export async function openSeries(
  session: ReadSession,
  spec: IndexSpec,
  options: OpenSeriesOptions,
): Promise<OpenedSeries> {
  const trades = spec.versions.some((version) => version.fixing !== null)
  const data = await loadLegData(session, legsOf(spec), {
    trades,
    known_at_tick: options.known_at_tick ?? false,
    quotes: options.quotes,
  })
  const legData = (leg: Leg) => data.get(leg.key)!
  const { to, published_links, grace } = options
  const series = published_links === undefined ? { to } : { to, published_links }
  const exact_options = grace === undefined ? series : { ...series, grace_override: grace }
  const exact = (resume?: ExactMemory) => exactSeries(spec, legData, exact_options, resume ?? null)
  return {
    twin: () => comparedSeries(indexSeries(spec, admissionOf(data, grace), series), exact()),
    exact,
    bulk: () => bulkReplay(spec, legData, exact_options),
  }
}
