import type { Row } from '../../warehouse/schema.ts'
import type { TableForm } from '../../warehouse/transparency/record-form.ts'
import { indexObservationWithInputs } from '../resources/index-observation.ts'
import { constituentsOf, indexVersionOf, methodologyOf } from '../resources/index-resources.ts'
import { marketRatingOf, ratingMethodologyOf } from '../resources/market-rating.ts'
import { fieldsOf } from '../resources/pick.ts'
import { severityAssessmentOf, severityMethodologyOf } from '../resources/severity.ts'
import { ELIGIBILITY_POLICY, PRO_FORMA } from './eligibility-forms.ts'
import {
  COMPLAINT,
  complaintForm,
  GOVERNANCE_ACT,
  NOTICE,
  noticeForm,
  POLICY,
  PROPOSAL,
  RESTATEMENT,
  ROSTER,
} from './governance-forms.ts'
import { IN_FULL, type RecordForm, tableOf, textOf, textOfFields } from './record-form.ts'

const methodologyId = (row: Row): string => `${row.methodology_id}@${row.version}`

export const INDEX_OBSERVATION: RecordForm = {
  kind: 'index_observation',
  form: 'index_observation/1',
  id: (row) => String(row.observation_id),
  text: textOf(indexObservationWithInputs),
}
const VERSION_FIELDS = [
  'index_version_id',
  'index_id',
  'version',
  'status',
  'effective_from',
  'effective_to',
  'methodology_id',
  'methodology_version',
  'mode',
  'calculation_frequency',
  'rebalance_rule',
  'weight_sum',
  'minimum_coverage_ratio',
  'approved_by',
  'approved_at',
  'published_at',
  'supersedes_version_id',
  'change_summary',
  'link_factor',
  'link_at',
  'level_at_link',
  'definition',
]
export const INDEX_VERSION: RecordForm = {
  kind: 'index_version',
  form: 'index_version/1',
  id: (row) => String(row.index_version_id),
  text: textOfFields(VERSION_FIELDS, (row) => indexVersionOf({ ...row, effective_to: null, link: null })),
}
/** A version that a proposal put in force also names the proposal and its notice. */
const GOVERNED_VERSION: RecordForm = {
  ...INDEX_VERSION,
  form: 'index_version/2',
  text: textOfFields([...VERSION_FIELDS, 'governance', 'proposal_id', 'announced_at', 'effective_at'], (row) =>
    indexVersionOf({ ...row, effective_to: null, link: null }),
  ),
}
/** Returns the form of a version. */
export function versionForm(row: Row): RecordForm {
  return row.governance == null ? INDEX_VERSION : GOVERNED_VERSION
}
export const CONSTITUENTS: RecordForm = {
  kind: 'constituents',
  form: 'constituents/1',
  id: (row) => String(row.index_version_id),
  text: textOf(constituentsOf),
}
export const METHODOLOGY: RecordForm = {
  kind: 'methodology',
  form: 'methodology/1',
  id: methodologyId,
  text: textOf(methodologyOf),
}
export const RATING_METHODOLOGY: RecordForm = {
  kind: 'methodology',
  form: 'rating_methodology/1',
  id: methodologyId,
  text: textOf(ratingMethodologyOf),
}
export const SEVERITY_METHODOLOGY: RecordForm = {
  kind: 'methodology',
  form: 'severity_methodology/1',
  id: methodologyId,
  text: textOf(severityMethodologyOf),
}
export const RATING: RecordForm = {
  kind: 'rating',
  form: 'rating/1',
  id: (row) => String(row.rating_id),
  text: textOf((row) => marketRatingOf(row)),
}
export const SEVERITY: RecordForm = {
  kind: 'severity',
  form: 'severity/1',
  id: (row) => String(row.assessment_id),
  text: textOf((row) => severityAssessmentOf(row)),
}

const LINK_FIELDS = [
  'index_id',
  'index_version_id',
  'revision',
  'supersedes_id',
  'correction_reason',
  'link_factor',
  'link_at',
  'previous_link_factor',
  'level_at_link',
  'composition_step',
  'published_at',
] as const
const LINK: RecordForm = {
  kind: 'link',
  form: 'link/1',
  id: (row) => `${row.index_version_id}.${row.revision}`,
  text: textOf((row) => fieldsOf(row, LINK_FIELDS)),
  ...IN_FULL,
}

/** The resulting records have entries of their own. */
const ACT_FIELDS = [
  'act_id',
  'subject',
  'subject_id',
  'chain_id',
  'revision',
  'act',
  'actor_id',
  'roles',
  'public_key',
  'signed_text',
  'signature',
  'acted_at',
  'published_at',
] as const
const ACT: RecordForm = {
  kind: 'act',
  form: 'act/1',
  id: (row) => String(row.act_id),
  text: textOf((row) => fieldsOf(row, ACT_FIELDS)),
  ...IN_FULL,
}

const REFUSAL_FIELDS = [
  'refusal_id',
  'subject',
  'act',
  'record_id',
  'actor_id',
  'public_key',
  'signed_text',
  'signature',
  'acted_at',
  'code',
  'message',
  'published_at',
] as const
/**
 * Anybody can cause a refusal, and the log can never be pruned: so it repeats a refused act of governance by a member alone, and has
 * the hash of every other.
 */
export const REFUSAL: RecordForm = {
  kind: 'refusal',
  form: 'refusal/1',
  id: (row) => String(row.refusal_id),
  text: textOf((row) => fieldsOf(row, REFUSAL_FIELDS)),
  in_full: ({ subject, actor_id }) => subject === 'governance' && actor_id != null,
}

/**
 * Tables whose rows are logged, in the order of their entries at one instant. To log a further table, add one line with the form of
 * its rows; it is logged from its first row on, also in a log that exists. Three rules:
 * - its kind is new to the log: the seals of a known kind say that nothing older can come;
 * - a form never changes its text: list its fields (`textOfFields`), and give another text another form;
 * - what an entry repeats (`IN_FULL`) stays for ever, so it is never what anybody may write.
 */
export const TABLE_FORMS: readonly TableForm[] = [
  tableOf('methodology', [METHODOLOGY]),
  tableOf('assessment_methodology', [RATING_METHODOLOGY, SEVERITY_METHODOLOGY], methodologyOfSubject),
  tableOf('index_version', [INDEX_VERSION, CONSTITUENTS], (row) => [versionForm(row), CONSTITUENTS]),
  tableOf('index_link', [LINK]),
  tableOf('index_observation', [INDEX_OBSERVATION]),
  tableOf('assessment_act', [ACT]),
  tableOf('refused_act', [REFUSAL]),
  tableOf('market_rating', [RATING]),
  tableOf('severity_assessment', [SEVERITY]),
  tableOf('governance_act', [GOVERNANCE_ACT]),
  tableOf('governance_proposal', [PROPOSAL]),
  tableOf('governance_roster', [ROSTER]),
  tableOf('governance_policy', [POLICY]),
  tableOf('governance_notice', [NOTICE], (row) => [noticeForm(row)]),
  tableOf('governance_complaint', [COMPLAINT], (row) => [complaintForm(row)]),
  tableOf('index_restatement', [RESTATEMENT]),
  tableOf('eligibility_policy', [ELIGIBILITY_POLICY]),
  tableOf('index_pro_forma', [PRO_FORMA]),
]

function methodologyOfSubject({ subject }: Row): readonly RecordForm[] {
  return subject === 'market_rating' ? [RATING_METHODOLOGY] : [SEVERITY_METHODOLOGY]
}
