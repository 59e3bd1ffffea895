import type { Row } from '../../warehouse/schema.ts'
import { governanceActOf, governancePolicyOf, governanceRosterOf, proposalOf } from '../resources/governance.ts'
import { complaintOf, noticeOf, restatementOf } from '../resources/notices.ts'
import { IN_FULL, type RecordForm, textOfFields } from './record-form.ts'

const VERSIONED = [
  'version',
  'record_hash',
  'previous_hash',
  'proposal_id',
  'effective_from',
  'expires_at',
  'published_at',
  'signed_content',
]
const ROSTER_FIELDS = [...VERSIONED, 'threshold', 'members']
const POLICY_FIELDS = [...VERSIONED, 'classes', 'proposal_lifetime', 'late_window', 'late_extension', 'emergency_lapse']
const PROPOSAL_FIELDS = [
  'proposal_id',
  'revision',
  'kind',
  'target',
  'base_hash',
  'content',
  'rationale',
  'impact_digest',
  'emergency',
  'change_class',
  'state',
  'reason',
  'proposed_by',
  'proposed_at',
  'comment_ends_at',
  'vote_ends_at',
  'effective_at',
  'expires_at',
  'lapses_at',
  'votes',
  'ratifications',
  'recused',
  'act_id',
  'published_at',
]
const ACT_FIELDS = [
  'act_id',
  'outcome',
  'act',
  'subject_id',
  'actor_id',
  'roles',
  'public_key',
  'signed_text',
  'signature',
  'acted_at',
  'recorded_at',
  'code',
  'message',
  'published_at',
]

export const ROSTER: RecordForm = {
  kind: 'roster',
  form: 'roster/1',
  id: (row) => `roster_${row.version}`,
  text: textOfFields(ROSTER_FIELDS, governanceRosterOf),
  ...IN_FULL,
}
export const POLICY: RecordForm = {
  kind: 'policy',
  form: 'policy/1',
  id: (row) => `policy_${row.version}`,
  text: textOfFields(POLICY_FIELDS, governancePolicyOf),
  ...IN_FULL,
}
/** Each state of a proposal is a record. */
export const PROPOSAL: RecordForm = {
  kind: 'proposal',
  form: 'proposal/1',
  id: (row) => `${row.proposal_id}.${row.revision}`,
  text: textOfFields(PROPOSAL_FIELDS, proposalOf),
  ...IN_FULL,
}
export const GOVERNANCE_ACT: RecordForm = {
  kind: 'governance_act',
  form: 'governance_act/1',
  id: (row) => String(row.act_id),
  text: textOfFields(ACT_FIELDS, governanceActOf),
  ...IN_FULL,
}
const NOTICE_FIELDS = [
  'notice_id',
  'kind',
  'subject_id',
  'index_id',
  'market_id',
  'venue_id',
  'proposal_id',
  'title',
  'text',
  'cause',
  'effective_at',
  'starts_at',
  'ends_at',
  'changes',
  'source_ids',
  'follows_notice_id',
  'corrects_notice_id',
  'actor_id',
  'public_key',
  'signed_text',
  'signature',
  'acted_at',
  'published_at',
]
const COMPLAINT_FIELDS = [
  'complaint_id',
  'revision',
  'state',
  'subject_kind',
  'subject_id',
  'text',
  'text_sha256',
  'is_redacted',
  'filed_at',
  'handler',
  'outcome',
  'reason',
  'act',
  'actor_id',
  'public_key',
  'signed_text',
  'signature',
  'acted_at',
  'recorded_at',
  'published_at',
]

export const NOTICE: RecordForm = {
  kind: 'notice',
  form: 'notice/1',
  id: (row) => String(row.notice_id),
  text: textOfFields(NOTICE_FIELDS, noticeOf),
  ...IN_FULL,
}
/** A notice with a draft. */
const NOTICE_WITH_DRAFT: RecordForm = {
  ...NOTICE,
  form: 'notice/2',
  text: textOfFields([...NOTICE_FIELDS, 'draft', 'draft_sha256'], noticeOf),
}
/** Returns the form of a notice. */
export function noticeForm(row: Row): RecordForm {
  return row.draft == null ? NOTICE : NOTICE_WITH_DRAFT
}
/** Each act on a complaint is a record. Anybody can file one, and the log can never be pruned: so it has the hash alone. */
export const COMPLAINT: RecordForm = {
  kind: 'complaint',
  form: 'complaint/1',
  id: (row) => `${row.complaint_id}.${row.revision}`,
  text: textOfFields(COMPLAINT_FIELDS, complaintOf),
}
/** A complaint whose outcome names a proposal. */
const COMPLAINT_WITH_PROPOSAL: RecordForm = {
  ...COMPLAINT,
  form: 'complaint/2',
  text: textOfFields([...COMPLAINT_FIELDS, 'proposal_id'], complaintOf),
}
/** Returns the form of an act on a complaint. */
export function complaintForm(row: Row): RecordForm {
  return row.proposal_id == null ? COMPLAINT : COMPLAINT_WITH_PROPOSAL
}

const RESTATEMENT_FIELDS = [
  'proposal_id',
  'index_id',
  'change_class',
  'correction_reason',
  'starts_at',
  'ends_at',
  'known_at',
  'changes',
  'act_id',
  'published_at',
]
export const RESTATEMENT: RecordForm = {
  kind: 'restatement',
  form: 'restatement/1',
  id: (row) => String(row.proposal_id),
  text: textOfFields(RESTATEMENT_FIELDS, restatementOf),
  ...IN_FULL,
}
