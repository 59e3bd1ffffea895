import type { Definition } from '../pipelines/index/definition.ts'
import type { ExcludedInput } from '../pipelines/index/evaluate-constituent.ts'
import type { BulkSeries, BulkTick } from '../pipelines/index/exact/bulk-series.ts'
import type { TickFacts } from '../pipelines/index/exact/exact-tick-facts.ts'
import type { IndexSpec } from '../pipelines/index/version.ts'
import { ServiceError } from '../primitives/errors.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../primitives/instants.ts'
import { parseRange } from '../primitives/ranges.ts'
import { openReadSession, type ReadSession } from '../warehouse/read/session.ts'
import type { TableName } from '../warehouse/tables.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { readDefinition } from './apply-definitions.ts'
import { loadIndex, specOfDefinition } from './index/load-index.ts'
import { loadLinks } from './index/load-published.ts'
import { type OpenedSeries, openSeries } from './index/open-series.ts'
import { resolveWeights } from './index/resolve-weights.ts'

/** One tick of a replay (commands "Indexes"); key order is the output's. */
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
}

export type ReplayRequest = {
  /** Path of a definition file (.yaml, .yml, .json), or INDEX[@VERSION]: the published index, up to that version. */
  readonly target: string
  readonly from: Instant
  readonly to: Instant
  /** null: now. */
  readonly as_of: Instant | null
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: { done: number; total: number; unit: 'ticks' }) => void) | undefined
}

/** Tables that decide a replay's answer: an explicit as_of seals exactly these. */
const INPUT_TABLES: readonly TableName[] = ['market_quote', 'market_resolution', 'market', 'public_trade']
const INDEX_TABLES: readonly TableName[] = [
  'methodology',
  'index_definition',
  'index_version',
  'index_link',
  'index_observation',
]

/**
 * Recomputes an index without publishing, as known at as_of: one line a tick in [from, to) and not after as_of. Inputs are
 * admitted *and* known. State is causal, so the computation starts at the first tick whatever `from` is.
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_*, INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT
 */
export async function* replayIndex(request: ReplayRequest): AsyncGenerator<ReplayLine> {
  const { series, from, to, close } = await openReplay(request)
  try {
    for (const { result } of series.exact()) {
      request.signal?.throwIfAborted()
      if (result.tick_at < from) continue
      request.on_progress?.({ done: result.tick_at - from, total: to - from, unit: 'ticks' })
      yield replayLine(result)
    }
  } finally {
    await close()
  }
}

type Replay = {
  readonly series: OpenedSeries
  readonly from: Micros
  readonly to: Micros
  readonly close: () => Promise<void>
}

/** Opens the session as of the asked instant and the series over it. */
async function openReplay(request: ReplayRequest): Promise<Replay> {
  const range = parseRange(request.from, request.to)
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const definition = isDefinitionFile(request.target) ? await readDefinition(request.target) : null
  const tables = definition === null ? [...INPUT_TABLES, ...INDEX_TABLES] : INPUT_TABLES
  const session = await openReadSession(request.warehouse, { as_of, tables })
  try {
    const { spec, links } =
      definition === null ? await specOfPublished(request.target, session) : await specOfFile(definition, session)
    const bound = as_of ?? (await request.warehouse.now())
    const series = await openSeries(session, spec, { to: Math.min(range.to, bound + 1), ...links })
    return { series, ...range, close: () => session.close() }
  } catch (error) {
    await session.close()
    throw error
  }
}

/** A line without the lists: what a replay of levels alone gives. */
export type LevelLine = Omit<ReplayLine, 'missing_constituent_ids' | 'excluded_inputs' | 'input_observation_ids'>

/**
 * The same replay, levels alone: computed in bulk where every version is plain, so that a year of minutes takes seconds.
 * @throws as replayIndex
 */
export async function* replayLevels(request: ReplayRequest): AsyncGenerator<LevelLine> {
  const { series, from, close } = await openReplay(request)
  try {
    const bulk = series.bulk()
    const ticks = bulk === null ? exactTicks(series) : bulkTicks(bulk)
    for (const tick of ticks) {
      request.signal?.throwIfAborted()
      if (tick.tick_at >= from) yield levelLine(tick)
    }
  } finally {
    await close()
  }
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

/** A tick's result as a line of output. */
export function replayLine(result: TickFacts): ReplayLine {
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
  }
}

/** A target that names a file by its ending. */
export function isDefinitionFile(target: string): boolean {
  return /\.(ya?ml|json)$/i.test(target)
}

type Target = {
  readonly spec: IndexSpec
  readonly links: { readonly published_links?: Awaited<ReturnType<typeof loadLinks>> }
}

async function specOfFile(definition: Definition, session: ReadSession): Promise<Target> {
  const versions = []
  for (const defined of definition.versions) versions.push(await resolveWeights(defined, session))
  return { spec: specOfDefinition({ ...definition, versions }), links: {} }
}

/** INDEX[@VERSION]: with a version, the index as it would stand had no later version followed. */
async function specOfPublished(target: string, session: ReadSession): Promise<Target> {
  const [index_id = '', name] = target.split('@')
  const { spec } = await loadIndex(session, index_id)
  const links = { published_links: await loadLinks(session, index_id) }
  if (name === undefined) return { spec, links }
  const at = spec.versions.findIndex((version) => version.version === name)
  if (at < 0) {
    throw new ServiceError(
      'INDEX_NOT_FOUND',
      `index ${index_id} has no version ${name}; known: ${spec.versions.map((version) => version.version).join(', ')}`,
      { index_id, version: name },
    )
  }
  const versions = spec.versions
    .slice(0, at + 1)
    .map((version, i) => (i === at ? { ...version, effective_to: null } : version))
  return { spec: { ...spec, versions }, links }
}
