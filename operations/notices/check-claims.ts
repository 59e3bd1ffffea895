import { claimedNotices, claimFault } from '../../pipelines/notices/claimed-draft.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { type AuditViolation, violation } from '../../warehouse/audit/violation.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/**
 * Refuses a new version that says a notice drafted it, and is not that draft: members would vote for what nobody derived.
 * @param definition of the version with its constituents; of anything else, undefined
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export async function refuseFalseClaim(warehouse: Warehouse, definition: unknown): Promise<void> {
  if (claimedNotices(definition).length === 0) return
  const fault = claimFault(definition, await noticesIn(warehouse))
  if (fault === null) return
  const allowed =
    'the draft as its notice has it (tidemark governance drift INDEX --notice ID), or a summary without it'
  throw notAllowed('VALIDATION_DEFINITION_INVALID', 'change_summary', `of another draft: ${fault}`, allowed)
}

async function noticesIn(
  warehouse: Warehouse,
): Promise<readonly { readonly notice_id: string; readonly draft: string }[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['governance_notice'] })
  try {
    return (await session.query(readSql(import.meta.url, 'sql/notices.sql'))) as never
  } finally {
    await session.close()
  }
}

/** Checks that each version which names a notice as its author is the draft of that notice. */
export async function auditClaims(
  warehouse: Warehouse,
): Promise<{ readonly checked: number; readonly violations: readonly AuditViolation[] }> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_version'] })
  const rows = await session.query(readSql(import.meta.url, 'sql/drafted_versions.sql')).finally(() => session.close())
  if (rows.length === 0) return { checked: 0, violations: [] }
  const notices = await noticesIn(warehouse)
  const violations = rows.flatMap(({ index_version_id, definition }) => {
    const detail = claimFault(JSON.parse(String(definition)), notices)
    const id = String(index_version_id)
    return detail === null
      ? []
      : [violation({ table: 'index_version', rule: 'draft_of_notice', file: null, id, detail })]
  })
  return { checked: rows.length, violations }
}
