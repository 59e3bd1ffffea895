import { buildObservation } from '../pipelines/index/observation.ts'
import type { SeriesStep } from '../pipelines/index/series.ts'
import { FIRST_REVISION } from '../primitives/append-only.ts'
import { ServiceError } from '../primitives/errors.ts'
import { formatMicros, type Instant, type Micros } from '../primitives/instants.ts'
import { parseRange } from '../primitives/ranges.ts'
import { openReadSession, type ReadSession } from '../warehouse/read/session.ts'
import type { Row } from '../warehouse/schema.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { Clock } from './apply-definitions.ts'
import { linkRow } from './index/link-row.ts'
import { loadIndex, type PublishedIndex } from './index/load-index.ts'
import { loadLinks, loadPublished, type PublishedTick } from './index/load-published.ts'
import { officialSteps } from './index/official-steps.ts'
import { openSeries } from './index/open-series.ts'
import { type StampedRow, writeStamped } from './index/write-stamped.ts'

export type ComputeRequest = {
  readonly index_ids: readonly string[]
  readonly from: Instant
  readonly to: Instant
  readonly clock: Clock
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: { done: number; total: number; unit: 'ticks' }) => void) | undefined
}

export type ComputedIndex = {
  readonly index_id: string
  /** Due ticks in the range. */
  readonly ticks: number
  readonly published: number
  readonly already_published: number
  /** Ticks of an unbroken stale or suspended state after its first: they make no record of their own. */
  readonly unchanged: number
  readonly first_tick_at: Instant | null
  readonly last_tick_at: Instant | null
  readonly states: Readonly<Record<string, number>>
}

type Planned = { readonly report: ComputedIndex; readonly rows: readonly StampedRow[] }

/**
 * Publishes the official observations of the missing ticks in [from, to) (commands "Indexes", methodology 4.14, 4.15).
 *   wall      published now; ticks whose cutoff + grace has passed
 *   recorded  stamped at tick + grace, from inputs that were known then; one commit a stamp for all named indexes
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_CLOCK_REFUSED, INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT
 */
export async function computeIndexes(
  request: ComputeRequest,
): Promise<{ indexes: readonly ComputedIndex[]; commits: number }> {
  const { warehouse, signal } = request
  const index_ids = uniqueIds(request.index_ids)
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const planned: Planned[] = []
    for (const index_id of index_ids)
      planned.push(await planIndex(await loadIndex(session, index_id), session, request))
    const rows = planned.flatMap((plan) => plan.rows)
    const commits = await writeStamped(warehouse, rows, { operation: 'PUBLISH_LEVELS', signal })
    return { indexes: planned.map((plan) => plan.report), commits }
  } finally {
    await session.close()
  }
}

async function planIndex(index: PublishedIndex, session: ReadSession, request: ComputeRequest): Promise<Planned> {
  const range = parseRange(request.from, request.to)
  const now = await request.warehouse.now()
  const known = await loadPublished(session, index.spec.index_id)
  const links = await loadLinks(session, index.spec.index_id)
  const series = await openSeries(session, index.spec, {
    to: dueBefore(index, range.to, now),
    published_links: links,
    known_at_tick: request.clock === 'recorded',
  })
  const rows: StampedRow[] = []
  const new_links: NewLink[] = []
  const states: Record<string, number> = {}
  const count = {
    ticks: 0,
    published: 0,
    already: 0,
    unchanged: 0,
    first: null as Micros | null,
    last: null as Micros | null,
  }
  for (const { step, official } of officialSteps(series.twin())) {
    request.signal?.throwIfAborted()
    const { result } = step
    const unpublished = step.links.filter(({ version }) => !links.has(version.index_version_id))
    const used_by = result.version.index_version_id
    new_links.push(...unpublished.map((link) => ({ row: linkRow(index.spec.index_id, link), used_by })))
    if (result.tick_at < range.from || result.tick_at + graceOf(step) > now) continue
    count.ticks += 1
    count.first ??= result.tick_at
    count.last = result.tick_at
    states[result.quality_state] = (states[result.quality_state] ?? 0) + 1
    if (known.has(result.tick_at)) count.already += 1
    else if (!official) count.unchanged += 1
    else {
      rows.push({
        table: 'index_observation',
        row: observationRow(index, step, known, request.clock, now),
        stamp: stampOf(step, request.clock),
      })
      count.published += 1
    }
    request.on_progress?.({ done: count.ticks, total: count.ticks, unit: 'ticks' })
  }
  const report: ComputedIndex = {
    index_id: index.spec.index_id,
    ticks: count.ticks,
    published: count.published,
    already_published: count.already,
    unchanged: count.unchanged,
    first_tick_at: count.first === null ? null : formatMicros(count.first),
    last_tick_at: count.last === null ? null : formatMicros(count.last),
    states,
  }
  return { report, rows: [...neededLinks(new_links, rows), ...rows] }
}

/** A link that is not published yet, and the version whose levels need it. */
type NewLink = { readonly row: Row; readonly used_by: string }

/** A link is published with the first level that uses it, never alone. */
function neededLinks(links: readonly NewLink[], levels: readonly StampedRow[]): StampedRow[] {
  return links.flatMap(({ row, used_by }) => {
    const user = levels.find((level) => level.row.index_version_id === used_by)
    return user === undefined ? [] : [{ table: 'index_link', row, stamp: user.stamp }]
  })
}

function graceOf({ result }: SeriesStep): Micros {
  return result.version.methodology.parameters.grace
}

function stampOf(step: SeriesStep, clock: Clock): StampedRow['stamp'] {
  return clock === 'wall' ? { kind: 'wall' } : { kind: 'recorded', at: step.result.tick_at + graceOf(step) }
}

/** The first instant whose tick cannot be due yet. */
function dueBefore(index: PublishedIndex, to: Micros, now: Micros): Micros {
  const grace = Math.min(...index.spec.versions.map((version) => version.methodology.parameters.grace))
  return Math.min(to, now - grace + 1)
}

function observationRow(
  index: PublishedIndex,
  step: SeriesStep,
  known: ReadonlyMap<Micros, PublishedTick>,
  clock: Clock,
  now: Micros,
) {
  const { result } = step
  const { source_cutoff_at } = result
  const stale = source_cutoff_at !== null && source_cutoff_at !== result.tick_at
  const recorded = (source_cutoff_at ?? result.tick_at) + graceOf(step)
  const original = stale ? known.get(source_cutoff_at)?.calculated_at : undefined
  const calculated_at = original ?? (clock === 'recorded' ? recorded : now)
  return buildObservation(result, {
    ...FIRST_REVISION,
    index_id: index.spec.index_id,
    unit: index.spec.unit,
    calculated_at,
  })
}

function uniqueIds(index_ids: readonly string[]): readonly string[] {
  if (index_ids.length === 0)
    throw new ServiceError('VALIDATION_USAGE_INVALID', 'INDEX is missing; allowed: one or more index ids')
  return [...new Set(index_ids)]
}
