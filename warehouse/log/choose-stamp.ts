import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'

/** `published_at` of the rows of one commit: one for all, or one per row. */
export type PublishedAt = Micros | readonly Micros[]

/** Source of a commit's `published_at`: the wall clock, or an archive's own publication instant. */
export type Stamp = { readonly kind: 'wall' } | { readonly kind: 'recorded'; readonly at: Micros }

/**
 * An archive's own publication instants, one per row, ascending and within one UTC day. Many instants in one commit cost as
 * much as one; the rows become visible together, each for reads as of its own instant or later.
 */
export type RowStamps = { readonly kind: 'recorded_rows'; readonly at: readonly Micros[] }

/** Largest accepted difference between clocks. */
const CLOCK_SKEW_MICROS_MAX = 1_000_000

/**
 * Returns `published_at` of the next commit: after everything published or sealed, so that pinned answers never change.
 *   wall      max(now, head + 1 ms) in whole milliseconds, like Delta's commit timestamps
 *   recorded  the instants themselves, exact to the microsecond; refused when the first is not after the table's head
 * @param sealed_through  instant through which the table is published or sealed
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED (recorded)
 */
export function chooseStamp(
  table: string,
  stamp: Stamp | RowStamps,
  sealed_through: Micros | null,
  now: Micros,
): PublishedAt {
  if (stamp.kind === 'wall') {
    const current = wholeMillis(now)
    return sealed_through === null ? current : Math.max(current, wholeMillis(sealed_through) + 1000)
  }
  const { first } = stampRange(stamp.at)
  if (sealed_through === null || first > sealed_through) return stamp.at
  const at = formatMicros(first)
  const head = formatMicros(sealed_through)
  throw new ServiceError(
    'VALIDATION_CLOCK_REFUSED',
    `the recorded clock of ${table} is ${at}; allowed: an instant after ${head}, through which the table is published`,
    { table, at, head },
  )
}

/**
 * Rejects a wall clock that differs from the store's clock by more than a second, or a table that is more than a second ahead
 * of it: rows stamped by such a clock would appear to be known earlier or later than they were.
 * @throws {ServiceError} WAREHOUSE_CLOCK_SKEW
 */
export function checkWallClock(
  table: string,
  clocks: { readonly writer: Micros; readonly store: Micros; readonly sealed_through: Micros | null },
): void {
  const { writer, store, sealed_through } = clocks
  if (Math.abs(writer - store) > CLOCK_SKEW_MICROS_MAX) {
    throw skew(table, `this clock reads ${formatMicros(writer)}, the store's ${formatMicros(store)}`)
  }
  if (sealed_through !== null && sealed_through - store > CLOCK_SKEW_MICROS_MAX) {
    throw skew(
      table,
      `the table is published through ${formatMicros(sealed_through)}, the store's clock reads ${formatMicros(store)}`,
    )
  }
}

function skew(table: string, seen: string): ServiceError {
  return new ServiceError(
    'WAREHOUSE_CLOCK_SKEW',
    `${table} cannot be written by the wall clock: ${seen}; allowed: at most 1 s apart`,
    { table },
  )
}

/** Returns the first and the last stamp of a commit. */
export function stampRange(at: PublishedAt): { readonly first: Micros; readonly last: Micros } {
  return typeof at === 'number' ? { first: at, last: at } : { first: at[0]!, last: at.at(-1)! }
}

/** Rounds an instant down to whole milliseconds, in microseconds. */
function wholeMillis(micros: Micros): Micros {
  return Math.floor(micros / 1000) * 1000
}
