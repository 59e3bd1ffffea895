import { type Micros, toMicros } from '../../primitives/instants.ts'
import { VENUE_INGEST_STATES, type VenueIngest } from '../../protocol/operator/ingest.ts'
import { INACTIVE_STATUSES, QUALITY_WORST_FIRST, type QualityState } from '../../vocabulary/index-level.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { MetricSet } from '../admin/metric-set.ts'
import { overviewAt } from './answer-ingest.ts'

const QUALITY_BEST_FIRST = QUALITY_WORST_FIRST.toReversed()
/** Time for which one read of the warehouse serves all metrics: those of one request. */
const KEPT_MS = 1_000

type Signs = {
  readonly now: Micros
  readonly venues: readonly VenueIngest[]
  /** Newest level of each index that is published, and the beginning of each pause. */
  readonly levels: readonly Row[]
  readonly pauses: readonly { readonly schedule_id: string; readonly paused_at: string }[]
}
const NO_SIGNS: Signs = { now: 0, venues: [], levels: [], pauses: [] }

/** Adds the metrics of feeds, levels and pauses, as the warehouse has them: whichever process ingests, every API process has all of them. */
export function feedMetrics(set: MetricSet, reader: () => Pick<Reader, 'now' | 'operations' | 'catalog' | 'latest'>) {
  const signs = kept(async () => signsOf(reader() as Reader))
  const byVenue = (value: (venue: VenueIngest, now: Micros) => number | null) => async () => {
    const { venues, now } = await signs()
    return valuesOf(
      venues,
      ({ venue_id }) => venue_id,
      (venue) => value(venue, now),
    )
  }
  const byIndex = (value: (level: Row, now: Micros) => number) => async () => {
    const { levels, now } = await signs()
    return valuesOf(
      levels,
      ({ index_id }) => String(index_id),
      (level) => value(level, now),
    )
  }
  set.labelled(
    'tidemark_ingest_state',
    `State of the ingest of each venue: ${numbered(VENUE_INGEST_STATES)}.`,
    'venue_id',
    byVenue(({ state }) => VENUE_INGEST_STATES.indexOf(state)),
  )
  set.labelled(
    'tidemark_ingest_success_age_seconds',
    'Seconds since the last answer, message or heartbeat of each venue, as reported every minute.',
    'venue_id',
    byVenue(({ last_success_at }, now) => ageOf(last_success_at, now)),
  )
  set.labelled(
    'tidemark_ingest_data_age_seconds',
    'Seconds since the newest instant that a record of each venue states; a quiet venue has no new ones.',
    'venue_id',
    byVenue(({ last_source_at }, now) => ageOf(last_source_at, now)),
  )
  set.totals(
    'tidemark_ingest_gaps_total',
    'Times that messages of each venue were missing or a stream had to be reopened.',
    'venue_id',
    byVenue(({ gaps }) => gaps),
  )
  set.totals(
    'tidemark_ingest_quarantined_total',
    'Records of each venue that cannot be used.',
    'venue_id',
    byVenue(({ quarantined }) => quarantined),
  )
  set.labelled(
    'tidemark_index_level_age_seconds',
    'Seconds since the tick of the newest level of each index that is published.',
    'index_id',
    byIndex(({ tick_at }, now) => ageOf(tick_at as string, now)!),
  )
  set.labelled(
    'tidemark_index_quality',
    `Quality state of that level: ${numbered(QUALITY_BEST_FIRST)}.`,
    'index_id',
    byIndex(({ quality_state }) => QUALITY_BEST_FIRST.indexOf(quality_state as QualityState)),
  )
  set.labelled(
    'tidemark_schedule_paused_seconds',
    'Seconds since each paused schedule was paused.',
    'schedule_id',
    async () => {
      const { pauses, now } = await signs()
      return valuesOf(
        pauses,
        ({ schedule_id }) => schedule_id,
        ({ paused_at }) => ageOf(paused_at, now),
      )
    },
  )
}

function numbered(states: readonly string[]): string {
  return states.map((state, n) => `${n} ${state}`).join(', ')
}

function ageOf(at: string | null, now: Micros): number | null {
  return at === null ? null : Math.max(0, now - toMicros(at)) / 1_000_000
}

/** Returns the values that are known, by the label of each. */
function valuesOf<T>(all: readonly T[], labelOf: (one: T) => string, value: (one: T) => number | null) {
  return Object.fromEntries(
    all.flatMap((one) => {
      const known = value(one)
      return known === null ? [] : [[labelOf(one), known] as const]
    }),
  )
}

async function signsOf(reader: Reader): Promise<Signs> {
  const { venues, pauses } = await overviewAt(reader, null)
  const published = reader
    .catalog(null)
    .indexes()
    .filter(({ status }) => !INACTIVE_STATUSES.some((one) => one === status))
  const levels = published.flatMap(({ index_id }) => {
    const newest = reader.latest.observation(String(index_id))
    return newest === null ? [] : [newest.row]
  })
  return { now: await reader.now(), venues, pauses, levels }
}

/** Reads once for all metrics of a request. A warehouse that cannot be read yet has no values. */
function kept(read: () => Promise<Signs>): () => Promise<Signs> {
  let last: { readonly at_ms: number; readonly signs: Promise<Signs> } | null = null
  return () => {
    if (last === null || performance.now() - last.at_ms > KEPT_MS) {
      last = { at_ms: performance.now(), signs: read().catch(() => NO_SIGNS) }
    }
    return last.signs
  }
}
