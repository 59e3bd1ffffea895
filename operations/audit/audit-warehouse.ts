import { checkDigests, checkIntervals } from '../../warehouse/audit/check-digests.ts'
import { ROW_CHECKS } from '../../warehouse/audit/check-rows.ts'
import { recordDigests } from '../../warehouse/audit/record-digests.ts'
import { type AuditCheck, type AuditViolation, violation } from '../../warehouse/audit/violation.ts'
import { snapshotSource } from '../../warehouse/read/snapshot-source.ts'
import { openSourcesSession } from '../../warehouse/read/sources-session.ts'
import { TABLE_NAMES, type TableName } from '../../warehouse/tables.ts'
import type { Snapshot, Warehouse } from '../../warehouse/warehouse.ts'
import { auditGovernance } from '../governance/audit-governance.ts'
import { auditRestatements } from '../governance/audit-restatements.ts'
import { auditLevels, auditVersions } from '../governance/audit-versions.ts'
import { auditComplaints, auditNotices } from '../notices/audit-notices.ts'
import { auditClaims } from '../notices/check-claims.ts'
import { auditActs } from '../review/audit-acts.ts'
import { auditRefusals } from '../review/audit-refusals.ts'
import { auditFrozen } from '../selection/frozen-compositions.ts'

export type AuditReport = {
  readonly ok: boolean
  readonly checks: readonly AuditCheck[]
  /** In the order of tables and checks; the first one is the one to look at first. */
  readonly violations: readonly AuditViolation[]
}

export type AuditOptions = {
  readonly warehouse: Warehouse
  /** Ends the audit after the table under way. */
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined
}

/**
 * Proves that nothing published was changed: every log's hash chain and every file's hash, then the rules that hold between
 * rows, the signatures of acts and what follows from them, then what was answered as of sealed instants. Where files are damaged the rows of that table are not looked at.
 * The answers as of a few instants are recorded for the next audit. Nothing else is written.
 */
export async function auditWarehouse(options: AuditOptions): Promise<AuditReport> {
  const { warehouse, signal, on_progress } = options
  const checks: AuditCheck[] = []
  const violations: AuditViolation[] = []
  const take: Take = (table, check, { checked, violations: found }) => {
    checks.push({ table, check, checked, violations: found.length })
    violations.push(...found)
  }
  for (const [done, table] of TABLE_NAMES.entries()) {
    if (signal?.aborted) break
    on_progress?.({ done, total: TABLE_NAMES.length })
    await auditTable(warehouse, table, take)
  }
  on_progress?.({ done: TABLE_NAMES.length, total: TABLE_NAMES.length })
  return { ok: violations.length === 0, checks, violations }
}

type Found = { readonly checked: number; readonly violations: readonly AuditViolation[] }
type Take = (table: TableName, check: string, found: Found) => void

async function auditTable(warehouse: Warehouse, table: TableName, take: Take): Promise<void> {
  const verified = await warehouse.log(table).verify()
  const damages = verified.violations.map(({ file, rule, detail }) =>
    violation({ table, rule, file, id: null, detail }),
  )
  take(table, 'log and files', { checked: verified.commits + verified.files, violations: damages })
  if (damages.length > 0) return
  const snapshot = await warehouse.log(table).snapshot()
  if (snapshot.rows === 0) return
  await auditRows(warehouse, snapshot, take)
  if (table === 'assessment_act') take(table, 'signed acts', await auditActs(warehouse))
  if (table === 'governance_act') take(table, 'signed acts', await auditGovernance(warehouse))
  if (table === 'governance_notice') take(table, 'notices derived again', await auditNotices(warehouse))
  if (table === 'governance_complaint') take(table, 'signed acts', await auditComplaints(warehouse))
  if (table === 'index_version') takeFound(table, 'approved versions', await auditVersions(warehouse), take)
  if (table === 'index_version') takeFound(table, 'announced compositions', await auditFrozen(warehouse), take)
  if (table === 'index_version') takeFound(table, 'drafts of notices', await auditClaims(warehouse), take)
  if (table === 'index_observation') takeFound(table, 'approved versions', await auditLevels(warehouse), take)
  if (table === 'index_observation') takeFound(table, 'late revisions', await auditRestatements(warehouse), take)
  if (table === 'refused_act') take(table, 'signed refusals', await auditRefusals(warehouse))
  take(table, 'sealed as_of digests', await checkDigests(warehouse, snapshot))
  take(table, 'interval file', await checkIntervals(warehouse, snapshot))
  await recordDigests(warehouse, table)
}

/** Takes a check that concerns some indexes only; without any there is nothing to say. */
function takeFound(table: TableName, check: string, found: Found, take: Take): void {
  if (found.checked > 0 || found.violations.length > 0) take(table, check, found)
}

async function auditRows(warehouse: Warehouse, snapshot: Snapshot, take: Take): Promise<void> {
  const { table, rows, head_stamp } = snapshot
  const source = await snapshotSource(warehouse, snapshot, head_stamp!)
  const session = await openSourcesSession([source], head_stamp!)
  try {
    for (const { check, applies, find } of ROW_CHECKS) {
      if (applies(table)) take(table, check, { checked: rows, violations: await find(session, table) })
    }
  } finally {
    await session.close()
  }
}
