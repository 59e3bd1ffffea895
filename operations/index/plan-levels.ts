import { buildObservation } from '../../pipelines/index/observation.ts'
import type { LinkRecord, SeriesStep } from '../../pipelines/index/series.ts'
import { FIRST_REVISION } from '../../primitives/append-only.ts'
import { type Decimal, formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { Row } from '../../warehouse/schema.ts'
import { isFirstAfter, isWithheld, type Span } from '../pause/schedule-acts.ts'
import type { PublishedIndex } from './load-index.ts'
import type { PublishedTick } from './load-published.ts'
import type { StampedRow } from './write-stamped.ts'

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

export type PlannedLevels = { readonly report: ComputedIndex; readonly rows: readonly StampedRow[] }

export type KnownTick = Pick<PublishedTick, 'calculated_at'>

export type LevelPlan = {
  /** First tick that is published. */
  readonly from: Micros
  readonly now: Micros
  /** Ticks that are published; of earlier ones those whose level a stale tick may show. */
  readonly known: ReadonlyMap<Micros, KnownTick>
  /** Published K by index_version_id. */
  readonly links: ReadonlyMap<string, Decimal>
  readonly clock: ImportClock
  /** Spans whose ticks are not published; the first tick after one has a record, whatever its state. None when left out. */
  readonly withheld?: readonly Span[]
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: { done: number; total: number; unit: 'ticks' }) => void) | undefined
}

/** The rows of the ticks of a series that are due and not published yet: levels, and the links that they need. */
export function planLevels(
  index: PublishedIndex,
  steps: Iterable<{ readonly step: SeriesStep; readonly official: boolean }>,
  plan: LevelPlan,
): PlannedLevels {
  const { known, links, clock, now } = plan
  const withheld = [...(plan.withheld ?? []), ...index.inactive]
  const rows: StampedRow[] = []
  const new_links: NewLink[] = []
  const first_stamps = new Map<string, StampedRow['stamp']>()
  const count = newCount()
  for (const { step, official } of steps) {
    plan.signal?.throwIfAborted()
    const { result } = step
    const unpublished = step.links.filter(({ version }) => !links.has(version.index_version_id))
    const used_by: string = result.version.index_version_id
    new_links.push(...unpublished.map((link) => ({ row: linkRow(index.spec.index_id, link), used_by })))
    if (result.tick_at < plan.from || result.tick_at + graceOf(step) > now) continue
    addTick(count, result.tick_at, result.quality_state)
    if (known.has(result.tick_at)) count.already += 1
    else if (!official && !isFirstAfter(withheld, result.tick_at, result.version.frequency)) count.unchanged += 1
    else {
      const stamp = stampOf(step, clock)
      if (!first_stamps.has(used_by)) first_stamps.set(used_by, stamp)
      if (isWithheld(withheld, result.tick_at)) continue
      rows.push({ table: 'index_observation', row: observationRow(index, step, known, clock, now), stamp })
      count.published += 1
    }
    plan.on_progress?.({ done: count.ticks, total: count.ticks, unit: 'ticks' })
  }
  return { report: reportOf(index, count), rows: [...neededLinks(new_links, first_stamps), ...rows] }
}

type Count = ReturnType<typeof newCount>

function newCount() {
  return {
    ticks: 0,
    published: 0,
    already: 0,
    unchanged: 0,
    first: null as Micros | null,
    last: null as Micros | null,
    states: {} as Record<string, number>,
  }
}

function addTick(count: Count, tick_at: Micros, state: string): void {
  count.ticks += 1
  count.first ??= tick_at
  count.last = tick_at
  count.states[state] = (count.states[state] ?? 0) + 1
}

function reportOf(index: PublishedIndex, count: Count): ComputedIndex {
  return {
    index_id: index.spec.index_id,
    ticks: count.ticks,
    published: count.published,
    already_published: count.already,
    unchanged: count.unchanged,
    first_tick_at: count.first === null ? null : formatMicros(count.first),
    last_tick_at: count.last === null ? null : formatMicros(count.last),
    states: count.states,
  }
}

/** A link that is not published yet, and the version whose levels need it. */
type NewLink = { readonly row: Row; readonly used_by: string }

/** A link is published with the first level that uses it, also where that level is withheld: later levels use it too. */
function neededLinks(links: readonly NewLink[], first_stamps: ReadonlyMap<string, StampedRow['stamp']>): StampedRow[] {
  return links.flatMap(({ row, used_by }) => {
    const stamp = first_stamps.get(used_by)
    return stamp === undefined ? [] : [{ table: 'index_link', row, stamp }]
  })
}

function graceOf({ result }: SeriesStep): Micros {
  return result.version.methodology.parameters.grace
}

function stampOf(step: SeriesStep, clock: ImportClock): StampedRow['stamp'] {
  return clock === 'wall' ? { kind: 'wall' } : { kind: 'recorded', at: step.result.tick_at + graceOf(step) }
}

function observationRow(
  index: PublishedIndex,
  step: SeriesStep,
  known: ReadonlyMap<Micros, KnownTick>,
  clock: ImportClock,
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

/** The row of a version's link factor (`index_link`). */
export function linkRow(index_id: string, link: LinkRecord): Row {
  return {
    index_id,
    index_version_id: link.version.index_version_id,
    ...FIRST_REVISION,
    link_factor: formatDecimal(link.link_factor, SCALE.link_factor),
    link_at: formatMicros(link.link_at),
    previous_link_factor:
      link.previous_link_factor === null ? null : formatDecimal(link.previous_link_factor, SCALE.link_factor),
    level_at_link: link.level_at_link,
    composition_step: link.composition_step,
  }
}
