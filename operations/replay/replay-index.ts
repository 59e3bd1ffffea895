import type { ExcludedInput } from '../../pipelines/index/evaluate-constituent.ts'
import type { BulkSeries, BulkTick } from '../../pipelines/index/exact/bulk-series.ts'
import type { SeriesTick } from '../../pipelines/index/exact/exact-tick-facts.ts'
import type { InputReason } from '../../pipelines/index/exact/input-reason.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { countingOf, type KnownAtTick } from '../index/counting.ts'
import type { QuoteBounds } from '../index/leg-records.ts'
import { findIndex } from '../index/load-index.ts'
import { type OpenedSeries, openSeries } from '../index/open-series.ts'
import { resolveAsIf } from './as-if-in-force.ts'
import { emptyRangeText } from './empty-range.ts'
import { REPLAY_TABLES, type ResolvedTarget, readTarget } from './replay-target.ts'

/** One tick of a replay; key order is the output's. */
export type ReplayLine = {
  readonly tick_at: Instant
  readonly source_cutoff_at: Instant | null
  readonly level: string | null
  readonly quality_state: string
  readonly coverage_ratio: string
  readonly confidence: string
  readonly missing_constituent_ids: readonly string[]
  readonly excluded_inputs: readonly ExcludedInput[]
  readonly input_observation_ids: readonly string[]
  readonly index_version: string
  /** Why inputs are missing, partial or kept out, with the newest instant at which each was known. */
  readonly input_reasons: readonly InputReason[]
}

export type ReplayRequest = {
  /** Path of a definition file (.yaml, .yml, .json), or INDEX[@VERSION]: the published index, up to that version. */
  readonly target: string
  /** Text of the definition that `target` names; left out: it is read from that path. */
  readonly definition?: string | undefined
  readonly from: Instant
  readonly to: Instant
  /** null: now. */
  readonly as_of: Instant | null
  /** Instant from which the named version counts as in force although it began later; left out or null: as it really was. */
  readonly in_force_from?: Instant | null
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: { done: number; total: number; unit: 'ticks' }) => void) | undefined
  /** Receives the sentence that no tick lies in the range. */
  readonly on_empty?: ((text: string) => void) | undefined
}

/**
 * Recomputes an index without publishing, as known at as_of: one line a tick in [from, to) and not after as_of. Inputs are
 * admitted *and* known. State is causal, so the computation starts at the first tick whatever `from` is.
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_*, INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT
 */
export async function* replayIndex(request: ReplayRequest): AsyncGenerator<ReplayLine> {
  const { series, from, to, noteTicks, close } = await openReplay(request)
  try {
    for (const result of noteTicks(replayTicks(series, { ...request, from, to }))) yield replayLine(result)
  } finally {
    await close()
  }
}

/** The ticks of a series from `from` on; a long run can be watched and stopped. */
export function* replayTicks(
  series: OpenedSeries,
  run: Pick<ReplayRequest, 'signal' | 'on_progress'> & { readonly from: Micros; readonly to: Micros },
): Generator<SeriesTick> {
  for (const { result } of series.exact()) {
    run.signal?.throwIfAborted()
    if (result.tick_at < run.from) continue
    run.on_progress?.({ done: result.tick_at - run.from, total: run.to - run.from, unit: 'ticks' })
    yield result
  }
}

type Replay = {
  readonly series: OpenedSeries
  readonly from: Micros
  readonly to: Micros
  readonly noteTicks: <T>(ticks: Iterable<T>) => Generator<T>
  readonly close: () => Promise<void>
}

/** Passes ticks on, and notes it if there is none. */
export function* noteEmpty<T>(ticks: Iterable<T>, note: () => void): Generator<T> {
  let is_empty = true
  for (const tick of ticks) {
    is_empty = false
    yield tick
  }
  if (is_empty) note()
}

/** Opens the session as of the asked instant and the series over it. */
async function openReplay(request: ReplayRequest): Promise<Replay> {
  const range = parseRange(request.from, request.to)
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const target = await readTarget(request.target, request.definition)
  const session = await openReadSession(request.warehouse, { as_of, tables: REPLAY_TABLES })
  try {
    const resolved = await resolveAsIf(target, session, request.in_force_from ?? null)
    const series = await openTarget(resolved, session, range.to)
    const note = () =>
      request.on_empty?.(emptyRangeText({ name: resolved.name, ...resolved.spec }, range, session.as_of))
    return { series, ...range, noteTicks: (ticks) => noteEmpty(ticks, note), close: () => session.close() }
  } catch (error) {
    await session.close()
    throw error
  }
}

/** The series of a target as a session shows it: ticks before `to` and not after the session's as_of. @param quotes to read; left out: all */
export async function openTarget(
  target: ResolvedTarget,
  session: ReadSession,
  to: Micros,
  quotes?: QuoteBounds,
): Promise<OpenedSeries> {
  const { spec, published_links } = target
  const known_at_tick = await countingOfTarget(target, session)
  const bounded = { to: Math.min(to, session.as_of + 1), known_at_tick, ...(quotes !== undefined && { quotes }) }
  return openSeries(session, spec, published_links === undefined ? bounded : { ...bounded, published_links })
}

/** Returns how records count for a target: of a published index, and of a file for it, as in every computation of its past. */
export async function countingOfTarget({ spec }: ResolvedTarget, session: ReadSession): Promise<KnownAtTick> {
  // Versions that a target leaves out tell when the index left the recorded clock.
  const published = await findIndex(session, spec.index_id)
  return published === null ? false : countingOf(session, published.spec)
}

/** A line without the lists: what a replay of levels alone gives. */
export type LevelLine = Omit<
  ReplayLine,
  'missing_constituent_ids' | 'excluded_inputs' | 'input_observation_ids' | 'input_reasons'
>

/**
 * The same replay, levels alone: computed in bulk where every version is plain, so that a year of minutes takes seconds.
 * @throws as replayIndex
 */
export async function* replayLevels(request: ReplayRequest): AsyncGenerator<LevelLine> {
  const { series, from, noteTicks, close } = await openReplay(request)
  try {
    const bulk = series.bulk()
    const ticks = bulk === null ? exactTicks(series) : bulkTicks(bulk)
    for (const tick of noteTicks(ticksFrom(ticks, from))) {
      request.signal?.throwIfAborted()
      yield levelLine(tick)
    }
  } finally {
    await close()
  }
}

function* ticksFrom(ticks: Iterable<BulkTick>, from: Micros): Generator<BulkTick> {
  for (const tick of ticks) if (tick.tick_at >= from) yield tick
}

function* bulkTicks(bulk: BulkSeries): Generator<BulkTick> {
  for (let i = 0; i < bulk.length; i++) yield bulk.tick(i)
}

function* exactTicks(series: OpenedSeries): Generator<BulkTick> {
  for (const { result } of series.exact()) yield result
}

function levelLine(tick: BulkTick): LevelLine {
  return {
    tick_at: formatMicros(tick.tick_at),
    source_cutoff_at: tick.source_cutoff_at === null ? null : formatMicros(tick.source_cutoff_at),
    level: tick.level,
    quality_state: tick.quality_state,
    coverage_ratio: tick.coverage_ratio,
    confidence: tick.confidence,
    index_version: tick.version.version,
  }
}

/** Returns a line as `replay --json` prints it unless reasons are asked for, so that digests of lines stay those of earlier releases. */
export function withoutReasons({ input_reasons, ...line }: ReplayLine): Omit<ReplayLine, 'input_reasons'> {
  return line
}

/** A tick's result as a line of output. */
export function replayLine(result: SeriesTick): ReplayLine {
  return {
    tick_at: formatMicros(result.tick_at),
    source_cutoff_at: result.source_cutoff_at === null ? null : formatMicros(result.source_cutoff_at),
    level: result.level,
    quality_state: result.quality_state,
    coverage_ratio: result.coverage_ratio,
    confidence: result.confidence,
    missing_constituent_ids: result.missing_constituent_ids,
    excluded_inputs: result.excluded_inputs,
    input_observation_ids: result.input_observation_ids,
    index_version: result.version.version,
    input_reasons: result.input_reasons,
  }
}
