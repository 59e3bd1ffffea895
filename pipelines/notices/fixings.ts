import {
  durationMicros,
  formatMicros,
  type Instant,
  MICROS_PER_DAY,
  type Micros,
  microsOf,
  timeOfDay,
  toMicros,
} from '../../primitives/instants.ts'
import { INACTIVE_STATUSES } from '../../vocabulary/index-level.ts'

/** Version of an index with the schedule of its fixings; only the named fields are read. */
export type FixingVersion = {
  readonly index_version_id: string
  readonly index_id: string
  readonly version: string
  readonly effective_from: Instant
  /** null: it has no successor. */
  readonly effective_to: Instant | null
  /** ISO 8601 duration; ticks are its multiples. */
  readonly calculation_frequency: string
  /** Time of day in UTC, as the definition writes it; null: the version has no fixing. */
  readonly fixing_at: string | null
  readonly published_at: Instant
}

/** Instant from which an index has a status. */
export type StatusFrom = { readonly index_id: string; readonly status: string; readonly from: Micros }

type Range = { readonly from: Micros; readonly to: Micros }

/** A tick whose level is a fixing. */
export type FixingTick = { readonly version: FixingVersion; readonly at: Instant }

/**
 * Returns the fixings of a range, at most one a day for each index (methodology index-2 §11). There are none while an index is suspended
 * or archived.
 * @param statuses  statuses that were or are in force, or are announced; those of the same instant in their order
 */
export function fixingsOf(
  versions: readonly FixingVersion[],
  statuses: readonly StatusFrom[],
  range: Range,
): FixingTick[] {
  const changes = statuses.toSorted((a, b) => a.from - b.from)
  return rulingVersions(versions).flatMap((version) => {
    const own = changes.filter(({ index_id }) => index_id === version.index_id)
    return fixingTicks(version, range)
      .filter((at) => publishes(own, at))
      .map((at) => ({ version, at: formatMicros(at) }))
  })
}

/** Returns the versions that rule: of those that begin at the same instant the one that was published last. */
function rulingVersions(versions: readonly FixingVersion[]): readonly FixingVersion[] {
  const ruling = new Map<string, FixingVersion>()
  for (const version of versions) {
    const key = `${version.index_id} ${toMicros(version.effective_from)}`
    const other = ruling.get(key)
    if (other === undefined || toMicros(other.published_at) <= toMicros(version.published_at)) ruling.set(key, version)
  }
  return [...ruling.values()]
}

/** Returns the ticks of a range at the version's time of day, inside its interval [effective_from, effective_to). */
function fixingTicks(version: FixingVersion, { from, to }: Range): readonly Micros[] {
  const clock = version.fixing_at === null ? null : timeOfDay(version.fixing_at)
  if (clock === null) return []
  const frequency = durationMicros(version.calculation_frequency)
  const begin = Math.max(from, toMicros(version.effective_from))
  const end = Math.min(to, microsOf(version.effective_to) ?? to)
  const ticks: Micros[] = []
  const first = Math.ceil((begin - clock) / MICROS_PER_DAY) * MICROS_PER_DAY + clock
  for (let at = first; at < end; at += MICROS_PER_DAY) if (at % frequency === 0) ticks.push(at)
  return ticks
}

/** @param changes  of one index, ascending; before the first it publishes */
function publishes(changes: readonly StatusFrom[], at: Micros): boolean {
  const last = changes.findLast(({ from }) => from <= at)
  return last === undefined || !INACTIVE_STATUSES.some((status) => status === last.status)
}
