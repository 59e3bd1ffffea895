import type { LegData } from '../../pipelines/index/admission.ts'
import { legsOfVersion } from '../../pipelines/index/admit.ts'
import type { IndexVersion } from '../../pipelines/index/version.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { PricedTick } from '../index/index-course.ts'
import type { PublishedIndex } from '../index/load-index.ts'
import type { SeriesMemory } from '../index/series-run.ts'
import type { Span } from '../pause/schedule-acts.ts'

/** An index that is published tick by tick, and how far. */
export type FollowedIndex = {
  readonly index: PublishedIndex
  readonly memory: SeriesMemory | null
  /** Exclusive end of the ticks done. */
  readonly done_to: Micros
  /** The last tick with a level of its own: a stale tick shows that level, and when it was calculated. */
  readonly priced: PricedTick | null
}

/**
 * Whether the next ticks need no engine: there is none before `to`, or they only repeat the suspended state of an index without any
 * known record, which adds no row. The first tick after a withheld span has one.
 */
export function isIdle(
  { index, memory, done_to }: FollowedIndex,
  to: Micros,
  data: ReadonlyMap<string, LegData>,
  withheld: readonly Span[],
): boolean {
  const version = index.spec.versions.find(
    ({ index_version_id }) => index_version_id === memory?.reference.index_version_id,
  )
  if (memory === null || version === undefined) return false
  if (to > (version.effective_to ?? to)) return false
  if (lastTick(version, to) < done_to) return true
  const firstAfter = (span: Span) => Math.ceil(span.to / version.frequency) * version.frequency
  const restates = withheld.some((span) => done_to <= firstAfter(span) && firstAfter(span) < to)
  return !restates && memory.quality_state === 'suspended' && isUnknown(version, memory, data)
}

/** Returns the same index after its idle ticks. */
export function rested(followed: FollowedIndex, to: Micros): FollowedIndex {
  const { index, memory } = followed
  const version = index.spec.versions.find(
    ({ index_version_id }) => index_version_id === memory!.reference.index_version_id,
  )!
  const tick_at = Math.max(memory!.reference.tick_at, lastTick(version, to))
  const at = <T extends { readonly tick_at: Micros }>(known: T): T => ({ ...known, tick_at })
  return {
    ...followed,
    memory: { ...memory!, reference: at(memory!.reference), exact: at(memory!.exact) },
    done_to: to,
  }
}

function lastTick({ frequency }: IndexVersion, to: Micros): Micros {
  return Math.ceil(to / frequency) * frequency - frequency
}

function isUnknown(version: IndexVersion, { reference }: SeriesMemory, data: ReadonlyMap<string, LegData>): boolean {
  return legsOfVersion(version).every(({ key }) => {
    const known = data.get(key)!
    const empty = known.quotes.length === 0 && (known.other?.length ?? 0) === 0 && known.resolutions.length === 0
    return empty && known.states.length === 0 && (reference.state.legs.get(key)?.history ?? null) === null
  })
}
