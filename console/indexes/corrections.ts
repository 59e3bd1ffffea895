import type { IndexObservation } from '../../protocol/resources/index-observation.ts'

/** Newest revision of a corrected level, and the one that it replaced; null: it was not read. */
export type CorrectedLevel = { readonly level: IndexObservation; readonly replaced: IndexObservation | null }

/** Returns the corrected levels among revisions, in the order of their ticks. */
export function correctedLevels(revisions: readonly IndexObservation[]): readonly CorrectedLevel[] {
  const by_id = new Map(revisions.map((one) => [one.observation_id, one]))
  const superseded = new Set(revisions.map(({ supersedes_id }) => supersedes_id))
  const newest = revisions.filter(({ observation_id, revision }) => revision > 1 && !superseded.has(observation_id))
  const corrected = newest.map((level) => ({ level, replaced: by_id.get(level.supersedes_id ?? '') ?? null }))
  return corrected.toSorted((a, b) => Date.parse(a.level.tick_at) - Date.parse(b.level.tick_at))
}
