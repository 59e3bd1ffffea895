import type { LoggedRecord } from '../../pipelines/transparency/log-entry.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableForm } from '../../warehouse/transparency/record-form.ts'
import { indexObservationWithInputs } from '../resources/index-observation.ts'
import { constituentsOf, indexVersionOf, methodologyOf, ungovernedVersionOf } from '../resources/index-resources.ts'
import { marketRatingOf, ratingMethodologyOf } from '../resources/market-rating.ts'
import { fieldsOf } from '../resources/pick.ts'
import { severityAssessmentOf, severityMethodologyOf } from '../resources/severity.ts'

/**
 * Text of a record in the log: the resource as its detail endpoint served it when it was published. What only later rows decide, such
 * as effective_to of a version, is as it was then.
 */
type RecordText = (row: Row) => string

/** Kind of record: the name of its form, its id, and its text. */
export type RecordForm = {
  readonly kind: string
  readonly form: string
  readonly id: (row: Row) => string
  readonly text: RecordText
  /** Whether the entry repeats the record. */
  readonly in_full?: true
}

const textOf =
  (show: (row: Row) => unknown): RecordText =>
  (row) =>
    canonicalJson(show(row))
const methodologyId = (row: Row): string => `${row.methodology_id}@${row.version}`

export const INDEX_OBSERVATION: RecordForm = {
  kind: 'index_observation',
  form: 'index_observation/1',
  id: (row) => String(row.observation_id),
  text: textOf(indexObservationWithInputs),
}
const INDEX_VERSION: RecordForm = {
  kind: 'index_version',
  form: 'index_version/1',
  id: (row) => String(row.index_version_id),
  text: textOf((row) => ungovernedVersionOf({ ...row, effective_to: null, link: null })),
}
/** A version that a proposal put in force also names the proposal and its notice. */
const GOVERNED_VERSION: RecordForm = {
  ...INDEX_VERSION,
  form: 'index_version/2',
  text: textOf((row) => indexVersionOf({ ...row, effective_to: null, link: null })),
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
  in_full: true,
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
  in_full: true,
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
/** Anybody can cause a refusal, and the log can never be pruned: so it has the hash of the text alone. */
const REFUSAL: RecordForm = {
  kind: 'refusal',
  form: 'refusal/1',
  id: (row) => String(row.refusal_id),
  text: textOf((row) => fieldsOf(row, REFUSAL_FIELDS)),
}

/**
 * Tables whose rows are logged, in the order of their entries at one instant. A table that is added here is logged from its first row
 * on, also in a log that exists.
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
]

function methodologyOfSubject({ subject }: Row): readonly RecordForm[] {
  return subject === 'market_rating' ? [RATING_METHODOLOGY] : [SEVERITY_METHODOLOGY]
}

function tableOf(
  table: TableForm['table'],
  forms: readonly RecordForm[],
  formsOf: (row: Row) => readonly RecordForm[] = () => forms,
): TableForm {
  const kinds = [...new Set(forms.map(({ kind }) => kind))].sort()
  return { table, kinds, records: (row) => formsOf(row).map((form) => recordOf(form, row)) }
}

/** Returns the record of a row in a form. */
export function recordOf({ kind, form, id, text, in_full }: RecordForm, row: Row): LoggedRecord {
  const published_at = String(row.published_at)
  return { kind, form, record_id: id(row), published_at, record_text: text(row), in_full: in_full === true }
}

/** Returns what a receipt of an answer needs of its record; null: the answer shows none. */
export function loggedAs(form: RecordForm, row: Row | null) {
  return { logged: { kind: form.kind, record: row === null ? null : () => recordOf(form, row) } }
}
