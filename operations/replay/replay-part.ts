import { GAUGE_K } from '../../pipelines/index/calculate.ts'
import type { ExactMemory } from '../../pipelines/index/exact/chain.ts'
import type { ExactStep } from '../../pipelines/index/exact/exact-series.ts'
import type { IndexVersion } from '../../pipelines/index/version.ts'
import { contentHash } from '../../primitives/canonical-json.ts'
import type { Decimal } from '../../primitives/decimal.ts'
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

/**
 * States between which the lines of a part hold: hashes of all that the ticks after it depend on. `start` null: the part was computed from
 * the first tick, and depends on none.
 */
type PartStates = { readonly start: string | null; readonly end: string | null }

export type OpenedPart = {
  readonly lines: () => Generator<ReplayLine>
  /** Valid after the last line. */
  readonly states: () => PartStates
  readonly close: () => Promise<void>
}

const BEGINNING: Micros = toMicros('1700-01-01T00:00:00Z')

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
    const cold = request.whole ? null : await coldStart(resolved, session, range.from)
    const quotes = { after: cold?.tick_at ?? BEGINNING, until: range.to }
    const series = await openTarget(resolved, session, range.to, quotes)
    const meeting = new MeetingStates(range)
    return {
      lines: () => linesOf(series.exact(cold ?? undefined), meeting, range.from, request.signal),
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

/** States before the first and after the last tick of a part. */
class MeetingStates implements PartStates {
  start: string | null = null
  end: string | null = null
  readonly #range: { readonly from: Micros; readonly to: Micros }

  constructor(range: { readonly from: Micros; readonly to: Micros }) {
    this.#range = range
  }

  note(step: ExactStep): void {
    const { from, to } = this.#range
    const is_before = step.result.tick_at < from
    if (mayBeLast(step, is_before ? from : to)) this.end = stateOf(step)
    if (is_before) this.start = this.end
  }
}

/** Whether no tick may follow before an instant; the last tick of a version is one of these, wherever the next one begins. */
function mayBeLast({ result: { tick_at, version } }: ExactStep, until: Micros): boolean {
  const next = tick_at + version.frequency
  return next >= until || (version.effective_to !== null && next >= version.effective_to)
}

/** Hashes all that later ticks depend on, beside the records that are admitted later. */
function stateOf(step: ExactStep): string {
  const { k, k_first, legs, pools, ...plain } = step.memory()
  return contentHash({
    ...plain,
    k: k?.toFixed() ?? null,
    k_first: k_first?.toFixed() ?? null,
    legs: [...legs],
    pools: [...pools].map(([id, keys]) => [id, [...keys].sort()]),
    newest: step.newest(),
  })
}

/**
 * Returns a memory of nothing but link factors, from before every mark that can count at an instant; null: the part must begin at the first
 * tick, because that is as near, the index has fixings, or a factor is not known without its past.
 */
async function coldStart(target: ResolvedTarget, session: ReadSession, at: Micros): Promise<ExactMemory | null> {
  const { versions } = target.spec
  const carry = Math.max(...versions.map(({ methodology }) => methodology.parameters.max_carry))
  const tick_at = at - carry
  const version = versions.find(
    ({ effective_from, effective_to }) => effective_from < tick_at && (effective_to === null || tick_at < effective_to),
  )
  if (version === undefined || versions.some(({ fixing }) => fixing !== null)) return null
  const k_first = await factorOf(target, versions[0]!, session, carry)
  const k = version === versions[0] ? k_first : await factorOf(target, version, session, carry)
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
  const series = await openTarget(target, session, until, { after: BEGINNING, until })
  for (const { result } of series.exact()) if (result.link_factor !== null) return result.link_factor
  return null
}
