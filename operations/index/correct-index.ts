import { LATE_DATA_GRACE } from '../../pipelines/index/admit.ts'
import {
  decideRestatement,
  formatBasisPoints,
  isCorrectionReason,
  isSameTick,
} from '../../pipelines/index/correction.ts'
import { type BuiltObservation, buildObservation } from '../../pipelines/index/observation.ts'
import type { SeriesStep } from '../../pipelines/index/series.ts'
import { FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { CORRECTION_REASONS, type CorrectionReason } from '../../vocabulary/index-level.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openPauses } from '../pause/pauses.ts'
import { isWithheld, pausedSpans } from '../pause/schedule-acts.ts'
import { loadIndex, type PublishedIndex } from './load-index.ts'
import { loadConfirmedEvidence, loadLinks, loadPublished, type PublishedTick } from './load-published.ts'
import { officialSteps } from './official-steps.ts'
import { openSeries } from './open-series.ts'
import { linkRow } from './plan-levels.ts'
import { writeStamped } from './write-stamped.ts'

export type CorrectRequest = {
  readonly index_id: string
  /** Ticks in [from, to); null = from the first, to the last published one. */
  readonly from: Instant | null
  readonly to: Instant | null
  readonly reason: string
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
}

/** One published revision. basis_points: |new - old| / old, null where either has no level. */
export type Revision = {
  readonly tick_at: Instant
  readonly observation_id: string
  readonly supersedes_id: string | null
  readonly old_level: string | null
  readonly new_level: string | null
  readonly basis_points: string | null
  readonly restatement: string | null
}

/**
 * Publishes revisions of the official observations whose admitted inputs changed, and not only their confirmation. Every row
 * with source_at <= cutoff that is known now is admitted, whenever it was received (methodology §3, §13). Published link factors
 * stay. By the wall clock.
 * A tick without a record that now has a level of its own gets its first one, unless publication was paused then.
 * @throws {ServiceError} INDEX_NOT_FOUND; VALIDATION_USAGE_INVALID for an unknown reason
 */
export async function correctIndex(
  request: CorrectRequest,
): Promise<{ index_id: string; ticks_checked: number; revised: readonly Revision[] }> {
  const reason = parseReason(request.reason)
  const session = await openReadSession(request.warehouse, { as_of: null })
  try {
    const index = await loadIndex(session, request.index_id)
    const known = await loadPublished(session, request.index_id)
    const now = await request.warehouse.now()
    const range = correctionRange(request, known)
    const published_links = await loadLinks(session, request.index_id)
    const series = await openSeries(session, index.spec, { to: range.to, grace: LATE_DATA_GRACE, published_links })
    const new_links = new Map<string, Row>()
    const built: { observation: BuiltObservation; revision: Revision }[] = []
    const confirmed = await loadConfirmedEvidence(session)
    const context: Correction = { index, known, reason, now, confirmed, calculated: new Map() }
    let ticks_checked = 0
    const paused = pausedSpans(await openPauses(request.warehouse).acts(), SCHEDULE_IDS.publish)
    const withheld = [...paused, ...index.inactive]
    for (const { step, official } of officialSteps(series.twin())) {
      request.signal?.throwIfAborted()
      const { tick_at } = step.result
      for (const link of step.links) new_links.set(link.version.index_version_id, linkRow(request.index_id, link))
      if (tick_at < range.from || (isWithheld(withheld, tick_at) && !known.has(tick_at))) continue
      ticks_checked += 1
      const observation = reviseTick(context, step, official)
      if (observation === null) continue
      context.calculated.set(step.result.tick_at, now)
      built.push({ observation, revision: describe(index, observation, known.get(step.result.tick_at), now) })
    }
    const rows = built.map(({ observation }) => observation)
    const links = neededLinks(new_links, published_links, rows)
    await writeStamped(
      request.warehouse,
      [
        ...links.map((row) => ({ table: 'index_link', row, stamp: WALL }) as const),
        ...rows.map((row) => ({ table: 'index_observation', row, stamp: WALL }) as const),
      ],
      { operation: 'CORRECT_LEVELS', signal: request.signal },
    )
    return { index_id: request.index_id, ticks_checked, revised: built.map(({ revision }) => revision) }
  } finally {
    await session.close()
  }
}

const WALL = { kind: 'wall' } as const

/** Links of versions whose first level is a correction; a link that was published before stays (methodology §10). */
function neededLinks(
  found: ReadonlyMap<string, Row>,
  published: ReadonlyMap<string, unknown>,
  rows: readonly BuiltObservation[],
): readonly Row[] {
  const used = new Set(
    rows.filter(({ link_factor }) => link_factor !== null).map((row) => row.index_version_id as string),
  )
  return [...found].flatMap(([version, row]) => (used.has(version) && !published.has(version) ? [row] : []))
}

type Correction = {
  readonly index: PublishedIndex
  readonly known: ReadonlyMap<Micros, PublishedTick>
  readonly reason: CorrectionReason
  readonly now: Micros
  /** Id of the stated resolution by the id of each one that only confirms it. */
  readonly confirmed: ReadonlyMap<string, string>
  /** Ticks that this correction revised. */
  readonly calculated: Map<Micros, Micros>
}

/** The next record of a tick's chain, or null where nothing changed or no record is due. */
function reviseTick(context: Correction, step: SeriesStep, official: boolean): BuiltObservation | null {
  const { index, reason } = context
  const known = context.known.get(step.result.tick_at)
  const base = { index_id: index.spec.index_id, unit: index.spec.unit, calculated_at: calculatedAt(context, step) }
  if (known === undefined) return official ? buildObservation(step.result, { ...FIRST_REVISION, ...base }) : null
  const head = { revision_max: known.revision, current_id: known.observation_id }
  const observation = buildObservation(step.result, { ...supersede(head, reason), ...base })
  if (observation.input_digest === known.row.input_digest) return null
  return isSameTick(known.row, observation, context.confirmed) ? null : observation
}

/** A stale tick shows the last level with the calculation instant of that level (methodology §12 Q2). */
function calculatedAt({ known, now, calculated }: Correction, { result }: SeriesStep): Micros {
  const { source_cutoff_at, tick_at } = result
  if (source_cutoff_at === null || source_cutoff_at === tick_at) return now
  return calculated.get(source_cutoff_at) ?? known.get(source_cutoff_at)?.calculated_at ?? now
}

function describe(
  index: PublishedIndex,
  observation: BuiltObservation,
  known: PublishedTick | undefined,
  now: Micros,
): Revision {
  const old_level = typeof known?.row.level === 'string' ? known.row.level : null
  const new_level = observation.level
  const version = index.spec.versions.find((candidate) => candidate.index_version_id === observation.index_version_id)!
  const change = { old_level, new_level, tick_at: toMicros(observation.tick_at), detected_at: now }
  return {
    tick_at: observation.tick_at,
    observation_id: observation.observation_id,
    supersedes_id: observation.supersedes_id,
    old_level,
    new_level,
    basis_points: formatBasisPoints(old_level, new_level),
    restatement: known === undefined ? null : decideRestatement(change, version.methodology.parameters.restate),
  }
}

function correctionRange(
  request: CorrectRequest,
  known: ReadonlyMap<Micros, PublishedTick>,
): { from: Micros; to: Micros } {
  const last = [...known.keys()].at(-1)
  const end = last === undefined ? 0 : last + 1
  const from = request.from === null ? Number.NEGATIVE_INFINITY : toMicros(request.from, 'from')
  const to = request.to === null ? end : Math.min(end, toMicros(request.to, 'to'))
  if (request.from !== null && request.to !== null && from >= toMicros(request.to, 'to')) {
    throw new ServiceError(
      'VALIDATION_RANGE_INVALID',
      `to is ${request.to}; allowed: an instant after from (${formatMicros(from)})`,
    )
  }
  return { from, to }
}

function parseReason(reason: string): CorrectionReason {
  if (isCorrectionReason(reason)) return reason
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `reason is ${JSON.stringify(reason)}; allowed: ${CORRECTION_REASONS.join(', ')}`,
    { field: 'reason', value: reason },
  )
}
