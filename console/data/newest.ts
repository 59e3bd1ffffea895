import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { LatestLevel } from '../../protocol/resources/index-resource.ts'
import { millisOf } from './instant-text.ts'

/** A level as lists and heads show it: read with its index, or streamed. */
export type ShownLevel = Omit<LatestLevel, 'max_age_ms'>

/** Whether `next` replaces `known`: a later tick or a later revision of the same tick. A correction of an earlier tick does not. */
export function isNewer(
  next: Pick<ShownLevel, 'tick_at' | 'revision'>,
  known: Pick<ShownLevel, 'tick_at' | 'revision'> | null | undefined,
): boolean {
  if (known === null || known === undefined) return true
  const [a, b] = [millisOf(next.tick_at), millisOf(known.tick_at)]
  return a > b || (a === b && next.revision > known.revision)
}

/** Returns the newer of a read and a streamed level. */
export function newest<T extends ShownLevel>(read: T | null | undefined, live: T | null | undefined): T | null {
  if (live === null || live === undefined) return read ?? null
  return isNewer(live, read) ? live : (read ?? null)
}

/** Sorts by tick, not by source time: a stale level has the inputs of an earlier one. */
export function byTick(levels: readonly IndexObservation[]): readonly IndexObservation[] {
  return levels.toSorted((a, b) => millisOf(a.tick_at) - millisOf(b.tick_at))
}

/** Inserts a level, or a revision of one, by tick. */
export function withLevel(levels: readonly IndexObservation[], next: IndexObservation): readonly IndexObservation[] {
  const tick = millisOf(next.tick_at)
  const at = levels.findIndex((one) => millisOf(one.tick_at) >= tick)
  if (at < 0) return [...levels, next]
  const there = levels[at]!
  if (millisOf(there.tick_at) !== tick) return [...levels.slice(0, at), next, ...levels.slice(at)]
  return there.revision >= next.revision ? levels : levels.with(at, next)
}
