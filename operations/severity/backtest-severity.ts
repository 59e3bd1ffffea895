import { type AssessmentFacts, currentAssessment } from '../../pipelines/review/current-assessment.ts'
import { type AssessedEvent, type CrossEvidence, crossEvidence } from '../../pipelines/severity/cross-evidence.ts'
import type { Scenario } from '../../pipelines/severity/forecast.ts'
import { type DueForecast, type ForecastScores, scoreForecasts } from '../../pipelines/severity/score-forecasts.ts'
import type { DecimalString } from '../../primitives/decimal.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { SeverityLevel } from '../../vocabulary/severity.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { checkRange } from '../review/check-range.ts'
import { loadAlerts } from './load-alerts.ts'

export type SeverityBacktestRequest = {
  /** Half-open range of the ends of forecasts' horizons, and of the begins of events; null: all, up to as_of. */
  readonly from: Instant | null
  readonly to: Instant | null
  /** Instant of knowledge for the actual outcomes; null: now. */
  readonly as_of: Instant | null
  readonly warehouse: Warehouse
}

export type SeverityBacktestReport = {
  readonly from: Instant | null
  readonly to: Instant
  readonly as_of: Instant
  readonly forecasts: ForecastScores
  readonly evidence: readonly CrossEvidence[]
}

const BEGIN = '1970-01-01T00:00:00Z'

/**
 * Scores approved forecasts by later observed assessments, and compares observed assessments with the alerts of the source that they were
 * not made from.
 * @throws {ServiceError} VALIDATION_RANGE_INVALID, VALIDATION_AS_OF_IN_FUTURE
 */
export async function backtestSeverity(request: SeverityBacktestRequest): Promise<SeverityBacktestReport> {
  const { from, warehouse } = request
  const as_of = request.as_of === null ? null : toMicros(request.as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of, tables: ['severity_assessment', 'hazard_alert'] })
  try {
    const to = request.to === null ? session.as_of : Math.min(toMicros(request.to, 'to'), session.as_of)
    checkRange(from, to)
    const range = { from: from ?? BEGIN, to: formatMicros(to) }
    const observed = factsByEvent(await session.query(readSql(import.meta.url, 'sql/backtest_observed.sql')))
    const forecasts = await session.query(readSql(import.meta.url, 'sql/backtest_forecasts.sql'), range)
    const alerts = await loadAlerts(session, session.as_of)
    const begin = toMicros(range.from)
    const events = alerts
      .filter(({ alert }) => begin <= alert.started_at && alert.started_at < to)
      .map(({ event_id, alert }) => ({ event_id, alert, ...assessedAt(observed, event_id, session.as_of) }))
    return {
      from,
      to: range.to,
      as_of: formatMicros(session.as_of),
      forecasts: scoreForecasts(forecasts.map((row) => dueForecast(row, observed))),
      evidence: crossEvidence(events),
    }
  } finally {
    await session.close()
  }
}

type Observed = AssessmentFacts & { readonly level: SeverityLevel; readonly score: DecimalString | null }
type ByEvent = ReadonlyMap<string, readonly Observed[]>

function factsByEvent(rows: readonly Row[]): ByEvent {
  const found = new Map<string, Observed[]>()
  for (const row of rows) {
    const { event_id, effective_from, effective_to, published_at, ...kept } = row
    const facts = {
      ...kept,
      effective_from: toMicros(effective_from),
      effective_to: effective_to === null ? null : toMicros(effective_to),
      published_at: toMicros(published_at),
    } as unknown as Observed
    const known = found.get(String(event_id))
    if (known === undefined) found.set(String(event_id), [facts])
    else known.push(facts)
  }
  return found
}

function assessedAt(observed: ByEvent, event_id: string, at: Micros): Pick<AssessedEvent, 'level' | 'score'> {
  const found = currentAssessment(observed.get(event_id) ?? [], at)
  return { level: found?.level ?? null, score: found?.score ?? null }
}

/** The observation at the end of the horizon, as known then; UNKNOWN is not scored. */
function dueForecast(row: Row, observed: ByEvent): DueForecast {
  const event_id = String(row.event_id)
  const published_at = toMicros(row.published_at)
  const end = toMicros(row.forecast_horizon_end)
  const later = currentAssessment(observed.get(event_id) ?? [], end)
  const others = [...observed]
    .filter(([id]) => id !== event_id)
    .map(([, facts]) => currentAssessment(facts, published_at))
  return {
    assessment_id: String(row.assessment_id),
    event_id,
    published_at: String(row.published_at),
    scenarios: row.scenarios as unknown as readonly Scenario[],
    observed: isKnown(later) ? { assessment_id: later.record_id, score: later.score } : null,
    known_scores: others.flatMap((one) => (isKnown(one) ? [one.score] : [])),
  }
}

function isKnown(one: Observed | null): one is Observed & { readonly score: DecimalString } {
  return one !== null && one.level !== 'UNKNOWN' && one.score !== null
}
