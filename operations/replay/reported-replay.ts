import { type TickInput, tickInputs } from '../../pipelines/index/exact/tick-inputs.ts'
import type { IndexDescription, IndexVersion } from '../../pipelines/index/version.ts'
import { type DecimalString, formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { resolveAsIf } from './as-if-in-force.ts'
import { emptyRangeText } from './empty-range.ts'
import { type LatePublication, latePublications } from './late-publications.ts'
import { type PublishedLevel, publishedLevels, publishedRevisions } from './published-levels.ts'
import { noteEmpty, openTarget, type ReplayLine, type ReplayRequest, replayLine, replayTicks } from './replay-index.ts'
import { REPLAY_TABLES, type ResolvedTarget, readTarget } from './replay-target.ts'

/** Subject of a replay. */
export type ReplaySubject = {
  /** The target's name as the user gave it. */
  readonly target: string
  readonly index: IndexDescription
  /** The versions that rule in the range, ascending. */
  readonly versions: readonly IndexVersion[]
  readonly from: Instant
  readonly to: Instant
  /** The knowledge it was replayed with, inclusive. */
  readonly as_of: Instant
  /** False where nobody asked for an instant: then it is the newest knowledge there was. */
  readonly as_of_given: boolean
  /** Instant from which the named version counts as in force although it began later; null: as it really was. */
  readonly in_force_from: Instant | null
}

/** A line with its constituents and link factor, which are worked out only where somebody asks for them. */
export type ReplayTick = {
  readonly line: ReplayLine
  readonly inputs: () => readonly TickInput[]
  /** K of methodology index-1 §10; null: there is none yet. */
  readonly linkFactor: () => DecimalString | null
}

/** A replay with what a report shows beside its lines, all from one snapshot of the warehouse. */
export type ReportedReplay = {
  readonly subject: ReplaySubject
  /** Official levels of the same index by tick; empty where it is not published. */
  readonly published: ReadonlyMap<Instant, PublishedLevel>
  /** Every revision of the ticks that were published more than once. */
  readonly revisions: readonly PublishedLevel[]
  readonly ticks: () => Generator<ReplayTick>
  /** Returns the records that ticks of the replay have and levels published live have not, by tick. */
  readonly latePublications: (ticks: readonly Instant[]) => Promise<ReadonlyMap<Instant, LatePublication>>
  readonly close: () => Promise<void>
}

/**
 * Opens a replay for a report. The lines are those of `replayIndex`; nothing is kept of a tick that the caller lets go.
 * @throws {ServiceError} as replayIndex
 */
export async function openReportedReplay(request: ReplayRequest): Promise<ReportedReplay> {
  const range = parseRange(request.from, request.to)
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const target = await readTarget(request.target)
  const session = await openReadSession(request.warehouse, { as_of, tables: REPLAY_TABLES })
  try {
    const resolved = await resolveAsIf(target, session, request.in_force_from ?? null)
    const series = await openTarget(resolved, session, range.to)
    const noteNone = () =>
      request.on_empty?.(emptyRangeText({ name: resolved.name, ...resolved.spec }, range, session.as_of))
    const subject = replaySubject(resolved, { ...range, as_of: session.as_of, as_of_given: as_of !== null })
    return {
      subject,
      ...(await publishedBeside(session, subject)),
      ticks: () => noteEmpty(reportedTicks(replayTicks(series, { ...request, ...range })), noteNone),
      latePublications: (ticks) => latePublications(session, resolved.spec, ticks),
      close: () => session.close(),
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

/** A subject in a range, as known at an instant. */
export function replaySubject(
  { name, index, spec, as_if_from }: ResolvedTarget,
  run: { readonly from: Micros; readonly to: Micros; readonly as_of: Micros; readonly as_of_given: boolean },
): ReplaySubject {
  const rules = (version: IndexVersion) =>
    version.effective_from < run.to && (version.effective_to === null || version.effective_to > run.from)
  return {
    target: name,
    index,
    versions: spec.versions.filter(rules),
    from: formatMicros(run.from),
    to: formatMicros(run.to),
    as_of: formatMicros(run.as_of),
    as_of_given: run.as_of_given,
    in_force_from: as_if_from === undefined ? null : formatMicros(as_if_from),
  }
}

/** Lines and inputs of the ticks of a series. */
export function* reportedTicks(ticks: ReturnType<typeof replayTicks>): Generator<ReplayTick> {
  for (const tick of ticks) {
    const k = tick.link_factor
    const linkFactor = () => (k === null ? null : formatDecimal(k, SCALE.link_factor))
    yield { line: replayLine(tick), inputs: () => tickInputs(tick), linkFactor }
  }
}

async function publishedBeside(session: ReadSession, { index, from, to }: ReplaySubject) {
  const range = { index_id: index.index_id, from, to }
  return { published: await publishedLevels(session, range), revisions: await publishedRevisions(session, range) }
}
