import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, MICROS_PER_SECOND, type Micros, toMicros } from '../../primitives/instants.ts'
import type {
  BackfillRun,
  BackfillRunState,
  IngestOverview,
  SchedulePause,
  VenueIngest,
  VenueIngestState,
} from '../../protocol/operator/ingest.ts'
import { UNENDED_BACKFILL_STATES } from '../../vocabulary/ingest.ts'
import { ingestScheduleOf } from '../../vocabulary/schedules.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { NOT_KEPT } from '../server/cache-control.ts'
import { isOfAdmin } from '../server/create-admin-server.ts'
import { beginExchange, type Exchange, fail, failCharged, finish } from '../server/exchange.ts'
import type { EndpointContext } from '../server/serve-endpoint.ts'

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/**
 * Reports whether a request may be answered: it came to the admin address, by the Host header to this machine (so that a foreign name
 * that resolves to it does not count), and through no proxy.
 */
function isAllowed({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): boolean {
  const is_passed_on = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return isOfAdmin(raw) && LOOPBACK_HOST.test(headers.host ?? '') && !is_passed_on
}

const URL_PATH = '/internal/ingest'
const BACKFILLS_MAX = 20
/** Age of the last report from which a venue is `silent` and a backfill `interrupted`; both are reported every minute. */
const SILENT_AFTER: Micros = 150 * MICROS_PER_SECOND

/**
 * Serves `GET /internal/ingest?as_of=`: the state of ingest and backfills, for operators. Only the admin address has it; others
 * answer 404. Pages of other sites cannot read it.
 */
export function answerIngest(app: FastifyInstance, context: EndpointContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: URL_PATH,
    handler: async (request, reply) => {
      const exchange = beginExchange(context, URL_PATH, request, reply)
      const headers = exchange.headers.filter((_, n, all) => !(all[n - (n % 2)] as string).startsWith('access-control'))
      const closed: Exchange = { ...exchange, headers }
      try {
        if (!isAllowed(request)) return failCharged(context, closed, notThere())
        const as_of = asOf(request)
        const { reader } = context
        const read = (used: Reader) => overviewAt(used, as_of)
        const overview = await (as_of === null ? read(reader) : reader.asOf(as_of, read))
        headers.push('cache-control', NOT_KEPT)
        finish(context, closed, 200, JSON.stringify(overview))
      } catch (error) {
        fail(context, closed, error)
      }
    },
  })
}

function notThere(): ServiceError {
  return new ServiceError('ROUTE_NOT_FOUND', `path is ${URL_PATH}; allowed: a path of this API (/docs)`, {
    path: URL_PATH,
  })
}

/** @throws {ServiceError} VALIDATION_INSTANT_INVALID, VALIDATION_PARAMETER_UNKNOWN */
function asOf(request: FastifyRequest): Micros | null {
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  const unknown = [...query.keys()].find((name) => name !== 'as_of')
  if (unknown !== undefined) throw notAllowed('VALIDATION_PARAMETER_UNKNOWN', 'parameter', unknown, 'as_of')
  const text = query.get('as_of')
  return text === null ? null : toMicros(text, 'as_of')
}

/** Reads the state of ingest and backfills. @param as_of null: now */
export async function overviewAt(reader: Reader, as_of: Micros | null): Promise<IngestOverview> {
  const now = as_of ?? (await reader.now())
  const [venues, acts, backfills] = await Promise.all([
    reader.operations.ingest(as_of),
    reader.operations.scheduleActs(as_of),
    reader.operations.backfills(as_of, BACKFILLS_MAX),
  ])
  const pauses = acts.flatMap(pauseOf)
  const paused = new Set(pauses.map(({ schedule_id }) => schedule_id))
  return {
    as_of: as_of === null ? null : formatMicros(as_of),
    now: formatMicros(now),
    venues: venues.map((row) => venueOf(row, now, paused.has(ingestScheduleOf(String(row.venue_id))))),
    pauses,
    backfills: backfills.map((row) => backfillOf(row, now)),
  }
}

/** The pause that the newest act on a schedule began; none if that act ended it. */
function pauseOf({ schedule_id, act, actor: paused_by, source_at: paused_at, reason }: Row): SchedulePause[] {
  return act === 'paused' ? [{ schedule_id, paused_by, paused_at, reason } as SchedulePause] : []
}

function venueOf(row: Row, now: Micros, is_paused: boolean): VenueIngest {
  const { venue_id, last_success_at, last_source_at, gaps, quarantined, records_new, sessions, problem } = row
  const stored = row as unknown as VenueIngest & { readonly source_at: string }
  const is_silent = now - toMicros(stored.source_at) > SILENT_AFTER
  const state: VenueIngestState = is_paused ? 'paused' : is_silent ? 'silent' : stored.state
  return {
    venue_id,
    state,
    observed_at: stored.source_at,
    last_success_at,
    last_source_at,
    gaps,
    quarantined,
    records_new,
    sessions,
    problem,
  } as VenueIngest
}

function backfillOf(row: Row, now: Micros): BackfillRun {
  const { backfill_id, subject_kind, subject_id, range_from, range_to, chunks_total, chunks_done } = row
  const { records_new, started_at, updated_at } = row
  const is_unended = UNENDED_BACKFILL_STATES.some((state) => state === row.state)
  const is_silent = now - toMicros(String(updated_at)) > SILENT_AFTER
  const state: BackfillRunState = is_unended && is_silent ? 'interrupted' : (row.state as BackfillRunState)
  return {
    backfill_id,
    subject_kind,
    subject_id,
    from: range_from,
    to: range_to,
    state,
    chunks_total,
    chunks_done,
    records_new,
    started_at,
    updated_at,
  } as BackfillRun
}
