import type { VersionComparison } from '../operations/replay/compare-versions.ts'
import { formatMicros, type Instant, toMicros } from '../primitives/instants.ts'

type Range = VersionComparison['in_force']['left']

/** Returns whether a version really was in force at a tick; a side without a named version is in none. */
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
}: Pick<VersionComparison, 'left' | 'right' | 'in_force'>): string | null {
  const sides = [
    { target: left.target, range: in_force.left },
    { target: right.target, range: in_force.right },
  ].flatMap(({ target, range }) => (range === null ? [] : [`${target} really was ${rangeText(range)}`]))
  if (sides.length === 0) return null
  return `Levels as if each named version had been in force from ${left.from} to ${left.to}: ${sides.join(', ')}`
}

/** Returns the sentence that a version begins after the compared ticks, with what compares it. */
export function laterText({ target, version, effective_from }: VersionComparison['later'][number]): string {
  return `Version ${version} of ${target} begins at ${effective_from}, after the last tick, so it changed none. As if it were in force: ${target}@${version}`
}

function rangeText({ from, to }: NonNullable<Range>): string {
  const start = `in force from ${formatMicros(from)}`
  return to === null ? start : `${start} to ${formatMicros(to)}`
}
