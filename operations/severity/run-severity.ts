import {
  type LastApproved,
  newsHash,
  observedAssessment,
  type SeverityRecord,
} from '../../pipelines/severity/severity-record.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, type Instant, type Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { SeverityLevel } from '../../vocabulary/severity.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Stamp, Warehouse } from '../../warehouse/warehouse.ts'
import { openAppendGuard } from '../import/append-guard.ts'
import { checkRecordedStamps } from '../index/write-stamped.ts'
import { cutoffOf } from '../review/cutoff.ts'
import { publishAssessmentMethodologies } from '../review/publish-assessment-methodologies.ts'
import { loadAlerts } from './load-alerts.ts'

export type SeverityRun = {
  /** The cutoff; null: now. */
  readonly at: Instant | null
  readonly clock: ImportClock
  readonly warehouse: Warehouse
}

export type SeverityReport = {
  readonly observation_cutoff_at: Instant
  readonly events: number
  readonly published: number
  /** Events without news. */
  readonly unchanged: number
  readonly under_review: number
  /** Chains of the assessments that wait for a person. */
  readonly waiting: readonly string[]
  readonly levels: Readonly<Partial<Record<SeverityLevel, number>>>
  readonly commits: number
}

/**
 * Assesses every event with news: an alert that repeats its facts makes no assessment.
 *   wall      published now, from what was received by the cutoff
 *   recorded  published at the cutoff, from what was published by then
 * @throws {ServiceError} VALIDATION_CLOCK_REFUSED, VALIDATION_AS_OF_IN_FUTURE
 */
export async function runSeverity({ at, clock, warehouse }: SeverityRun): Promise<SeverityReport> {
  const cutoff = await cutoffOf(at, warehouse)
  const stamp: Stamp = clock === 'recorded' ? { kind: 'recorded', at: cutoff } : { kind: 'wall' }
  const guard = await openAppendGuard(warehouse, ['severity_assessment'])
  const as_of = clock === 'recorded' ? cutoff : null
  const session = await openReadSession(warehouse, {
    as_of,
    tables: ['hazard_alert', 'severity_assessment'],
    pin: false,
  })
  try {
    const alerts = await loadAlerts(session, cutoff)
    const past = await loadPast(session, cutoff)
    const records = alerts
      .filter(({ event_id, alert }) => past.get(event_id)?.news_hash !== newsHash(alert))
      .map((one) => observedAssessment({ ...one, last: past.get(one.event_id)?.last ?? null, cutoff }))
    await checkRecordedStamps(
      warehouse,
      records.slice(0, 1).map((row) => ({ table: 'severity_assessment' as const, row, stamp })),
    )
    if (records.length > 0) {
      await publishAssessmentMethodologies(warehouse, stamp)
      const app_id = `ASSESS_SEVERITY/${sha256Hex(records.map(({ assessment_id }) => assessment_id).join(' '))}`
      const operation = 'ASSESS_SEVERITY'
      await guard.append('severity_assessment', records, { app_id, app_sequence: 1, stamp, operation })
    }
    return report(cutoff, alerts.length, records)
  } finally {
    await session.close()
  }
}

type Past = { readonly news_hash: string | null; readonly last: LastApproved }

/** Loads the model's earlier assessments, as the session knows them. */
export async function loadPast(session: ReadSession, cutoff: Micros): Promise<ReadonlyMap<string, Past>> {
  const rows = await session.query(readSql(import.meta.url, 'sql/severity_past.sql'), { cutoff: formatMicros(cutoff) })
  return new Map(
    rows.map(({ event_id, news_hash, level, score }) => {
      const last = level === null ? null : { level: level as SeverityLevel, score: (score ?? null) as string | null }
      return [String(event_id), { news_hash: (news_hash ?? null) as string | null, last }]
    }),
  )
}

function report(cutoff: Micros, events: number, records: readonly SeverityRecord[]): SeverityReport {
  const levels: Partial<Record<SeverityLevel, number>> = {}
  const waiting = records.flatMap(({ review_state, chain_id }) => (review_state === 'under_review' ? [chain_id] : []))
  for (const { level } of records) levels[level] = (levels[level] ?? 0) + 1
  return {
    observation_cutoff_at: formatMicros(cutoff),
    events,
    published: records.length,
    unchanged: events - records.length,
    under_review: waiting.length,
    waiting,
    levels,
    commits: records.length > 0 ? 1 : 0,
  }
}
