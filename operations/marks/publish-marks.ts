import type { MarkRecord } from '../../pipelines/index/market-marks.ts'
import { methodologyHash, methodologyTextOf } from '../../pipelines/index/methodology.ts'
import { FIRST_REVISION, type Revised } from '../../primitives/append-only.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { durationMicros, formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import { parseRange } from '../../primitives/ranges.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { loadLegData } from '../index/load-leg-data.ts'
import { type StampedRow, writeStamped } from '../index/write-stamped.ts'
import { LiveMarks, MARK_PARAMETERS, MARK_TEXTS, type MarksOfTick, markedLeg } from './live-marks.ts'

export const MARK_METHODOLOGY = { methodology_id: 'mth_market_mark', version: '1.0.0' } as const

export type PublishMarksRequest = {
  readonly from: Instant
  readonly to: Instant
  /** Distance of the ticks, which are its multiples since the epoch. */
  readonly interval: string
  readonly clock: ImportClock
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
}

/**
 * Publishes the marks of every market at the due ticks in [from, to) that are not published yet: stamped at tick + grace under
 * the recorded clock, now under the wall clock. A tick has a row only if it differs from the one before.
 * @throws {ServiceError} VALIDATION_RANGE_INVALID, VALIDATION_DURATION_INVALID, VALIDATION_CLOCK_REFUSED
 */
export async function publishMarks(request: PublishMarksRequest): Promise<{ published: number; commits: number }> {
  const { warehouse, clock, signal } = request
  const range = parseRange(request.from, request.to)
  const marks = new LiveMarks(durationMicros(request.interval, 'interval'))
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const now = await warehouse.now()
    const legs = (await session.query(readSql(import.meta.url, 'sql/quoted_outcomes.sql'))).map(markedLeg)
    const data = await loadLegData(session, legs, { trades: false, known_at_tick: clock === 'recorded' })
    const changed = marks.take(legs, data, { from: range.from, to: markDueBefore(range.to, now) })
    const rows = await planMarks(session, changed, clock, now)
    const commits = await writeStamped(warehouse, rows, { operation: 'PUBLISH_MARKS', signal })
    return { published: rows.filter(({ table }) => table === 'market_mark').length, commits }
  } finally {
    await session.close()
  }
}

/** The first instant whose tick cannot be due yet. */
export function markDueBefore(to: Micros, now: Micros): Micros {
  return Math.min(to, now - MARK_PARAMETERS.grace + 1)
}

/** The rows of marks that are not published yet, and of their methodology where it is not. */
async function planMarks(
  session: ReadSession,
  changed: readonly MarksOfTick[],
  clock: ImportClock,
  now: Micros,
): Promise<StampedRow[]> {
  if (changed.length === 0) return []
  const rows = await withoutPublishedMarks(
    session,
    changed.flatMap((marks) => markRows(marks, clock, now)),
  )
  return rows.length === 0 ? [] : [...(await planMethodology(session, rows)), ...rows]
}

/** Rows without the marks that are published already; those of other tables stay. */
export async function withoutPublishedMarks(
  session: ReadSession,
  rows: readonly StampedRow[],
): Promise<readonly StampedRow[]> {
  const ticks = rows.flatMap(({ table, row }) => (table === 'market_mark' ? [toMicros(row.tick_at)] : []))
  if (ticks.length === 0) return rows
  const from = formatMicros(ticks.reduce((first, tick) => Math.min(first, tick)))
  const known = new Set(
    (await session.query(readSql(import.meta.url, 'sql/mark_ids.sql'), { from })).map((row) => row.mark_id),
  )
  return rows.filter(({ table, row }) => table !== 'market_mark' || !known.has(row.mark_id))
}

/**
 * Returns the rows of the marks of one tick, first revisions unless they say otherwise. A literal that begins with one spread and names
 * its other fields is a twentieth of the work of one with several spreads, and a week has a hundred thousand rows.
 */
export function markRows(
  { tick_at, records }: { readonly tick_at: Micros; readonly records: readonly (MarkRecord & Partial<Revised>)[] },
  clock: ImportClock,
  now: Micros,
): StampedRow[] {
  const at = tick_at + MARK_PARAMETERS.grace
  const stamp: StampedRow['stamp'] = clock === 'wall' ? { kind: 'wall' } : { kind: 'recorded', at }
  const calculated_at = formatMicros(clock === 'wall' ? now : at)
  return records.map((record) => ({
    table: 'market_mark' as const,
    row: {
      ...record,
      revision: record.revision ?? FIRST_REVISION.revision,
      supersedes_id: record.supersedes_id ?? null,
      correction_reason: record.correction_reason ?? null,
      calculated_at,
      methodology_id: MARK_METHODOLOGY.methodology_id,
      methodology_version: MARK_METHODOLOGY.version,
    },
    stamp,
  }))
}

/** The methodology is published with the first mark of it. */
export async function planMethodology(session: ReadSession, marks: readonly StampedRow[]): Promise<StampedRow[]> {
  const { methodology_id, version } = MARK_METHODOLOGY
  const known = await session.query(readSql(import.meta.url, '../sql/methodologies.sql'))
  if (known.some((row) => row.methodology_id === methodology_id && row.version === version)) return []
  const row = {
    methodology_id,
    version,
    status: 'published',
    name: 'Market marks',
    document_uri: `urn:tidemark:methodology:${methodology_id}:${version}`,
    content_hash: methodologyHash(MARK_TEXTS),
    supersedes_version: null,
    parameters: canonicalJson(MARK_TEXTS),
    text_sha256: methodologyTextOf(MARK_TEXTS),
  }
  return [{ table: 'methodology', row, stamp: firstStamp(marks) }]
}

function firstStamp(rows: readonly StampedRow[]): StampedRow['stamp'] {
  const at = rows.map(({ stamp }) => (stamp.kind === 'recorded' ? stamp.at : Number.POSITIVE_INFINITY))
  return rows[at.indexOf(Math.min(...at))]!.stamp
}
