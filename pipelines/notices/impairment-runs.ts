import type { Instant } from '../../primitives/instants.ts'
import type { ImpairmentFact } from './of-impairments.ts'

/** Level of an index, or report of a venue, from which its next run is continued. */
export type RunSeed = {
  readonly subject_id: string
  readonly id: string
  readonly instant: Instant
  readonly state: string
  readonly reason: string | null
  /** Instant at which a level was published; null: a report of a venue, where it does not matter. */
  readonly published_at: Instant | null
}

/** Run of impaired records, or the last record of a subject if it is good. */
export type RunRow = ImpairmentFact & {
  readonly first_published_at?: Instant
  readonly is_impaired: boolean
  readonly last_id: string
  readonly last_state: string
}

/** Returns the impairments among runs. */
export function impairmentsOf<Run extends RunRow>(rows: readonly Run[]): readonly Run[] {
  return rows.filter(({ is_impaired }) => is_impaired)
}

/**
 * Returns what later runs are continued from: the last record of each subject, and the first one of a run that lasts. A continued run
 * is the same as one that is read whole, so what was read before is not read again.
 * @param rows  sorted by subject and time
 */
export function seedsOf(rows: readonly RunRow[]): readonly RunSeed[] {
  const last = new Map(rows.map((row) => [row.subject_id, row]))
  return [...last.values()].flatMap(seedsOfRun)
}

function seedsOfRun(row: RunRow): RunSeed[] {
  const { subject_id, is_impaired, first_id, first_state, first_reason, starts_at } = row
  const published_at = row.first_published_at ?? null
  const end = { subject_id, id: row.last_id, instant: row.last_at, state: row.last_state, reason: null, published_at }
  if (!is_impaired) return [end]
  const start = { subject_id, id: first_id, instant: starts_at, state: first_state, reason: first_reason, published_at }
  return row.last_id === first_id ? [start] : [start, end]
}
