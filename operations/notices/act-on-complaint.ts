import { type Complaint, decideComplaint, type FiledComplaint } from '../../pipelines/notices/complaint.ts'
import { type NoticeAct, parseNoticeAct } from '../../pipelines/notices/notice-act.ts'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { deriveId, sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { ComplaintOutcome } from '../../vocabulary/notices.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { advanceGovernance } from '../governance/advance-governance.ts'
import { readGovernance } from '../governance/read-governance.ts'
import { openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { checkSignature } from '../review/perform-signed-act.ts'
import { attemptOfText, onRecord } from '../review/record-refusal.ts'
import type { Signer } from '../review/signing.ts'
import type { ComplaintBox } from './complaint-box.ts'
import { checkNamedProposal } from './named-proposal.ts'
import { publishNotices } from './publish-notices.ts'
import { officeRoster, signNoticeAct } from './publish-written-notice.ts'
import { newestComplaints, readComplaintActs, readInvolved } from './read-complaints.ts'

/** Warehouse and box of a home. */
export type ComplaintPorts = { readonly warehouse: Warehouse; readonly box: ComplaintBox }

/** Act on a complaint before it is signed. */
export type ComplaintWish =
  /** `text` null: as filed. */
  | { readonly act: 'publish_complaint'; readonly text: string | null }
  | { readonly act: 'decline_complaint'; readonly reason: string }
  | { readonly act: 'assign_complaint'; readonly handler: string }
  /** `proposal_id` absent: the outcome leads to no proposal. */
  | {
      readonly act: 'resolve_complaint'
      readonly outcome: ComplaintOutcome
      readonly reason: string
      readonly proposal_id?: string
    }

/** Performs what is due, as every act does first; then signs and performs an act on a complaint. @throws {ServiceError} as performComplaintAct */
export async function actOnComplaint(
  ports: ComplaintPorts,
  signer: Signer,
  complaint_id: string,
  wish: ComplaintWish,
): Promise<Complaint> {
  await advanceGovernance(ports.warehouse)
  const details = await detailsOf(ports, complaint_id, wish)
  const signed = await signNoticeAct(ports.warehouse, signer, { act: wish.act, subject_id: complaint_id, details })
  return performComplaintAct(ports, signed)
}

async function detailsOf({ box }: ComplaintPorts, complaint_id: string, { act, ...wish }: ComplaintWish) {
  if (act !== 'publish_complaint' && act !== 'decline_complaint') return wish as NoticeAct['details']
  const filed = await box.read(complaint_id)
  const moderated = filedFacts(filed)
  if ('reason' in wish) return { ...moderated, reason: wish.reason }
  const text = 'text' in wish ? (wish.text ?? filed.text) : filed.text
  return { ...moderated, text, is_redacted: text !== filed.text }
}

/** Facts of a filed complaint that become public, whatever a moderator decides. */
function filedFacts({ filed_at, subject_kind, subject_id, text }: FiledComplaint) {
  return { filed_at, subject_kind, subject_id, text_sha256: sha256Hex(text) }
}

/** Acts of others on the same complaint, recorded at the same time, before an act is given up. */
const ATTEMPTS_MAX = 20

/**
 * Performs a signed act on a complaint, and publishes the notice of an outcome. A repeated act has no further effect. A refusal is
 * recorded, signed, with the reason.
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT, VALIDATION_DEFINITION_INVALID, GOVERNANCE_NOT_FOUND
 */
async function performComplaintAct(ports: ComplaintPorts, signed: SignedAct): Promise<Complaint> {
  const { warehouse, box } = ports
  const roster = await officeRoster(warehouse)
  const recorded = onRecord(warehouse, () => attemptOfText('governance', signed, roster, parseNoticeAct))
  const complaint = await recorded(async () => {
    const act = parseNoticeAct(signed.signed_text)
    checkSignature(signed)
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const done = await tryAct(ports, act, signed)
      if (done !== null) return done
    }
    throw new ServiceError('REVIEW_STATE_CONFLICT', `${act.subject_id} was changed by others; ${act.act} was not done`)
  })
  await box.close(complaint.complaint_id)
  if (complaint.state === 'resolved') await publishNotices(warehouse)
  return complaint
}

/** @returns null: another act on the same complaint came first */
async function tryAct(
  { warehouse, box }: ComplaintPorts,
  act: NoticeAct,
  signed: SignedAct,
): Promise<Complaint | null> {
  const guard = await openAppendGuard(warehouse, ['governance_complaint'])
  const rows = await readComplaintActs(warehouse)
  const repeated = rows.find(({ signed_text }) => signed_text === signed.signed_text)
  if (repeated !== undefined) return repeated
  const before = newestComplaints(rows).get(act.subject_id) ?? null
  if (before === null) await requireFiled(box, act)
  const recorded_at = await warehouse.now()
  const involved = await readInvolved(warehouse, before?.subject_id ?? null, recorded_at)
  const request = { act, public_key: signed.public_key, recorded_at }
  const complaint = decideComplaint(before, request, { roster: await officeRoster(warehouse), involved })
  await checkNamedProposal(warehouse, complaint, { governance: await readGovernance(warehouse), by: recorded_at })
  try {
    await guard.append('governance_complaint', [complaintRow(complaint, act, signed, recorded_at)], {
      app_id: deriveId('app', signed.signed_text),
      app_sequence: 1,
      stamp: { kind: 'wall' },
      operation: 'COMPLAINT',
    })
    return complaint
  } catch (error) {
    if (error instanceof PlanOvertaken) return null
    throw error
  }
}

/** Refuses a first act that does not state what was filed. @throws {ServiceError} GOVERNANCE_NOT_FOUND, REVIEW_NOT_ALLOWED */
async function requireFiled(box: ComplaintBox, { act, subject_id, details }: NoticeAct): Promise<void> {
  const facts = filedFacts(await box.read(subject_id))
  if (act !== 'publish_complaint' && act !== 'decline_complaint') return
  for (const [field, value] of Object.entries(facts)) {
    if (details[field] === value) continue
    throw notAllowed('REVIEW_NOT_ALLOWED', field, String(details[field]), `${value}, as filed`)
  }
}

/** Returns the row of a complaint after an act. */
export function complaintRow(
  complaint: Complaint,
  { act, actor_id, acted_at }: NoticeAct,
  signed: SignedAct,
  recorded_at: Micros,
): Row {
  const { complaint_id, revision, state, subject_kind, subject_id, text, text_sha256 } = complaint
  const { is_redacted, filed_at, handler, outcome, reason, proposal_id } = complaint
  return {
    ...{ complaint_id, revision, state, subject_kind, subject_id, text, text_sha256, is_redacted, filed_at },
    ...{ handler, outcome, reason, proposal_id, act, actor_id, ...signed },
    acted_at: formatMicros(acted_at),
    recorded_at: formatMicros(recorded_at),
  }
}
