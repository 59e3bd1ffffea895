import type { ImpactInput } from '../../../pipelines/governance/impact/calculate-impact.ts'
import { columnsOf, type ReplayedColumns } from '../../../pipelines/governance/impact/level-columns.ts'
import type { LegData } from '../../../pipelines/index/admission.ts'
import { admissionOf } from '../../../pipelines/index/admit.ts'
import type { TickResult } from '../../../pipelines/index/calculate.ts'
import { bulkReplay } from '../../../pipelines/index/exact/bulk-replay.ts'
import type { BulkSeries } from '../../../pipelines/index/exact/bulk-series.ts'
import { exactSeries } from '../../../pipelines/index/exact/exact-series.ts'
import type { SeriesTick } from '../../../pipelines/index/exact/exact-tick-facts.ts'
import { LegSources } from '../../../pipelines/index/exact/leg-sources.ts'
import { indexSeries } from '../../../pipelines/index/series.ts'
import type { IndexSpec } from '../../../pipelines/index/version.ts'
import type { LevelConstituent } from '../../../pipelines/robustness/level-basis.ts'
import { Decimal, SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { ImpactEngine } from '../../../vocabulary/governance.ts'
import { FRESHNESS_CLASSES } from '../../../vocabulary/index-level.ts'

/** Records of the legs, and what replays of them share. */
type ReplayData = {
  readonly data: ReadonlyMap<string, LegData>
  readonly published_links: ReadonlyMap<string, Decimal>
  readonly signal?: AbortSignal | undefined
}

/** Replays of an engine: every engine gives the same columns and constituents. */
type EngineReplays = Pick<ImpactInput, 'replay' | 'constituentsAt'>

/** Returns the replays of an engine. */
export function replaysBy(engine: ImpactEngine, { data, published_links, signal }: ReplayData): EngineReplays {
  const sources = new LegSources((leg) => data.get(leg.key)!)
  const optionsTo = (to: Micros) => ({ to, published_links })
  const exact = (spec: IndexSpec, to: Micros) => resultsOf(exactSeries(spec, sources, optionsTo(to)), signal)
  const reference = (spec: IndexSpec, to: Micros) =>
    resultsOf(indexSeries(spec, admissionOf(data), optionsTo(to)), signal)
  return {
    exact: {
      replay: (spec: IndexSpec, to: Micros) => {
        const bulk = bulkReplay(spec, sources, optionsTo(to))
        return bulk === null ? columnsOf(exact(spec, to)) : bulkColumns(bulk)
      },
      constituentsAt: (spec: IndexSpec, at: Micros) =>
        constituentsOf(lastOf(exact(spec, at + 1), at), exactConstituents),
    },
    reference: {
      replay: (spec: IndexSpec, to: Micros) => columnsOf(reference(spec, to)),
      constituentsAt: (spec: IndexSpec, at: Micros) =>
        constituentsOf(lastOf(reference(spec, at + 1), at), ({ constituents }: TickResult) =>
          constituents.map(({ constituent, x, freshness }) => ({
            constituent_id: constituent.constituent_id,
            w: constituent.target_weight,
            x,
            freshness,
          })),
        ),
    },
  }[engine]
}

function bulkColumns(series: BulkSeries): ReplayedColumns {
  const { length, tick_at, level, state, coverage, confidence, links } = series
  return { length, tick_at, level, state, coverage, confidence, link_factor: links.at(-1)?.link_factor ?? null }
}

function exactConstituents({ inputs }: SeriesTick): readonly LevelConstituent[] {
  return inputs.map(({ constituent, x, freshness }) => ({
    constituent_id: constituent.constituent_id,
    w: constituent.target_weight,
    x: x === null ? null : new Decimal(fromScaled(BigInt(x), SCALE.mark)),
    freshness: FRESHNESS_CLASSES[freshness]!,
  }))
}

function constituentsOf<T>(
  tick: T | null,
  of: (tick: T) => readonly LevelConstituent[],
): readonly LevelConstituent[] | null {
  return tick === null ? null : of(tick)
}

/** Returns the tick at an instant, which is the last one; null: there is none. */
function lastOf<T extends { readonly tick_at: Micros }>(ticks: Iterable<T>, at: Micros): T | null {
  let last: T | null = null
  for (const tick of ticks) last = tick
  return last?.tick_at === at ? last : null
}

function* resultsOf<R>(steps: Iterable<{ readonly result: R }>, signal: AbortSignal | undefined): Generator<R> {
  for (const { result } of steps) {
    signal?.throwIfAborted()
    yield result
  }
}
