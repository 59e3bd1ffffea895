import type { VersionComparison } from '../operations/replay/compare-versions.ts'
import type { ReplaySubject } from '../operations/replay/reported-replay.ts'
import { formatMicros, type Instant, toMicros } from '../primitives/instants.ts'

type Range = VersionComparison['in_force']['left']

/** Returns whether a side really was in force at a tick; a whole file never was. */
export function isInForce(range: Range, tick_at: Instant): boolean {
  if (range === null) return false
  const at = toMicros(tick_at)
  return range.from <= at && (range.to === null || at < range.to)
}

/** Returns the sentence that levels are as if a version had been in force, with when it really was; null if none is named. */
export function inForceText({
  left,
  right,
  in_force,
  as_if_in_force,
}: Pick<VersionComparison, 'left' | 'right' | 'in_force' | 'as_if_in_force'>): string | null {
  if (!as_if_in_force) return null
  const sides = [
    { target: left.target, range: in_force.left },
    { target: right.target, range: in_force.right },
  ].flatMap(({ target, range }) => (range === null ? [] : [`${target} really was ${rangeText(range)}`]))
  return `Levels as if each named version had been in force from ${left.from} to ${left.to}: ${sides.join(', ')}`
}

/** Returns the sentence that a version begins after the compared ticks, with what compares it. */
export function laterText({ target, version, effective_from }: VersionComparison['later'][number]): string {
  return `Version ${version} of ${target} begins at ${effective_from}, after the last tick, so it changed none. As if it were in force: ${target}@${version}`
}

/** Sentence in place of an attribution. */
export const NOT_ATTRIBUTED =
  'The difference is not split by change: a version of one side begins where one of the other continues. Name one with @VERSION'

/** Returns what a reader must know of the range and the records of a comparison. @param last_tick_at last compared tick */
export function comparisonNotes(
  { left, right, in_force, last_published_at, records_count_alike }: NotedComparison,
  last_tick_at: Instant | null,
): readonly string[] {
  const alike = records_count_alike
    ? ''
    : '. Records count from other instants on the two sides, whose indexes were published under other clocks'
  return [
    `Both sides read the same records, those known at ${left.as_of}${alike}`,
    ...beginsLater(left, right, in_force.left),
    ...beginsLater(right, left, in_force.right),
    ...(toMicros(left.to) > toMicros(left.as_of) + 1
      ? [`The range ends after ${left.as_of}: no later tick is known`]
      : []),
    ...(last_published_at !== null && last_tick_at !== null && toMicros(last_tick_at) > toMicros(last_published_at)
      ? [`No level is published after ${last_published_at}: later ticks rest on what was last known`]
      : []),
  ]
}

export type NotedComparison = Pick<
  VersionComparison,
  'left' | 'right' | 'in_force' | 'last_published_at' | 'records_count_alike'
>

/** Returns the hint that levels of a version before its own start are not those that it later had. */
function beginsLater(
  { target, in_force_from, from, to }: ReplaySubject,
  other: ReplaySubject,
  range: Range,
): readonly string[] {
  if (in_force_from === null || range === null || range.from >= toMicros(to)) return []
  const start = formatMicros(range.from)
  return [
    `The range begins at ${from}, before ${target} does: its levels go on from there, also where it really was in force. ` +
      `What ${other.target} would have given since then: --from ${start}`,
  ]
}

function rangeText({ from, to }: NonNullable<Range>): string {
  const start = `in force from ${formatMicros(from)}`
  return to === null ? start : `${start} to ${formatMicros(to)}`
}
