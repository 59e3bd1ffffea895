import type { LegSource } from './leg-source.ts'

/**
 * Ids of records that a leg remembers and its source no longer has. Their rows are numbered from GHOST_ROW on,
 * far beyond every row of a source, so that a key is unambiguous.
 */
export type Ghosts = readonly string[]

export const GHOST_ROW = 2 ** 40
export const NO_GHOSTS: Ghosts = []

/** Returns the record that a key of quote rows names (see sourceKey). */
export function recordIdOf(leg: { readonly source: LegSource; readonly ghosts: Ghosts }, key: number): string {
  const row = Math.floor(key / 8)
  if (row >= GHOST_ROW) return leg.ghosts[row - GHOST_ROW]!
  const feed = key % 2 === 1 ? leg.source.other! : leg.source.own
  return feed.columns.recordId(row)
}
