export type { ComputedIndex } from './plan-levels.ts'

import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { type ComputeRequest, computeStretches } from './compute-stretches.ts'
import { loadIndex, type PublishedIndex } from './load-index.ts'
import { loadLinks, loadPublished } from './load-published.ts'
import { officialSteps } from './official-steps.ts'
import { openSeries } from './open-series.ts'
import { type ComputedIndex, type PlannedLevels, planLevels } from './plan-levels.ts'
import { COURSE_TABLES } from './stored-course.ts'
import { type StampedRow, writeStamped } from './write-stamped.ts'

/**
 * Publishes the official observations of the missing ticks in [from, to) (docs/cli.md, methodology §15, §16).
 *   wall      published now; ticks whose cutoff + grace has passed
 *   recorded  stamped at tick + grace, from inputs and a version that were known then; one commit a stamp for all named indexes
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_CLOCK_REFUSED, INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT
 */
export async function computeIndexes(
  request: ComputeRequest,
): Promise<{ indexes: readonly ComputedIndex[]; commits: number }> {
  const { warehouse, signal } = request
  const index_ids = uniqueIds(request.index_ids)
  const snapshots = await Promise.all(COURSE_TABLES.map((table) => warehouse.log(table).snapshot()))
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const indexes: PublishedIndex[] = []
    for (const index_id of index_ids) indexes.push(await loadIndex(session, index_id))
    if (request.clock === 'wall') return await computeStretches(indexes, session, request, snapshots)
    const planned: PlannedLevels[] = []
    for (const index of indexes) {
      const plan = await planIndex(index, session, request)
      refuseBeforeVersions(index, plan.rows)
      planned.push(plan)
    }
    const rows = planned.flatMap((plan) => plan.rows)
    const commits = await writeStamped(warehouse, rows, { operation: 'PUBLISH_LEVELS', signal })
    return { indexes: planned.map((plan) => plan.report), commits }
  } finally {
    await session.close()
  }
}

async function planIndex(index: PublishedIndex, session: ReadSession, request: ComputeRequest): Promise<PlannedLevels> {
  const range = parseRange(request.from, request.to)
  const now = await request.warehouse.now()
  const known = await loadPublished(session, index.spec.index_id)
  const links = await loadLinks(session, index.spec.index_id)
  const series = await openSeries(session, index.spec, {
    to: dueBefore(index, range.to, now),
    published_links: links,
    known_at_tick: request.clock === 'recorded',
  })
  const { clock, signal, on_progress } = request
  return planLevels(index, officialSteps(series.twin()), {
    from: range.from,
    now,
    known,
    links,
    clock,
    signal,
    on_progress,
  })
}

/**
 * Refuses levels that would be known before their version: as of then the index has no such version. A version is published after its
 * index and its methodology.
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED
 */
function refuseBeforeVersions({ version_rows }: PublishedIndex, rows: readonly StampedRow[]): void {
  for (const { index_id, index_version_id, version, published_at } of version_rows) {
    const stamps = rows.flatMap(({ row, stamp }) => {
      return row.index_version_id === index_version_id && stamp.kind === 'recorded' ? [stamp.at] : []
    })
    const first = stamps.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)
    if (first >= toMicros(published_at)) continue
    throw new ServiceError(
      'VALIDATION_CLOCK_REFUSED',
      `clock is recorded, but levels of ${index_id} would be stamped from ${formatMicros(first)} on, and its version ${version} has the published_at ${published_at}; allowed: levels stamped at or after it (a definition of the recorded clock, "tidemark index apply --clock recorded" in a new warehouse, or --clock wall here)`,
      { field: 'clock', index_id: String(index_id), published_at: String(published_at) },
    )
  }
}

/** The first instant whose tick cannot be due yet. */
export function dueBefore(index: PublishedIndex, to: Micros, now: Micros): Micros {
  const grace = Math.min(...index.spec.versions.map((version) => version.methodology.parameters.grace))
  return Math.min(to, now - grace + 1)
}

function uniqueIds(index_ids: readonly string[]): readonly string[] {
  if (index_ids.length === 0)
    throw new ServiceError('VALIDATION_USAGE_INVALID', 'INDEX is missing; allowed: one or more index ids')
  return [...new Set(index_ids)]
}
