import { eligibilityPolicyOf, proFormaOf } from '../resources/eligibility.ts'
import { IN_FULL, type RecordForm, textOfFields } from './record-form.ts'

const POLICY_FIELDS = [
  'policy_id',
  'version',
  'name',
  'record_hash',
  'previous_hash',
  'proposal_id',
  'effective_from',
  'rules',
  'signed_content',
  'published_at',
]
const PRO_FORMA_FIELDS = [
  'pro_forma_id',
  'index_id',
  'index_version_id',
  'version',
  'effective_from',
  'selected_as_of',
  'is_governed',
  'base_version_id',
  'methodology_id',
  'methodology_version',
  'policy_id',
  'policy_version',
  'policy_hash',
  'definition',
  'constituents',
  'candidates',
  'record_hash',
  'published_at',
]

export const ELIGIBILITY_POLICY: RecordForm = {
  kind: 'eligibility_policy',
  form: 'eligibility_policy/1',
  id: (row) => `${row.policy_id}@${row.version}`,
  text: textOfFields(POLICY_FIELDS, eligibilityPolicyOf),
  ...IN_FULL,
}
/** A selection with every candidate of its universe, which is often too long for an entry: so the log has its hash. */
export const PRO_FORMA: RecordForm = {
  kind: 'pro_forma',
  form: 'pro_forma/1',
  id: (row) => String(row.pro_forma_id),
  text: textOfFields(PRO_FORMA_FIELDS, proFormaOf),
}
