import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { type AuditViolation, violation } from '../../warehouse/audit/violation.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { listRefusals } from './list-refusals.ts'
import { REVIEW_SUBJECTS } from './review-subjects.ts'
import { isSignedBy } from './signing.ts'

/** Checks that each refused request was signed by the member it names. */
export async function auditRefusals(
  warehouse: Warehouse,
): Promise<{ readonly checked: number; readonly violations: readonly AuditViolation[] }> {
  const rows: Row[] = []
  for (const table of [
    ...Object.values<ReviewSubject>(REVIEW_SUBJECTS).map(({ table }) => table),
    'governance' as const,
  ])
    rows.push(...(await listRefusals({ table }, { as_of: null, warehouse })))
  const forged = rows.filter((row) => row.actor_id !== null && !isTheirs(row))
  const violations = forged.map(({ refusal_id, actor_id }) => {
    const detail = `the signature is not of this text by the key of ${actor_id}`
    return violation({ table: 'refused_act', rule: 'refusal_signature', file: null, id: String(refusal_id), detail })
  })
  return { checked: rows.length, violations }
}

function isTheirs({ signed_text, signature, public_key }: Row): boolean {
  return isSignedBy(String(signed_text), String(signature), String(public_key))
}
