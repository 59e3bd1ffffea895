import type { Instant, Micros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Snapshot, Warehouse } from '../../warehouse/warehouse.ts'
import { countingOf } from './counting.ts'
import { dueTo } from './due-to.ts'
import { IndexCourse, newCourse } from './index-course.ts'
import type { PublishedIndex } from './load-index.ts'
import { loadLinks } from './load-published.ts'
import type { ComputedIndex, PlannedLevels } from './plan-levels.ts'
import { storeCourse, storedCourse } from './stored-course.ts'
import { writeStamped } from './write-stamped.ts'

export type ComputeRequest = {
  readonly index_ids: readonly string[]
  readonly from: Instant
  readonly to: Instant
  readonly clock: ImportClock
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: { done: number; total: number; unit: 'ticks' }) => void) | undefined
}

/** Most rows of a stretch over all its indexes, which are in memory at once. */
const STRETCH_ROWS_MAX = 2_000

type Running = {
  readonly course: IndexCourse
  readonly end: Micros
  readonly stored_to: Micros
  report: ComputedIndex | null
}

/**
 * Publishes the missing ticks of a range under the wall clock, stretch by stretch, in memory that does not grow with the range. A
 * range that begins where another one ended continues from its stored series, in another process too, and gets the levels of one
 * computation from the first tick.
 * @param snapshots of the tables that levels are computed from; the session shows these or later ones
 */
export async function computeStretches(
  indexes: readonly PublishedIndex[],
  session: ReadSession,
  request: ComputeRequest,
  snapshots: readonly Snapshot[],
): Promise<{ indexes: readonly ComputedIndex[]; commits: number }> {
  const { warehouse, signal } = request
  const range = parseRange(request.from, request.to)
  const now = await warehouse.now()
  const running: Running[] = []
  for (const index of indexes) running.push(await begin(index, range, now, { warehouse, session, snapshots }))
  let commits = 0
  for (let more = true; more; ) {
    more = false
    const planned: PlannedLevels[] = []
    for (const run of running) {
      const to = stretchEnd(run, now, Math.max(1, Math.floor(STRETCH_ROWS_MAX / running.length)))
      if (to <= run.course.state.done_to && run.report !== null) continue
      const levels = await run.course.advance(to, {
        from: range.from,
        now,
        clock: 'wall',
        signal,
        on_progress: progressOf(run, request),
      })
      run.report = run.report === null ? levels.report : added(run.report, levels.report)
      planned.push(levels)
      more ||= to < run.end
    }
    const rows = planned.flatMap((plan) => plan.rows)
    commits += await writeStamped(warehouse, rows, { operation: 'PUBLISH_LEVELS', signal })
  }
  for (const { course, stored_to } of running)
    if (course.state.done_to > stored_to)
      await storeCourse(warehouse.local_root, course.index, course.state, snapshots).catch(() => undefined) // the stored series only saves time
  return { indexes: running.map(({ report }) => report!), commits }
}

type Ports = { readonly warehouse: Warehouse; readonly session: ReadSession; readonly snapshots: readonly Snapshot[] }

/** Continues a stored series if no record that it would have seen has changed; otherwise begins at the first tick. */
async function begin(
  index: PublishedIndex,
  range: { readonly from: Micros; readonly to: Micros },
  now: Micros,
  { warehouse, session, snapshots }: Ports,
): Promise<Running> {
  const known_at_tick = await countingOf(session, index.spec)
  const links = await loadLinks(session, index.spec.index_id)
  const end = dueTo(index.spec, now, range.to)
  const stored = await storedCourse(warehouse, index, { from: range.from, snapshots, known_at_tick })
  if (stored !== null) {
    const course = new IndexCourse(session, index, links, stored)
    if (!(await course.hasPassedInstants())) return { course, end, stored_to: stored.done_to, report: null }
  }
  const course = new IndexCourse(session, index, links, newCourse(index, known_at_tick))
  return { course, end, stored_to: Number.NEGATIVE_INFINITY, report: null }
}

/** End of the next stretch, about `ticks` ticks long. */
function stretchEnd({ course, end }: Running, now: Micros, ticks: number): Micros {
  const { spec } = course.index
  const { done_to } = course.state
  const step = Math.min(...spec.versions.map(({ frequency }) => frequency))
  for (let more = ticks; ; more *= 2) {
    const to = Math.min(end, dueTo(spec, now, done_to + more * step))
    if (to > done_to || to === end) return to
  }
}

function progressOf(run: Running, { on_progress }: ComputeRequest): ComputeRequest['on_progress'] {
  if (on_progress === undefined) return undefined
  return ({ done, total, unit }) => {
    const before = run.report?.ticks ?? 0
    on_progress({ done: before + done, total: before + total, unit })
  }
}

function added(a: ComputedIndex, b: ComputedIndex): ComputedIndex {
  const states = { ...a.states }
  for (const [state, count] of Object.entries(b.states)) states[state] = (states[state] ?? 0) + count
  return {
    index_id: a.index_id,
    ticks: a.ticks + b.ticks,
    published: a.published + b.published,
    already_published: a.already_published + b.already_published,
    unchanged: a.unchanged + b.unchanged,
    first_tick_at: a.first_tick_at ?? b.first_tick_at,
    last_tick_at: b.last_tick_at ?? a.last_tick_at,
    states,
  }
}
