import type { ImpactInput } from '../../../pipelines/governance/impact/calculate-impact.ts'
import { columnsOf, type ReplayedColumns } from '../../../pipelines/governance/impact/level-columns.ts'
import type { ReplayedInput, ReplayedTick } from '../../../pipelines/governance/impact/replayed-tick.ts'
import type { LegData } from '../../../pipelines/index/admission.ts'
import { admissionOf } from '../../../pipelines/index/admit.ts'
import type { TickResult } from '../../../pipelines/index/calculate.ts'
import { bulkReplay } from '../../../pipelines/index/exact/bulk-replay.ts'
import type { BulkSeries } from '../../../pipelines/index/exact/bulk-series.ts'
import { exactSeries } from '../../../pipelines/index/exact/exact-series.ts'
import type { SeriesTick } from '../../../pipelines/index/exact/exact-tick-facts.ts'
import { LegSources } from '../../../pipelines/index/exact/leg-sources.ts'
import { quietAdmission } from '../../../pipelines/index/quiet-admission.ts'
import { indexSeries } from '../../../pipelines/index/series.ts'
import type { IndexSpec } from '../../../pipelines/index/version.ts'
import { Decimal, SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { fromScaled } from '../../../primitives/scaled.ts'
import type { ImpactEngine } from '../../../vocabulary/governance.ts'
import { FRESHNESS_CLASSES, MARK_RULES } from '../../../vocabulary/index-level.ts'

/** Records of the legs, and what replays of them share. */
type ReplayData = {
  readonly data: ReadonlyMap<string, LegData>
  readonly published_links: ReadonlyMap<string, Decimal>
  readonly signal?: AbortSignal | undefined
}

/** Replays of an engine: every engine gives the same columns, ticks and constituents. */
type EngineReplays = Pick<ImpactInput, 'replay' | 'constituentsAt'> & {
  /** Returns the ticks at some instants, ascending, by a replay of a spec. */
  readonly ticksAt: (spec: IndexSpec, instants: readonly Micros[]) => readonly ReplayedTick[]
}

/** Returns the replays of an engine. */
export function replaysBy(engine: ImpactEngine, { data, published_links, signal }: ReplayData): EngineReplays {
  const sources = new LegSources((leg) => data.get(leg.key)!)
  const optionsTo = (to: Micros) => ({ to, published_links })
  const exact = (spec: IndexSpec, to: Micros) => resultsOf(exactSeries(spec, sources, optionsTo(to)), signal)
  const reference = (spec: IndexSpec, to: Micros) =>
    resultsOf(indexSeries(spec, quietAdmission(admissionOf(data)), optionsTo(to)), signal)
  const exactTicks: EngineReplays['ticksAt'] = (spec, instants) =>
    ticksAmong(exact(spec, (instants.at(-1) ?? 0) + 1), instants, exactInputs)
  const referenceTicks: EngineReplays['ticksAt'] = (spec, instants) =>
    ticksAmong(reference(spec, (instants.at(-1) ?? 0) + 1), instants, referenceInputs)
  return {
    exact: {
      replay: (spec: IndexSpec, to: Micros) => {
        const bulk = bulkReplay(spec, sources, optionsTo(to))
        return bulk === null ? columnsOf(exact(spec, to)) : bulkColumns(bulk)
      },
      ...withTicks(exactTicks),
    },
    reference: {
      replay: (spec: IndexSpec, to: Micros) => columnsOf(reference(spec, to)),
      ...withTicks(referenceTicks),
    },
  }[engine]
}

function withTicks(ticksAt: EngineReplays['ticksAt']): Pick<EngineReplays, 'ticksAt' | 'constituentsAt'> {
  return { ticksAt, constituentsAt: (spec, at) => ticksAt(spec, [at])[0]?.inputs ?? null }
}

function bulkColumns(series: BulkSeries): ReplayedColumns {
  const { length, tick_at, level, state, coverage, confidence, links } = series
  return { length, tick_at, level, state, coverage, confidence, link_factor: links.at(-1)?.link_factor ?? null }
}

function exactInputs({ inputs }: SeriesTick): readonly ReplayedInput[] {
  return inputs.map(({ constituent, x, freshness, rule }) => ({
    constituent,
    constituent_id: constituent.constituent_id,
    w: constituent.target_weight,
    x: x === null ? null : new Decimal(fromScaled(BigInt(x), SCALE.mark)),
    freshness: FRESHNESS_CLASSES[freshness]!,
    mark_rule: MARK_RULES[rule] ?? null,
  }))
}

function referenceInputs({ constituents }: TickResult): readonly ReplayedInput[] {
  return constituents.map(({ constituent, x, freshness, mark_rule }) => ({
    constituent,
    constituent_id: constituent.constituent_id,
    w: constituent.target_weight,
    x,
    freshness,
    mark_rule,
  }))
}

/** Returns the ticks at some instants, with their inputs; an instant without a tick gives none. @param instants ascending */
function ticksAmong<T extends { readonly tick_at: Micros }>(
  ticks: Iterable<T>,
  instants: readonly Micros[],
  inputsOf: (tick: T) => readonly ReplayedInput[],
): readonly ReplayedTick[] {
  const wanted = new Set(instants)
  const found: ReplayedTick[] = []
  for (const tick of ticks) if (wanted.has(tick.tick_at)) found.push({ tick_at: tick.tick_at, inputs: inputsOf(tick) })
  return found
}

function* resultsOf<R>(steps: Iterable<{ readonly result: R }>, signal: AbortSignal | undefined): Generator<R> {
  for (const { result } of steps) {
    signal?.throwIfAborted()
    yield result
  }
}
