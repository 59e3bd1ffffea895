import {
  daysSinceEnd,
  isMember,
  parametersOf,
  relevanceOf,
  type SeverityIndexVersion,
} from '../../pipelines/severity/index-definition.ts'
import { SEVERITY_PARAMETERS } from '../../pipelines/severity/methodology.ts'
import { severityIndex } from '../../pipelines/severity/severity-index.ts'
import { SEVERITY_METHODOLOGY_REFERENCE } from '../../pipelines/severity/severity-record.ts'
import { FIRST_REVISION } from '../../primitives/append-only.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { SeverityLevel } from '../../vocabulary/severity.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Stamp, Warehouse } from '../../warehouse/warehouse.ts'
import { openAppendGuard } from '../import/append-guard.ts'
import { cutoffOf } from '../review/cutoff.ts'
import { SEVERITY_INDEX_TABLES } from './apply-severity-index.ts'
import { loadAlerts, type StoredAlert } from './load-alerts.ts'

/**
 * Publishes the value of a severity index at a cutoff; the same cutoff again changes nothing. What counts are the assessments in
 * force at the cutoff, as known then.
 * @returns the value's row, and whether it was published now
 * @throws {ServiceError} SEVERITY_INDEX_NOT_FOUND, VALIDATION_AS_OF_IN_FUTURE; VALIDATION_RANGE_INVALID: before the first version
 */
export async function computeSeverityIndex(request: {
  readonly severity_index_id: string
  /** null: now. */
  readonly at: Instant | null
  readonly clock: ImportClock
  readonly warehouse: Warehouse
}): Promise<{ value: Row; published: boolean }> {
  const { severity_index_id, clock, warehouse } = request
  const cutoff = await cutoffOf(request.at, warehouse)
  const guard = await openAppendGuard(warehouse, ['severity_index_value'])
  const { defined, known_at } = await findVersion(warehouse, severity_index_id, cutoff)
  const value = await valueAt(warehouse, { ...request, cutoff }, defined)
  if (known_at) return { value, published: false }
  const stamp: Stamp = clock === 'recorded' ? { kind: 'recorded', at: cutoff } : { kind: 'wall' }
  const app_id = `COMPUTE_SEVERITY_INDEX/${value.value_id}`
  const operation = 'COMPUTE_SEVERITY_INDEX'
  const done = await guard.append('severity_index_value', [value], { app_id, app_sequence: 1, stamp, operation })
  return { value, published: !done.already_done }
}

/** The version in effect at a cutoff as it is published now, and whether the cutoff has a value already. */
async function findVersion(warehouse: Warehouse, severity_index_id: string, cutoff: Micros) {
  const session = await openReadSession(warehouse, { as_of: null, tables: SEVERITY_INDEX_TABLES })
  try {
    const defined = await versionAt(session, severity_index_id, cutoff)
    const params = { severity_index_id, cutoff: formatMicros(cutoff) }
    const values = await session.query(readSql(import.meta.url, 'sql/severity_index_value_at.sql'), params)
    return { defined, known_at: values.length > 0 }
  } finally {
    await session.close()
  }
}

type Defined = Awaited<ReturnType<typeof versionAt>>
type ValueRequest = { readonly severity_index_id: string; readonly at: Instant | null; readonly cutoff: Micros }

async function valueAt(warehouse: Warehouse, request: ValueRequest, { row, version }: Defined) {
  const { severity_index_id, at, cutoff } = request
  const tables = ['hazard_alert', 'severity_assessment'] as const
  const session = await openReadSession(warehouse, { as_of: at === null ? null : cutoff, tables, pin: false })
  try {
    const alerts = await loadAlerts(session, cutoff)
    const found = await session.query(readSql(import.meta.url, 'sql/severity_in_force.sql'), {
      assessment_type: version.assessment_type,
    })
    const assessments = new Map(found.map((one) => [String(one.event_id), one]))
    const inputs = inputsOf(alerts, version, assessments, cutoff)
    return {
      value_id: deriveId('svl', severity_index_id, formatMicros(cutoff), 1),
      ...FIRST_REVISION,
      severity_index_id,
      severity_index_version_id: String(row.severity_index_version_id),
      ...severityIndex(inputs, SEVERITY_PARAMETERS, parametersOf(version)),
      unit: 'severity_points',
      ...SEVERITY_METHODOLOGY_REFERENCE,
      input_assessment_ids: inputs.flatMap(({ assessment_id }) => (assessment_id === null ? [] : [assessment_id])),
      calculated_at: formatMicros(await warehouse.now()),
      source_cutoff_at: formatMicros(cutoff),
      inputs,
    }
  } finally {
    await session.close()
  }
}

/** Every event that the rule lets in and that has not faded away, by id. */
function inputsOf(
  alerts: readonly StoredAlert[],
  version: SeverityIndexVersion,
  assessments: ReadonlyMap<string, Row>,
  cutoff: Micros,
) {
  const { decay_days } = parametersOf(version)
  return alerts
    .filter(({ event_id, alert }) => isMember(version, event_id, alert) && alert.started_at <= cutoff)
    .map(({ event_id, alert }) => {
      const known = assessments.get(event_id)
      return {
        event_id,
        assessment_id: known === undefined ? null : String(known.assessment_id),
        relevance: relevanceOf(version, event_id),
        days_since_end: daysSinceEnd(alert, cutoff),
        level: (known?.level ?? null) as SeverityLevel | null,
        score: (known?.score ?? null) as string | null,
      }
    })
    .filter(({ days_since_end }) => days_since_end === null || decay_days.gt(days_since_end))
}

/** @throws {ServiceError} SEVERITY_INDEX_NOT_FOUND, VALIDATION_RANGE_INVALID */
async function versionAt(session: ReadSession, severity_index_id: string, cutoff: Micros) {
  const rows = await session.query(readSql(import.meta.url, 'sql/severity_index_versions.sql'), { severity_index_id })
  if (rows.length === 0) throw unknownIndex(severity_index_id)
  const row = rows.filter(({ effective_from }) => toMicros(effective_from) <= cutoff).at(-1)
  if (row !== undefined) return { row, version: JSON.parse(String(row.definition)) as SeverityIndexVersion }
  throw new ServiceError(
    'VALIDATION_RANGE_INVALID',
    `at is ${formatMicros(cutoff)}; allowed: at or after ${rows[0]!.effective_from}, when the first version takes effect`,
    { severity_index_id },
  )
}

/** The refusal of an index that nobody defined. */
export function unknownIndex(severity_index_id: string): ServiceError {
  return new ServiceError('SEVERITY_INDEX_NOT_FOUND', `severity index ${severity_index_id} does not exist`, {
    severity_index_id,
  })
}
