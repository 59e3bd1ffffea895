import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'

/** `published_at` of the rows of one commit: of all of them, or of each in their order. */
export type PublishedAt = Micros | readonly Micros[]

/** Where `published_at` of a commit comes from: the wall clock, or an archive's own publication instant. */
export type Stamp = { readonly kind: 'wall' } | { readonly kind: 'recorded'; readonly at: Micros }

/**
 * An archive's own publication instants, one a row: they ascend with the rows and lie in one UTC day. Many instants in one
 * commit cost what one does; the rows become visible together, each for questions as of its own instant or later.
 */
export type RowStamps = { readonly kind: 'recorded_rows'; readonly at: readonly Micros[] }

/** A wall clock further off than this is refused. */
const CLOCK_SKEW_MICROS_MAX = 1_000_000

/**
 * `published_at` of the next commit: after everything that was published or sealed, so that a pinned answer stays what it was.
 *   wall      max(now, head + 1 ms) in whole milliseconds, like Delta's commit timestamps
 *   recorded  the instants themselves, exact to the microsecond; refused when the first is not after the table's head
 * @param sealed_through  of the table's newest version; at least its head stamp
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
 * Refuses a wall clock that is more than a second away from the store's clock, or a table that is more than a second ahead
 * of it: rows stamped by such a clock would seem to be known earlier or later than they were.
 * @throws {ServiceError} WAREHOUSE_CLOCK_SKEW
 */
export function checkWallClock(
  table: string,
  clocks: { readonly writer: Micros; readonly store: Micros; readonly sealed_through: Micros | null },
): void {
  const { writer, store, sealed_through } = clocks
  if (Math.abs(writer - store) > CLOCK_SKEW_MICROS_MAX) {
    throw skew(table, `this clock says ${formatMicros(writer)}, the store's ${formatMicros(store)}`)
  }
  if (sealed_through !== null && sealed_through - store > CLOCK_SKEW_MICROS_MAX) {
    throw skew(
      table,
      `the table is published through ${formatMicros(sealed_through)}, the store's clock says ${formatMicros(store)}`,
    )
  }
}

function skew(table: string, seen: string): ServiceError {
  return new ServiceError(
    'WAREHOUSE_CLOCK_SKEW',
    `${table} cannot be written by the wall clock: ${seen}; allowed: at most 1 s apart`,
    {
      table,
    },
  )
}

/** The first and the last stamp of a commit. */
export function stampRange(at: PublishedAt): { readonly first: Micros; readonly last: Micros } {
  return typeof at === 'number' ? { first: at, last: at } : { first: at[0]!, last: at.at(-1)! }
}

/** The millisecond an instant lies in, as microseconds. */
function wholeMillis(micros: Micros): Micros {
  return Math.floor(micros / 1000) * 1000
}
