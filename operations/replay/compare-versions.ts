import { formatSignedBasisPoints } from '../../pipelines/index/correction.ts'
import { levelDifference } from '../../pipelines/index/level-difference.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { asIfInForce } from './as-if-in-force.ts'
import { openTarget, type ReplayRequest, replayTicks } from './replay-index.ts'
import { type InForce, type ResolvedTarget, readTarget, resolveTarget, targetTables } from './replay-target.ts'
import { type ReplaySubject, type ReplayTick, replaySubject, reportedTicks } from './reported-replay.ts'

/** One tick of two replays; null: that side has no such tick. */
export type ComparedTick = {
  readonly tick_at: Instant
  readonly left: ReplayTick | null
  readonly right: ReplayTick | null
  /** right - left, 4 decimals; null unless both have a level. */
  readonly difference: string | null
  /** |right - left| / left; null also where left is 0. */
  readonly basis_points: string | null
  /** Neither level nor quality state differs, and both sides have the tick. */
  readonly equal: boolean
  readonly state_changed: boolean
}

export type VersionComparison = {
  readonly left: ReplaySubject
  readonly right: ReplaySubject
  /** Time in which the named version really was in force; null of a side that names none. */
  readonly in_force: { readonly left: InForce | null; readonly right: InForce | null }
  /** Versions that only one side has and that begin after the last tick: they change none. */
  readonly later: readonly LaterVersion[]
  readonly ticks: () => Generator<ComparedTick>
  readonly close: () => Promise<void>
}

/** Version of one side that begins at or after the end of the compared ticks. */
type LaterVersion = { readonly target: string; readonly version: string; readonly effective_from: Instant }

export type CompareRequest = Omit<ReplayRequest, 'from' | 'to'> & {
  /** null: the first start of the two. */
  readonly from: Instant | null
  /** null: the end of what is known. */
  readonly to: Instant | null
  /** The other side of the comparison: a definition file or INDEX[@VERSION]. */
  readonly against: string
}

/**
 * Replays two definitions or index versions over the same ticks with the same knowledge and pairs them by tick_at, in order;
 * ticks of only one side (another frequency, a later start) are included. A named version counts as in force over the whole range.
 * Publishes nothing.
 * @throws {ServiceError} as replayIndex, of either target
 */
export async function compareVersions(request: CompareRequest): Promise<VersionComparison> {
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  if (request.from !== null && request.to !== null) parseRange(request.from, request.to)
  const targets = [await readTarget(request.target), await readTarget(request.against)] as const
  const session = await openReadSession(request.warehouse, { as_of, tables: targetTables(targets) })
  try {
    const named = [await resolveTarget(targets[0], session), await resolveTarget(targets[1], session)] as const
    const range = parseRange(
      request.from ?? formatMicros(Math.min(...named.map(startOf))),
      request.to ?? formatMicros(session.as_of + 1),
    )
    const [left, right] = [asIfInForce(named[0], range.from), asIfInForce(named[1], range.from)]
    const [a, b] = [await openTarget(left, session, range.to), await openTarget(right, session, range.to)]
    const run = { ...range, as_of: session.as_of, as_of_given: as_of !== null }
    return {
      left: replaySubject(left, run),
      right: replaySubject(right, run),
      in_force: { left: left.in_force ?? null, right: right.in_force ?? null },
      later: [...laterVersions(left, right, range.to), ...laterVersions(right, left, range.to)],
      ticks: () =>
        sideBySide(
          reportedTicks(replayTicks(a, { ...request, ...range })),
          reportedTicks(replayTicks(b, { ...range, signal: request.signal })),
        ),
      close: () => session.close(),
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

/** Returns the versions of a side that the other lacks and that begin at an instant or later. */
function laterVersions({ name, spec }: ResolvedTarget, other: ResolvedTarget, at: Micros): readonly LaterVersion[] {
  const known = new Set<string>(other.spec.versions.map(({ index_version_id }) => index_version_id))
  return spec.versions
    .filter(({ index_version_id, effective_from }) => effective_from >= at && !known.has(index_version_id))
    .map(({ version, effective_from }) => ({ target: name, version, effective_from: formatMicros(effective_from) }))
}

/** Returns the start of a target: of a named version its own. */
function startOf({ spec, in_force }: ResolvedTarget): Micros {
  return in_force?.from ?? spec.versions[0]!.effective_from
}

/** Merges two series of ticks, each ascending. */
function* sideBySide(left: Iterator<ReplayTick>, right: Iterator<ReplayTick>): Generator<ComparedTick> {
  let [a, b] = [nextTick(left), nextTick(right)]
  while (a !== null || b !== null) {
    const order = a === null ? 1 : b === null ? -1 : toMicros(a.line.tick_at) - toMicros(b.line.tick_at)
    yield comparedTick(order <= 0 ? a : null, order >= 0 ? b : null)
    if (order <= 0) a = nextTick(left)
    if (order >= 0) b = nextTick(right)
  }
}

function nextTick(ticks: Iterator<ReplayTick>): ReplayTick | null {
  const next = ticks.next()
  return next.done === true ? null : next.value
}

function comparedTick(left: ReplayTick | null, right: ReplayTick | null): ComparedTick {
  const [before, after] = [left?.line ?? null, right?.line ?? null]
  const [from, to] = [before?.level ?? null, after?.level ?? null]
  const both = before !== null && after !== null
  const state_changed = both && before.quality_state !== after.quality_state
  return {
    tick_at: (before ?? after)!.tick_at,
    left,
    right,
    difference: levelDifference(from, to),
    basis_points: formatSignedBasisPoints(from, to),
    equal: both && from === to && !state_changed,
    state_changed,
  }
}
