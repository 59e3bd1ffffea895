import { columnsOf, type LevelColumns } from '../../../pipelines/governance/impact/level-columns.ts'
import type { LegData } from '../../../pipelines/index/admission.ts'
import { admissionOf } from '../../../pipelines/index/admit.ts'
import { bulkReplay } from '../../../pipelines/index/exact/bulk-replay.ts'
import { exactSeries } from '../../../pipelines/index/exact/exact-series.ts'
import { LegSources } from '../../../pipelines/index/exact/leg-sources.ts'
import { indexSeries } from '../../../pipelines/index/series.ts'
import type { IndexSpec } from '../../../pipelines/index/version.ts'
import type { Decimal } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { ImpactEngine } from '../../../vocabulary/governance.ts'

/** Records of the legs, and what replays of them share. */
export type ReplayData = {
  readonly data: ReadonlyMap<string, LegData>
  readonly published_links: ReadonlyMap<string, Decimal>
  readonly signal?: AbortSignal | undefined
}

/** Returns the replay of an engine: every engine gives the same columns. */
export function replayBy(
  engine: ImpactEngine,
  { data, published_links, signal }: ReplayData,
): (spec: IndexSpec, to: Micros) => LevelColumns {
  const sources = new LegSources((leg) => data.get(leg.key)!)
  const exact = (spec: IndexSpec, to: Micros) => {
    const options = { to, published_links }
    return bulkReplay(spec, sources, options) ?? columnsOf(resultsOf(exactSeries(spec, sources, options), signal))
  }
  const reference = (spec: IndexSpec, to: Micros) =>
    columnsOf(resultsOf(indexSeries(spec, admissionOf(data), { to, published_links }), signal))
  return { exact, reference }[engine]
}

function* resultsOf<R>(steps: Iterable<{ readonly result: R }>, signal: AbortSignal | undefined): Generator<R> {
  for (const { result } of steps) {
    signal?.throwIfAborted()
    yield result
  }
}
