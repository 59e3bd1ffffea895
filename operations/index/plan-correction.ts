import { setImmediate } from 'node:timers/promises'
import { LATE_DATA_GRACE } from '../../pipelines/index/admit.ts'
import { decideRestatement, formatBasisPoints, isSameTick } from '../../pipelines/index/correction.ts'
import { type BuiltObservation, buildObservation } from '../../pipelines/index/observation.ts'
import type { SeriesStep } from '../../pipelines/index/series.ts'
import { splitRevisions } from '../../pipelines/index/waiting-revisions.ts'
import { FIRST_REVISION, supersede } from '../../primitives/append-only.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { CorrectionReason } from '../../vocabulary/index-level.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openPauses } from '../pause/pauses.ts'
import { isWithheld, pausedSpans } from '../pause/schedule-acts.ts'
import { INDEX_TABLES } from './list-indexes.ts'
import { loadIndex, type PublishedIndex } from './load-index.ts'
import { loadConfirmedEvidence, loadLinks, loadPublished, type PublishedTick } from './load-published.ts'
import { officialSteps } from './official-steps.ts'
import { openSeries } from './open-series.ts'
import { linkRow } from './plan-levels.ts'
import { COURSE_TABLES } from './stored-course.ts'

/** Correction to plan. */
export type PlanRequest = {
  readonly index_id: string
  /** Ticks in [from, to); null = from the first, to the last published one. */
  readonly from: Instant | null
  readonly to: Instant | null
  readonly reason: CorrectionReason
  /** Knowledge of the recomputation, and instant at which the errors are found; null: now. */
  readonly as_of: Micros | null
  /** Whether late revisions wait for a vote. */
  readonly is_governed: boolean
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
}

/**
 * One revision. basis_points: |new - old| / old, null where either has no level. restatement: `official`, `erratum`, `committee` if a
 * vote decides, or `late` if it would but the index has nobody who votes; null for a first level.
 */
export type Revision = {
  readonly tick_at: Instant
  readonly observation_id: string
  readonly supersedes_id: string | null
  readonly old_level: string | null
  readonly new_level: string | null
  readonly basis_points: string | null
  readonly restatement: string | null
}

/** Revision with the record to publish. */
export type PlannedRevision = { readonly observation: BuiltObservation; readonly revision: Revision }

export type CorrectionPlan = {
  /** Knowledge of the plan. */
  readonly as_of: Micros
  readonly ticks_checked: number
  /** Revisions that need no vote. */
  readonly due: readonly PlannedRevision[]
  /** Revisions that wait for a vote, and those that show the level of one; of an index without governance none does. */
  readonly waiting: readonly PlannedRevision[]
  /** Returns the rows of links that some of the revisions need. */
  linksOf(revisions: readonly PlannedRevision[]): readonly Row[]
  /** Returns the level published for a tick; null: none is. */
  publishedLevel(tick: Micros): string | null
}

/**
 * Recomputes ticks, and returns those whose admitted inputs changed, and not only their confirmation. Every row with
 * source_at <= cutoff that is known is admitted, whenever it was received (methodology §3, §13). Published link factors stay.
 * A tick without a record that now has a level of its own gets its first one, unless publication was paused then.
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_RANGE_INVALID
 */
export async function planCorrection(request: PlanRequest): Promise<CorrectionPlan> {
  const { as_of, index_id } = request
  const options = as_of === null ? { as_of } : { as_of, tables: TABLES }
  const session = await openReadSession(request.warehouse, options)
  try {
    const index = await loadIndex(session, index_id)
    const known = await loadPublished(session, index_id)
    const published_links = await loadLinks(session, index_id)
    const { found, links, ticks_checked } = await revisedTicks(session, request, { index, known, published_links })
    const detected_at = as_of ?? (await request.warehouse.now())
    const planned = found.map((observation) => ({
      observation,
      revision: describe(index, observation, known.get(toMicros(observation.tick_at)), detected_at),
    }))
    const publishedLevel = (tick: Micros) => levelOf(known.get(tick))
    return {
      as_of: session.as_of,
      ticks_checked,
      ...(request.is_governed
        ? splitRevisions(planned, publishedLevel)
        : { due: planned.map(withoutVote), waiting: [] }),
      linksOf: (revisions) => neededLinks(links, published_links, revisions),
      publishedLevel,
    }
  } finally {
    await session.close()
  }
}

/** Ticks recomputed before other work of the process has its turn: a restatement is recomputed beside the levels that are due. */
const TICKS_A_TURN = 16

/** Tables that decide a correction; an explicit instant seals exactly these. */
const TABLES: readonly TableName[] = [...COURSE_TABLES, ...INDEX_TABLES]

type Published = {
  readonly index: PublishedIndex
  readonly known: ReadonlyMap<Micros, PublishedTick>
  readonly published_links: Awaited<ReturnType<typeof loadLinks>>
}

async function revisedTicks(
  session: ReadSession,
  request: PlanRequest,
  { index, known, published_links }: Published,
): Promise<{
  readonly found: readonly BuiltObservation[]
  readonly links: ReadonlyMap<string, Row>
  readonly ticks_checked: number
}> {
  const { index_id, reason, as_of, warehouse, signal } = request
  const range = correctionRange(request, known)
  const series = await openSeries(session, index.spec, { to: range.to, grace: LATE_DATA_GRACE, published_links })
  const confirmed = await loadConfirmedEvidence(session)
  const paused = pausedSpans(await openPauses(warehouse).acts(), SCHEDULE_IDS.publish)
  const withheld = [...paused, ...index.inactive]
  const now = as_of ?? (await warehouse.now())
  const context: Context = { index, known, reason, now, confirmed, calculated: new Map() }
  const links = new Map<string, Row>()
  const found: BuiltObservation[] = []
  let [ticks, ticks_checked] = [0, 0]
  for (const { step, official } of officialSteps(series.twin())) {
    signal?.throwIfAborted()
    ticks += 1
    if (ticks % TICKS_A_TURN === 0) await setImmediate()
    const { tick_at } = step.result
    for (const link of step.links) links.set(link.version.index_version_id, linkRow(index_id, link))
    if (tick_at < range.from || (isWithheld(withheld, tick_at) && !known.has(tick_at))) continue
    ticks_checked += 1
    const observation = reviseTick(context, step, official)
    if (observation === null) continue
    context.calculated.set(tick_at, now)
    found.push(observation)
  }
  return { found, links, ticks_checked }
}

function levelOf(known: PublishedTick | undefined): string | null {
  return typeof known?.row.level === 'string' ? known.row.level : null
}

/** Links of versions whose first level is a correction; a link that was published before stays (methodology §10). */
function neededLinks(
  found: ReadonlyMap<string, Row>,
  published: ReadonlyMap<string, unknown>,
  revisions: readonly PlannedRevision[],
): readonly Row[] {
  const used = new Set(
    revisions.flatMap(({ observation: { link_factor, index_version_id } }) =>
      link_factor === null ? [] : [index_version_id as string],
    ),
  )
  return [...found].flatMap(([version, row]) => (used.has(version) && !published.has(version) ? [row] : []))
}

type Context = {
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
function reviseTick(context: Context, step: SeriesStep, official: boolean): BuiltObservation | null {
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
function calculatedAt({ known, now, calculated }: Context, { result }: SeriesStep): Micros {
  const { source_cutoff_at, tick_at } = result
  if (source_cutoff_at === null || source_cutoff_at === tick_at) return now
  return calculated.get(source_cutoff_at) ?? known.get(source_cutoff_at)?.calculated_at ?? now
}

function describe(
  index: PublishedIndex,
  observation: BuiltObservation,
  known: PublishedTick | undefined,
  detected_at: Micros,
): Revision {
  const [old_level, new_level] = [levelOf(known), observation.level]
  const version = index.spec.versions.find((candidate) => candidate.index_version_id === observation.index_version_id)!
  const change = { old_level, new_level, tick_at: toMicros(observation.tick_at), detected_at }
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

/** An index without governance has no committee: what a vote would decide is published, and only named late. */
function withoutVote({ observation, revision }: PlannedRevision): PlannedRevision {
  if (revision.restatement !== 'committee') return { observation, revision }
  return { observation, revision: { ...revision, restatement: 'late' } }
}

function correctionRange(
  request: Pick<PlanRequest, 'from' | 'to'>,
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
