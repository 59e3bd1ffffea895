import { GAUGE_K } from '../../pipelines/index/calculate.ts'
import type { ExactMemory } from '../../pipelines/index/exact/chain.ts'
import type { ExactStep } from '../../pipelines/index/exact/exact-series.ts'
import {
  type ColdStart,
  coldStart,
  MeetingStates,
  type PartStates,
} from '../../pipelines/index/exact/meeting-states.ts'
import type { IndexVersion } from '../../pipelines/index/version.ts'
import type { Decimal } from '../../primitives/decimal.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { openTarget, type ReplayLine, type ReplayRequest, replayLine } from './replay-index.ts'
import { REPLAY_TABLES, type ResolvedTarget, readTarget, resolveTarget } from './replay-target.ts'

export type PartRequest = Pick<
  ReplayRequest,
  'target' | 'definition' | 'from' | 'to' | 'as_of' | 'warehouse' | 'signal'
> & {
  /** Starts at the first tick of the index, as a replay of one process does. */
  readonly whole: boolean
}

export type OpenedPart = {
  readonly lines: () => Generator<ReplayLine>
  /** Valid after the last line. */
  readonly states: () => PartStates
  readonly close: () => Promise<void>
}

/** Bounds of quotes that leave none out. */
const WHOLE = { after: toMicros('1700-01-01T00:00:00Z'), whole_market_ids: [] }

/**
 * Replays one part of a range without the ticks long before it. It begins early enough that no mark from before its beginning still counts,
 * with no memory but the link factor, and notes the state that it has at `from`.
 *
 * The lines are those of `replayIndex` if the part before ends in that state: later ticks depend on the state and on records admitted
 * later, and nothing else. If it ends in another one, the part must be replayed again, `whole`.
 * @throws {ServiceError} as replayIndex
 */
export async function replayPart(request: PartRequest): Promise<OpenedPart> {
  const range = parseRange(request.from, request.to)
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const target = await readTarget(request.target, request.definition)
  const session = await openReadSession(request.warehouse, { as_of, tables: REPLAY_TABLES })
  try {
    const resolved = await resolveTarget(target, session)
    const start = request.whole ? null : coldStart(resolved.spec, range)
    const cold = start === null ? null : await coldMemory(resolved, session, start)
    const bounds = start === null || cold === null ? WHOLE : { ...start, after: start.tick_at }
    const quotes = { after: bounds.after, until: range.to, whole_market_ids: bounds.whole_market_ids }
    const series = await openTarget(resolved, session, range.to, quotes)
    const meeting = new MeetingStates(range)
    return {
      lines: () => {
        const lines = linesOf(series.exact(cold ?? undefined), meeting, range.from, request.signal)
        return cold === null ? lines : upToFailure(lines, meeting)
      },
      states: () => (cold === null ? { start: null, end: meeting.end } : meeting),
      close: () => session.close(),
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

function* linesOf(
  steps: Generator<ExactStep>,
  meeting: MeetingStates,
  from: Micros,
  signal: AbortSignal | undefined,
): Generator<ReplayLine> {
  for (const step of steps) {
    signal?.throwIfAborted()
    meeting.note(step)
    if (step.result.tick_at >= from) yield replayLine(step.result)
  }
}

/** A series without its past may fail where the whole one does not, for example at a link of marks that it does not know. */
function* upToFailure(lines: Generator<ReplayLine>, meeting: MeetingStates): Generator<ReplayLine> {
  try {
    yield* lines
  } catch (error) {
    if (!isServiceError(error)) throw error
    meeting.noteFailure()
  }
}

/** Returns a memory of nothing but link factors; null: a factor is not known without its past. */
async function coldMemory(
  target: ResolvedTarget,
  session: ReadSession,
  { tick_at, version, carry }: ColdStart,
): Promise<ExactMemory | null> {
  const [first] = target.spec.versions
  const k_first = await factorOf(target, first!, session, carry)
  const k = version === first ? k_first : await factorOf(target, version, session, carry)
  if (k === null || k_first === null) return null
  const { index_version_id } = version
  return { tick_at, index_version_id, k, k_first, last_level: null, legs: new Map(), pools: new Map() }
}

/** Returns the link factor of a version: published, fixed by its mode, or for the first version that of its first ticks; null: unknown. */
async function factorOf(
  target: ResolvedTarget,
  version: IndexVersion,
  session: ReadSession,
  carry: Micros,
): Promise<Decimal | null> {
  if (version.methodology.parameters.mode === 'gauge') return GAUGE_K
  const published = target.published_links?.get(version.index_version_id)
  if (published !== undefined || version !== target.spec.versions[0]) return published ?? null
  const until = version.effective_from + carry
  const series = await openTarget(target, session, until, { ...WHOLE, until })
  for (const { result } of series.exact()) if (result.link_factor !== null) return result.link_factor
  return null
}
