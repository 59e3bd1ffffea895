import type { ChangeAlone } from '../../pipelines/governance/impact/changes-alone.ts'
import { formatSignedBasisPoints } from '../../pipelines/index/correction.ts'
import { levelDifference } from '../../pipelines/index/level-difference.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { asIfInForce } from './as-if-in-force.ts'
import { attributeDifference } from './attribute-difference.ts'
import { emptyRangeError } from './empty-range.ts'
import { type PublishedLevel, publishedLevels } from './published-levels.ts'
import { countingOfTarget, openTarget, type ReplayRequest, replayTicks } from './replay-index.ts'
import { type InForce, REPLAY_TABLES, type ResolvedTarget, readTarget, resolveTarget } from './replay-target.ts'
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
  /** Current published level of the tick; null: there is none, or the sides are of two indexes. */
  readonly published: PublishedLevel | null
}

export type VersionComparison = {
  readonly left: ReplaySubject
  readonly right: ReplaySubject
  /** Time in which a side really was in force: its named version, or a published index all along; null of a whole file. */
  readonly in_force: { readonly left: InForce | null; readonly right: InForce | null }
  /** Whether a side names a version, which counts as in force over the whole range. */
  readonly as_if_in_force: boolean
  /** Versions that only one side has and that begin after the last tick: they change none. */
  readonly later: readonly LaterVersion[]
  /** Last published tick of the two; null: there is none. */
  readonly last_published_at: Instant | null
  /** Whether every record counts from the same instant on both sides; those that are known are the same. */
  readonly records_count_alike: boolean
  readonly ticks: () => Generator<ComparedTick>
  /** Returns the changes from left to right, each with its effect alone; null: they cannot be told apart. */
  readonly attribution: () => Promise<Attribution>
  readonly close: () => Promise<void>
}

/** Changes from one side to the other, each with its effect alone; null: they cannot be told apart. */
export type Attribution = readonly ChangeAlone[] | null

/** Version of one side that begins at or after the end of the compared ticks. */
type LaterVersion = { readonly target: string; readonly version: string; readonly effective_from: Instant }

export type CompareRequest = Omit<ReplayRequest, 'from' | 'to'> & {
  /** null: the first start of the two. */
  readonly from: Instant | null
  /** null: after the last published tick of the two; without one the end of what is known. */
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
  const session = await openReadSession(request.warehouse, { as_of, tables: REPLAY_TABLES })
  try {
    const named = [await resolveTarget(targets[0], session), await resolveTarget(targets[1], session)] as const
    const last = await lastPublished(session, named)
    const range = rangeOf(request, named, last ?? session.as_of)
    const [left, right] = [asIfInForce(named[0], range.from), asIfInForce(named[1], range.from)]
    refuseEmpty([left, right], range, session.as_of)
    const run = { ...range, as_of: session.as_of, as_of_given: as_of !== null }
    const facts = {
      left: replaySubject(left, run),
      right: replaySubject(right, run),
      in_force: { left: inForceOf(left), right: inForceOf(right) },
      as_if_in_force: targets.some(({ version }) => version !== null),
      later: [...laterVersions(left, right, range.to), ...laterVersions(right, left, range.to)],
      last_published_at: last === null ? null : formatMicros(last),
    }
    return { ...facts, ...(await openSides(session, { left, right, range, request })), close: () => session.close() }
  } catch (error) {
    await session.close()
    throw error
  }
}

type Sides = {
  readonly left: ResolvedTarget
  readonly right: ResolvedTarget
  readonly range: Range
  readonly request: CompareRequest
}
type Range = ReturnType<typeof parseRange>

async function openSides(session: ReadSession, { left, right, range, request }: Sides) {
  const [a, b] = [await openTarget(left, session, range.to), await openTarget(right, session, range.to)]
  const { index_id } = left.spec
  const published =
    index_id === right.spec.index_id
      ? await publishedLevels(session, { index_id, from: formatMicros(range.from), to: formatMicros(range.to) })
      : new Map<Instant, PublishedLevel>()
  const [counting, other] = [await countingOfTarget(left, session), await countingOfTarget(right, session)]
  return {
    records_count_alike: counting === other,
    ticks: () =>
      sideBySide(
        reportedTicks(replayTicks(a, { ...request, ...range })),
        reportedTicks(replayTicks(b, { ...range, signal: request.signal })),
        published,
      ),
    attribution: () => attributeDifference(session, { left, right, range, signal: request.signal }),
  }
}

/** Returns the last published tick of two targets; null: neither has one. */
async function lastPublished(session: ReadSession, targets: readonly ResolvedTarget[]): Promise<Micros | null> {
  const ticks: Micros[] = []
  for (const { index_id } of targets.map(({ spec }) => spec)) {
    const [row] = await session.query(readSql(import.meta.url, '../sql/last_tick_of_index.sql'), { index_id })
    if (typeof row?.tick_at === 'string') ticks.push(toMicros(row.tick_at))
  }
  return ticks.length === 0 ? null : Math.max(...ticks)
}

/** @param last tick with which an open range ends */
function rangeOf({ from, to }: CompareRequest, targets: readonly ResolvedTarget[], last: Micros): Range {
  const start = from ?? formatMicros(Math.min(...targets.map(startOf)))
  return parseRange(start, to ?? formatMicros(Math.max(last, toMicros(start)) + 1))
}

/** Refuses a range in which a side has no version. @throws {ServiceError} VALIDATION_RANGE_INVALID */
function refuseEmpty(sides: readonly ResolvedTarget[], range: Range, as_of: Micros): void {
  const begun = (side: ResolvedTarget) => side.spec.versions.some(({ effective_from }) => effective_from < range.to)
  const empty = sides.find((side) => !begun(side))
  if (empty === undefined) return
  const hint = sides.every((side) => !begun(side)) ? '' : IMPACT_HINT
  throw emptyRangeError({ name: empty.name, ...empty.spec }, range, as_of, hint)
}

const IMPACT_HINT = '; tidemark governance impact FILE computes a version that begins later'

/** Returns when a target really is in force; null: a file without a named version. */
function inForceOf({ spec, in_force, published_links }: ResolvedTarget): InForce | null {
  if (in_force !== undefined) return in_force
  return published_links === undefined ? null : { from: spec.versions[0]!.effective_from, to: null }
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
function* sideBySide(
  left: Iterator<ReplayTick>,
  right: Iterator<ReplayTick>,
  published: ReadonlyMap<Instant, PublishedLevel>,
): Generator<ComparedTick> {
  let [a, b] = [nextTick(left), nextTick(right)]
  while (a !== null || b !== null) {
    const order = a === null ? 1 : b === null ? -1 : toMicros(a.line.tick_at) - toMicros(b.line.tick_at)
    const tick = comparedTick(order <= 0 ? a : null, order >= 0 ? b : null)
    yield { ...tick, published: published.get(tick.tick_at) ?? null }
    if (order <= 0) a = nextTick(left)
    if (order >= 0) b = nextTick(right)
  }
}

function nextTick(ticks: Iterator<ReplayTick>): ReplayTick | null {
  const next = ticks.next()
  return next.done === true ? null : next.value
}

function comparedTick(left: ReplayTick | null, right: ReplayTick | null): Omit<ComparedTick, 'published'> {
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
