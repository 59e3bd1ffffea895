import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { LAST_MS } from './fixture-data.ts'

const MINUTE_MS = 60_000
/** The fixture's clock. */
const NOW_MS = LAST_MS + 10 * MINUTE_MS
const at = (before_ms: number): string => formatMicros((NOW_MS - before_ms) * 1000)

/** One healthy venue, one that fails for an hour, one that went down, and one without reports. */
const HEALTH: readonly Row[] = [
  health('kalshi', 'ok', 20_000, { last_success_at: at(5_000), records_new: 1_204_331, gaps: 2, sessions: 9 }),
  health('manifold', 'degraded', 40_000, {
    last_success_at: at(31_000),
    quarantined: 3,
    problem: 'manifold /v0/bets answers with 503',
  }),
  health('polymarket', 'ok', 120 * MINUTE_MS, { last_success_at: at(120 * MINUTE_MS) }),
  health('polymarket', 'down', MINUTE_MS, {
    last_success_at: at(51 * MINUTE_MS),
    gaps: 12,
    problem: 'polymarket /book broke off: ECONNREFUSED',
  }),
  health('usgs', 'ok', 9 * MINUTE_MS, { last_success_at: at(9 * MINUTE_MS) }),
]

const BACKFILLS: readonly Row[] = [
  backfill('bkf_b', 'idx_coast', 'done', 31, 31, 50 * MINUTE_MS),
  backfill('bkf_a', 'kalshi', 'running', 1_480, 333, 4_000),
]

/** A pause that holds, and one that is over. */
const ACTS: readonly Row[] = [
  act('compact', 'paused', 40 * MINUTE_MS),
  act('publish-tick', 'paused', 30 * MINUTE_MS),
  act('compact', 'resumed', 20 * MINUTE_MS),
]

/** Ingest and backfill reports of workers, as the fixture's page shows them. */
export const FIXTURE_OPERATIONS: Reader['operations'] = {
  ingest: async (as_of) => newest(known(HEALTH, as_of, 'source_at'), 'venue_id'),
  scheduleActs: async (as_of) => newest(known(ACTS, as_of, 'source_at'), 'schedule_id'),
  backfills: async (as_of) => known(BACKFILLS, as_of, 'updated_at'),
}

function known(rows: readonly Row[], as_of: Micros | null, column: string): readonly Row[] {
  return rows.filter((row) => as_of === null || String(row[column]) <= formatMicros(as_of))
}

function newest(rows: readonly Row[], key: string): readonly Row[] {
  return [...new Map(rows.map((row) => [row[key], row])).values()]
}

function health(venue_id: string, state: string, told_ms: number, facts: Row): Row {
  const source_at = at(told_ms)
  const nothing = { gaps: 0, quarantined: 0, records_new: 0, sessions: 1, problem: null, last_source_at: null }
  return { health_id: `${venue_id} ${source_at}`, venue_id, state, source_at, ...nothing, ...facts }
}

function act(schedule_id: string, kind: string, before_ms: number): Row {
  return { schedule_id, act: kind, actor: 'ada@desk', reason: 'wrong prices', source_at: at(before_ms) }
}

function backfill(
  backfill_id: string,
  subject_id: string,
  state: string,
  chunks_total: number,
  chunks_done: number,
  updated_ms: number,
): Row {
  const subject_kind = subject_id.startsWith('idx_') ? 'index' : 'venue'
  const range = { range_from: '2026-01-01T00:00:00Z', range_to: '2026-01-15T00:00:00Z' }
  const times = { started_at: at(updated_ms + 60 * MINUTE_MS), updated_at: at(updated_ms) }
  return {
    backfill_id,
    subject_kind,
    subject_id,
    ...range,
    state,
    chunks_total,
    chunks_done,
    records_new: 71_002,
    ...times,
  }
}
