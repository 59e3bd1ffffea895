import { notAllowed } from '../../../primitives/errors.ts'
import {
  durationMicros,
  formatMicros,
  type Instant,
  MICROS_PER_DAY,
  type Micros,
  toMicros,
} from '../../../primitives/instants.ts'
import { parseRange } from '../../../primitives/ranges.ts'
import type { ReadSession } from '../../../warehouse/read/session.ts'
import { readSql } from '../../../warehouse/sql/read-sql.ts'

/** Length of the look-back window, unless asked otherwise, and the least that shows that a change is small. */
const LENGTH = durationMicros('P90D')
const FULL_LENGTH_MIN = durationMicros('P30D')

/** Ticks that an impact replays. */
export type ImpactWindow = {
  readonly from: Micros
  readonly to: Micros
  readonly is_full_window: boolean
}

/**
 * Returns the look-back window: by default 90 days up to the end of the last day with a published level of some indexes, at most
 * to as_of. One of younger indexes begins with the first of them, and has 30 days at least.
 * @throws {ServiceError} VALIDATION_RANGE_INVALID: it is empty, or ends after as_of
 */
export async function impactWindow(
  session: ReadSession,
  index_ids: readonly string[],
  wish: { readonly from: Instant | null; readonly to: Instant | null },
): Promise<ImpactWindow> {
  const [ticks, bases]: [Micros[], Micros[]] = [[], []]
  for (const index_id of index_ids) {
    const [known] = await session.query(readSql(import.meta.url, '../../sql/index_by_id.sql'), { index_id })
    if (typeof known?.base_date === 'string') bases.push(toMicros(known.base_date))
    const [row] = await session.query(readSql(import.meta.url, '../../sql/last_tick_of_index.sql'), { index_id })
    if (typeof row?.tick_at === 'string') ticks.push(toMicros(row.tick_at))
  }
  const last = ticks.length === 0 ? session.as_of : Math.max(...ticks)
  const end = Math.min(session.as_of, (Math.floor(last / MICROS_PER_DAY) + 1) * MICROS_PER_DAY)
  const to = wish.to === null ? end : toMicros(wish.to, 'to')
  const from = wish.from === null ? defaultStart(to, bases) : toMicros(wish.from, 'from')
  parseRange(formatMicros(from), formatMicros(to))
  if (to > session.as_of)
    throw notAllowed(
      'VALIDATION_RANGE_INVALID',
      'to',
      formatMicros(to),
      `at most as_of, ${formatMicros(session.as_of)}`,
    )
  return { from, to, is_full_window: to - from >= FULL_LENGTH_MIN && to >= end }
}

/** @param bases when each of the indexes begins; none: a new index, whose legs have a past all the same */
function defaultStart(to: Micros, bases: readonly Micros[]): Micros {
  const longest = to - LENGTH
  return bases.length === 0 ? longest : Math.max(longest, Math.min(to - FULL_LENGTH_MIN, ...bases))
}
