import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'

/** Levels that were read, for stale ticks, which repeat an earlier one. */
export type KnownLevels = {
  /** Adds levels in the order of their publication. */
  add(levels: readonly IndexObservation[]): void
  /** Returns the level of a tick as known at an instant; undefined: it was not read. */
  levelAt(index_id: string, tick: Micros, at: Micros): string | null | undefined
}

/** Ticks that are kept; a stale tick repeats a recent one. */
const KEPT_MAX = 20_000

type Revision = Pick<IndexObservation, 'level'> & { readonly published_at: Micros }

/** Creates an empty memory of levels. */
export function createKnownLevels(): KnownLevels {
  const kept = new Map<string, Revision[]>()
  return {
    add(levels) {
      for (const { index_id, tick_at, level, published_at } of levels) {
        const key = keyOf(index_id, toMicros(tick_at))
        const revisions = kept.get(key) ?? []
        revisions.push({ level, published_at: toMicros(published_at) })
        kept.set(key, revisions)
        if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!)
      }
    },
    levelAt(index_id, tick, at) {
      return kept.get(keyOf(index_id, tick))?.findLast(({ published_at }) => published_at <= at)?.level
    },
  }
}

function keyOf(index_id: string, tick: Micros): string {
  return `${index_id} ${tick}`
}
