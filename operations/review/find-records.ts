import type { ReviewRow, ReviewSubject } from '../../pipelines/review/subject.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { inForceSql } from '../../warehouse/read/in-force-sql.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { quoteName, readSql } from '../../warehouse/sql/read-sql.ts'

/**
 * The newest revision of the assessment that a record is of.
 * @throws {ServiceError} RATING_NOT_FOUND, ASSESSMENT_NOT_FOUND
 */
export async function findHead(session: ReadSession, subject: ReviewSubject, record_id: string): Promise<ReviewRow> {
  const places = { rows: `${subject.table}_history`, id: subject.id_field }
  const [row] = await session.query(readSql(import.meta.url, 'sql/assessment_head.sql', places), { id: record_id })
  if (row !== undefined) return row as ReviewRow
  throw new ServiceError(subject.not_found, `there is no ${subject.id_field} ${record_id}`, { record_id })
}

/** Finds the model's own record of a record's subject at an instant; null if there is none. */
export async function findModelAt(
  session: ReadSession,
  subject: ReviewSubject,
  row: ReviewRow,
  at: Micros,
): Promise<ReviewRow | null> {
  const columns = subject.series_fields.map(quoteName).join(', ')
  const query = readSql(import.meta.url, 'sql/assessment_model_at.sql', {
    rows: `${subject.table}_history`,
    series: `concat_ws(' ', ${columns})`,
    in_force: inForceSql({ columns: '*', heads: 'of_model', subject: columns, at: '$at::timestamptz' }),
  })
  const [found] = await session.query(query, { series: seriesOf(subject, row), at: formatMicros(at) })
  return (found as ReviewRow | undefined) ?? null
}

/** Approved overrides that have ended at an instant. */
export async function findEndedOverrides(
  session: ReadSession,
  subject: ReviewSubject,
  now: Micros,
): Promise<readonly ReviewRow[]> {
  const places = { rows: `${subject.table}_history`, id: subject.id_field }
  return (await session.query(readSql(import.meta.url, 'sql/overrides_ended.sql', places), {
    now: formatMicros(now),
  })) as ReviewRow[]
}

function seriesOf({ series_fields }: ReviewSubject, row: ReviewRow): string {
  return series_fields.map((field) => String(row[field])).join(' ')
}
