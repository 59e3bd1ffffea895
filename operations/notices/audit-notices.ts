import { NOTICE_FORMS } from '../../pipelines/notices/change-name.ts'
import { decideComplaint } from '../../pipelines/notices/complaint.ts'
import { deriveNotices } from '../../pipelines/notices/derive-notices.ts'
import type { Notice } from '../../pipelines/notices/notice.ts'
import { parseNoticeAct } from '../../pipelines/notices/notice-act.ts'
import { sameValue } from '../../pipelines/review/same-value.ts'
import type { Value } from '../../pipelines/review/subject.ts'
import { isServiceError, notAllowed } from '../../primitives/errors.ts'
import { toMicros } from '../../primitives/instants.ts'
import { type AuditViolation, violation } from '../../warehouse/audit/violation.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type Governance, governedRoster, readGovernance } from '../governance/read-governance.ts'
import { isSignedBy } from '../review/signing.ts'
import { complaintRow } from './act-on-complaint.ts'
import { checkNamedProposal } from './named-proposal.ts'
import { derivedRow } from './publish-notices.ts'
import { decideNotice, writtenRow } from './publish-written-notice.ts'
import { type ComplaintRow, readComplaintActs, readInvolved } from './read-complaints.ts'
import { type NoticeRow, readNoticeFacts } from './read-facts.ts'
import { readNotices } from './read-notices.ts'

type Audited = { readonly checked: number; readonly violations: readonly AuditViolation[] }

/**
 * Derives every notice of the service again from published records, and decides every signed notice again: by the roster of its
 * instant, with its signature.
 */
export async function auditNotices(warehouse: Warehouse): Promise<Audited> {
  const notices = await readNotices(warehouse)
  const found = await readNoticeFacts(warehouse, null)
  if (found === null) return { checked: 0, violations: [] }
  const now = await warehouse.now()
  const derived = NOTICE_FORMS.map((form) => deriveNotices(found.facts, now, form))
  return { checked: notices.length, violations: noticeFaults(notices, derived, await readGovernance(warehouse)) }
}

/** Decides every act on a complaint again, from the acts before it. */
export async function auditComplaints(warehouse: Warehouse): Promise<Audited> {
  const rows = await readComplaintActs(warehouse)
  const governance = await readGovernance(warehouse)
  return { checked: rows.length, violations: await complaintFaults(warehouse, rows, governance) }
}

/** @param derived notices that follow from the records, in each form of titles: a row has one of them */
function noticeFaults(
  notices: readonly NoticeRow[],
  derived: readonly (readonly Notice[])[],
  governance: Governance,
): AuditViolation[] {
  const forms = derived.map((of_form) => new Map(of_form.map((notice) => [notice.notice_id, notice])))
  return notices.flatMap((row, at) => {
    const faults =
      row.signed_text === null
        ? forms.map((by_id) => faultOf(() => derivedAgain(row, by_id), row))
        : [faultOf(() => writtenAgain(row, notices.slice(0, at), governance), row)]
    return faults.includes(null) ? [] : [atRow('governance_notice', row.notice_id, faults[0]!)]
  })
}

function derivedAgain({ notice_id }: NoticeRow, by_id: ReadonlyMap<string, Notice>): Row {
  const again = by_id.get(notice_id)
  if (again !== undefined) return derivedRow(again)
  throw notAllowed('REVIEW_STATE_CONFLICT', 'notice', 'of no published record', 'notices that follow from records')
}

function writtenAgain(row: NoticeRow, before: readonly NoticeRow[], governance: Governance): Row {
  const recorded_at = toMicros(row.published_at)
  const act = parseNoticeAct(String(row.signed_text))
  const signed = signedOf(row)
  const by = { public_key: signed.public_key, roster: rosterAt(governance, recorded_at), recorded_at }
  return writtenRow(decideNotice(act, by, before), act, signed)
}

async function complaintFaults(
  warehouse: Warehouse,
  rows: readonly ComplaintRow[],
  governance: Governance,
): Promise<AuditViolation[]> {
  const newest = new Map<string, ComplaintRow>()
  const violations: AuditViolation[] = []
  for (const row of rows) {
    const before = newest.get(row.complaint_id) ?? null
    const recorded_at = toMicros(row.recorded_at)
    const involved = await readInvolved(warehouse, before?.subject_id ?? null, recorded_at)
    const named = await namedFault(warehouse, row, governance)
    const decided = faultOf(() => {
      const [act, signed] = [parseNoticeAct(row.signed_text), signedOf(row)]
      const request = { act, public_key: row.public_key, recorded_at }
      const context = { roster: rosterAt(governance, recorded_at), involved }
      return complaintRow(decideComplaint(before, request, context), act, signed, recorded_at)
    }, row)
    const fault = decided ?? named
    if (fault !== null) violations.push(atRow('governance_complaint', row.complaint_id, fault))
    newest.set(row.complaint_id, row)
  }
  return violations
}

/** Returns why an outcome may not name its proposal; null: it may, or names none. */
async function namedFault(warehouse: Warehouse, row: ComplaintRow, governance: Governance): Promise<string | null> {
  try {
    await checkNamedProposal(warehouse, row, { governance, by: toMicros(row.recorded_at) })
    return null
  } catch (error) {
    if (isServiceError(error)) return error.message
    throw error
  }
}

/** Returns what was signed. @throws {ServiceError} REVIEW_NOT_ALLOWED: the signature is of another text or key */
function signedOf(row: Pick<NoticeRow, 'signed_text' | 'public_key' | 'signature'>) {
  const signed_text = String(row.signed_text)
  const [public_key, signature] = [String(row.public_key), String(row.signature)]
  if (isSignedBy(signed_text, signature, public_key)) return { signed_text, public_key, signature }
  throw notAllowed('REVIEW_NOT_ALLOWED', 'signature', 'of another text or key', 'that of the signed text')
}

function rosterAt(governance: Governance, at: number) {
  return governedRoster(governance, at) ?? { members: [], expires_at: null }
}

/** Returns why a row is not what follows; null: it is. */
function faultOf(again: () => Row, row: object): string | null {
  try {
    const wanted = again()
    const field = Object.keys(wanted).find((name) => !sameValue((row as Row)[name] as Value, wanted[name] as Value))
    return field === undefined ? null : `${field} is not what follows from the records`
  } catch (error) {
    if (isServiceError(error)) return error.message
    throw error
  }
}

function atRow(table: 'governance_notice' | 'governance_complaint', id: string, detail: string): AuditViolation {
  return violation({ table, rule: 'notice_derived_again', file: null, id, detail })
}
