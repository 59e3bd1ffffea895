import { type ReviewRow, recordIdOf, type Value } from '../../pipelines/review/subject.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { type AuditViolation, violation } from '../../warehouse/audit/violation.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { checkAct } from './check-act.ts'
import { withSession } from './review-session.ts'
import { REVIEW_SUBJECTS } from './review-subjects.ts'

/**
 * Checks every act of review: its text, its signature, and that the records naming it are those that follow from it; also that every act
 * named by a record exists.
 */
export async function auditActs(
  warehouse: Warehouse,
): Promise<{ readonly checked: number; readonly violations: readonly AuditViolation[] }> {
  let checked = 0
  const violations: AuditViolation[] = []
  for (const subject of Object.values(REVIEW_SUBJECTS)) {
    const found = await withSession(warehouse, subject, async (session) => ({
      acts: await session.query(readSql(import.meta.url, 'sql/acts_about.sql'), { subject: subject.table }),
      records: (await session.query(
        readSql(import.meta.url, 'sql/records_of_acts.sql', { rows: `${subject.table}_history` }),
      )) as ReviewRow[],
    })).catch(unlessDamaged)
    if (found === null) continue
    const by_act = byAct(found.records)
    for (const act of found.acts) {
      const of_act = by_act.get(act.act_id) ?? []
      const fault = checkAct(subject, act, new Map(of_act.map((row) => [recordIdOf(subject, row), row])))
      if (fault !== null)
        violations.push(violation({ table: 'assessment_act', file: null, id: `${act.act_id}`, ...fault }))
      by_act.delete(act.act_id)
      checked += 1
    }
    for (const row of [...by_act.values()].flat()) {
      const detail = `there is no act ${row.act_id}`
      const id = recordIdOf(subject, row)
      violations.push(violation({ table: subject.table, rule: 'act_of_record', file: null, id, detail }))
    }
  }
  return { checked, violations }
}

function byAct(records: readonly ReviewRow[]): Map<Value, ReviewRow[]> {
  const found = new Map<Value, ReviewRow[]>()
  for (const row of records) {
    const known = found.get(row.act_id)
    if (known === undefined) found.set(row.act_id, [row])
    else known.push(row)
  }
  return found
}

/** Damaged files of the records are reported with their own table. */
function unlessDamaged(error: unknown): null {
  if (isServiceError(error, 'WAREHOUSE_CORRUPT')) return null
  throw error
}
