import { notAllowed } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { Governance } from '../governance/read-governance.ts'

const TABLES: readonly TableName[] = [
  'governance_notice',
  'governance_proposal',
  'index_version',
  'market',
  'market_rating',
  'severity_assessment',
]

/** Subject of a complaint, and the proposal that its outcome names. */
type Named = { readonly subject_id: string | null; readonly proposal_id?: string | null }

/**
 * Refuses an outcome that names a proposal which nobody made, or one about something else than the complaint: a proposal is about
 * the same index, or about a methodology or an eligibility policy that it uses. A complaint without a subject may name any.
 * @param by instant of the record: what was published later decides nothing
 * @throws {ServiceError} GOVERNANCE_NOT_FOUND, VALIDATION_DEFINITION_INVALID
 */
export async function checkNamedProposal(
  warehouse: Warehouse,
  { subject_id, proposal_id = null }: Named,
  { governance, by }: { readonly governance: Governance; readonly by: Micros },
): Promise<void> {
  if (proposal_id === null) return
  const proposal = governance.state.proposals.get(proposal_id)
  if (proposal === undefined)
    throw notAllowed('GOVERNANCE_NOT_FOUND', 'proposal_id', proposal_id, 'a proposal of tidemark governance status')
  if (subject_id === null || subject_id === proposal_id) return
  const targets = await targetsOf(warehouse, subject_id, by)
  const target = proposal.target.split(':')[0]!
  if (targets.includes(target)) return
  const allowed = targets.length === 0 ? `none: no proposal is about ${subject_id}` : `one about ${targets.join(', ')}`
  throw notAllowed('VALIDATION_DEFINITION_INVALID', 'proposal_id', `${proposal_id}, about ${target}`, allowed)
}

/** Returns what a proposal may be about that a complaint about a record leads to, in order. */
async function targetsOf(warehouse: Warehouse, subject_id: string, by: Micros): Promise<readonly string[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: TABLES })
  try {
    const sql = readSql(import.meta.url, 'sql/complaint_targets.sql')
    const rows = await session.query(sql, { subject_id, published_by: formatMicros(by) })
    return rows.map(({ target }) => String(target))
  } finally {
    await session.close()
  }
}
