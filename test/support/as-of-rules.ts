import type { Micros } from '../../primitives/instants.ts'

/** The as_of rules in plain code: an independent twin of the warehouse's SQL. */

/** An index observation as the as_of rules see it (methodology index-1 §14). Instants in microseconds. */
export type PublishedLevel = {
  readonly observation_id: string
  readonly index_id: string
  readonly tick_at: Micros
  readonly revision: number
  readonly published_at: Micros
  /** Ordinal in its commit: (published_at, row_ordinal) is the commit order that breaks ties. */
  readonly row_ordinal: number
}

/** known(T): the rows that were readable at T, inclusive. */
export function knownRows<T extends PublishedLevel>(rows: readonly T[], as_of: Micros): T[] {
  return rows.filter((row) => row.published_at <= as_of)
}

/** current(T): per chain (index_id, tick_at) the known row with the greatest (revision, published_at, row_ordinal), in tick order. */
export function currentRows<T extends PublishedLevel>(rows: readonly T[], as_of: Micros): T[] {
  const heads = new Map<string, T>()
  for (const row of knownRows(rows, as_of)) {
    const chain = `${row.index_id}@${row.tick_at}`
    const head = heads.get(chain)
    if (head === undefined || isLaterRevision(row, head)) heads.set(chain, row)
  }
  return [...heads.values()].sort((a, b) => a.tick_at - b.tick_at || compareText(a.index_id, b.index_id))
}

/**
 * The latest level at T: the row of current(T) with the greatest tick_at. Not the last published one: a backfill or a correction
 * of an old tick is published late and must not displace a newer level.
 * @param rows observations of one index
 * @returns null where nothing was known at T
 */
export function latestLevel<T extends PublishedLevel>(rows: readonly T[], as_of: Micros): T | null {
  return currentRows(rows, as_of).at(-1) ?? null
}

/** Order of a history: (published_at, observation_id). */
export function historyOrder(a: PublishedLevel, b: PublishedLevel): number {
  return a.published_at - b.published_at || compareText(a.observation_id, b.observation_id)
}

function isLaterRevision(a: PublishedLevel, b: PublishedLevel): boolean {
  return (a.revision - b.revision || a.published_at - b.published_at || a.row_ordinal - b.row_ordinal) > 0
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
