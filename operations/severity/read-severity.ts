import { unknownSeverity } from '../../pipelines/severity/unknown-severity.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { AssessmentType } from '../../vocabulary/severity.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SEVERITY_INDEX_TABLES } from './apply-severity-index.ts'
import { unknownIndex } from './compute-severity-index.ts'

type Request = { readonly as_of: Instant | null; readonly warehouse: Warehouse }

/** The assessments of one type in force, as known at as_of (null: now); the worst first, UNKNOWN last. */
export function listSeverity(request: Request & { readonly assessment_type: AssessmentType }): Promise<readonly Row[]> {
  const { assessment_type } = request
  return reading(request, ['severity_assessment', 'hazard_alert'], (session) =>
    session.query(readSql(import.meta.url, 'sql/severity_list.sql'), { assessment_type }),
  )
}

/** An event's assessments of one type. */
export type ShownSeverity = {
  readonly assessment: Row
  readonly history: readonly Row[]
  readonly acts: readonly Row[]
}

/**
 * The assessment in force of an event, with all records of the type and the acts of their review, as known at as_of. Without one:
 * UNKNOWN with PENDING_REVIEW where one waits for a person, else with NO_APPROVED_ASSESSMENT.
 * @throws {ServiceError} EVENT_NOT_FOUND
 */
export function showSeverity(
  request: Request & { readonly event_id: string; readonly assessment_type: AssessmentType },
): Promise<ShownSeverity> {
  const { event_id, assessment_type } = request
  const of_event = { event_id, assessment_type }
  return reading(request, ['severity_assessment', 'hazard_alert', 'event', 'assessment_act'], async (session) => {
    const [found] = await session.query(readSql(import.meta.url, 'sql/severity_of_event_in_force.sql'), of_event)
    const history = await session.query(readSql(import.meta.url, 'sql/severity_of_event.sql'), of_event)
    const acts = await session.query(readSql(import.meta.url, '../sql/acts_of_subject.sql'), {
      subject: 'severity_assessment',
      subject_id: event_id,
    })
    if (history.length === 0) await refuseUnknown(session, event_id)
    const reason = waits(history, session.as_of) ? 'PENDING_REVIEW' : 'NO_APPROVED_ASSESSMENT'
    return { assessment: found ?? unknownSeverity(event_id, assessment_type, reason), history, acts }
  })
}

/** Every severity index with its newest value, as known at as_of. */
export function listSeverityIndexes(request: Request): Promise<readonly Row[]> {
  return reading(request, SEVERITY_INDEX_TABLES, (session) =>
    session.query(readSql(import.meta.url, 'sql/severity_indexes.sql')),
  )
}

/**
 * One severity index, its versions and values, the newest first, as known at as_of.
 * @throws {ServiceError} SEVERITY_INDEX_NOT_FOUND
 */
export function showSeverityIndex(request: Request & { readonly severity_index_id: string }) {
  const { severity_index_id } = request
  return reading(request, SEVERITY_INDEX_TABLES, async (session) => {
    const indexes = await session.query(readSql(import.meta.url, 'sql/severity_indexes.sql'))
    const index = indexes.find((row) => row.severity_index_id === severity_index_id)
    if (index === undefined) throw unknownIndex(severity_index_id)
    const params = { severity_index_id }
    const versions = await session.query(readSql(import.meta.url, 'sql/severity_index_versions.sql'), params)
    const values = await session.query(readSql(import.meta.url, 'sql/severity_index_values.sql'), params)
    return { index, versions, values }
  })
}

/** True where the newest revision of some assessment waits for a person. */
function waits(history: readonly Row[], as_of: Micros): boolean {
  const heads = new Map<string, Row>()
  for (const row of history) {
    const known = heads.get(String(row.chain_id))
    if (known === undefined || (known.revision as number) < (row.revision as number))
      heads.set(String(row.chain_id), row)
  }
  return [...heads.values()].some((row) => row.review_state === 'under_review' && toMicros(row.effective_from) <= as_of)
}

async function refuseUnknown(session: ReadSession, event_id: string): Promise<void> {
  const known = await session.query(readSql(import.meta.url, 'sql/event_is_known.sql'), { event_id })
  if (known.length > 0) return
  throw new ServiceError('EVENT_NOT_FOUND', `event ${event_id} does not exist`, { event_id })
}

async function reading<T>(
  { as_of, warehouse }: Request,
  tables: readonly TableName[],
  work: (session: ReadSession) => Promise<T>,
): Promise<T> {
  const at = as_of === null ? null : toMicros(as_of, 'as_of')
  const session = await openReadSession(warehouse, { as_of: at, tables })
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}
