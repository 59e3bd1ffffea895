import Type from 'typebox'
import { Proof } from '../resources/proof.ts'
import { ELIGIBILITY_ENDPOINTS, POLICY_VERSION, PRO_FORMA_START } from './eligibility-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { GOVERNANCE_ENDPOINTS, VERSION } from './governance-endpoints.ts'
import { INDEX_ENDPOINTS } from './index-endpoints.ts'
import { INDEX_PRICE_ENDPOINTS } from './index-price-endpoints.ts'
import { LOOKUP_ENDPOINTS } from './lookup-endpoints.ts'
import { NOTICE_ENDPOINTS } from './notice-endpoints.ts'
import { ordinal, type Parameters, text } from './parameter.ts'
import { RATING_ENDPOINTS } from './rating-endpoints.ts'
import { SEVERITY_ENDPOINTS } from './severity-endpoints.ts'

/**
 * Endpoint of the proof of a record, below the record's own endpoint.
 * @param query  parameters that choose the record; its newest one may change
 */
function proofOf<Id extends string, Of extends Endpoint, Query extends Parameters = Record<never, never>>(
  operation_id: Id,
  of: Of,
  record: string,
  query: Query = {} as Query,
) {
  const path_parameters: Of['path_parameters'] = of.path_parameters
  return {
    operation_id,
    tag: 'Log',
    path: `${of.path}/proof`,
    summary: `Proof of ${record}`,
    description: `Proves that ${record} is in the log: its text, its entry, and the hashes that lead to the smallest checkpoint that covers it. Accept text/plain for an offline file (c2sp.org/tlog-proof).`,
    path_parameters,
    query,
    data: Proof,
    envelope: 'single',
    is_plain: true,
    cache: Object.keys(query).length === 0 ? 'record' : 'current',
    limit_class: 'market_data',
    cost: 3,
    errors: [...of.errors, 'PROOF_PENDING', 'LOG_CORRUPT'],
  } as const satisfies Endpoint
}

/** Name of a runner in the roster. */
const RUNNER = Type.String({ minLength: 1, maxLength: 128, description: 'actor_id of a runner' })

/** Proofs of the records that have an endpoint of their own. */
export const PROOF_ENDPOINTS = {
  get_index_observation_proof: proofOf(
    'get_index_observation_proof',
    INDEX_PRICE_ENDPOINTS.get_index_observation,
    'a level with its inputs',
  ),
  get_index_version_proof: proofOf(
    'get_index_version_proof',
    INDEX_ENDPOINTS.get_index_version,
    'a version of an index',
  ),
  get_constituents_proof: proofOf(
    'get_constituents_proof',
    INDEX_ENDPOINTS.list_constituents,
    'the constituents of a version',
  ),
  get_methodology_proof: proofOf(
    'get_methodology_proof',
    INDEX_ENDPOINTS.get_methodology,
    'a version of a methodology',
  ),
  get_rating_methodology_proof: proofOf(
    'get_rating_methodology_proof',
    RATING_ENDPOINTS.get_rating_methodology,
    'a version of a rating methodology',
  ),
  get_severity_methodology_proof: proofOf(
    'get_severity_methodology_proof',
    SEVERITY_ENDPOINTS.get_severity_methodology,
    'a version of a severity methodology',
  ),
  get_rating_proof: proofOf('get_rating_proof', LOOKUP_ENDPOINTS.get_rating, 'a rating'),
  get_severity_assessment_proof: proofOf(
    'get_severity_assessment_proof',
    LOOKUP_ENDPOINTS.get_severity_assessment,
    'a severity assessment',
  ),
  get_governance_roster_proof: proofOf(
    'get_governance_roster_proof',
    GOVERNANCE_ENDPOINTS.get_governance_roster,
    'a roster',
    { version: VERSION },
  ),
  get_governance_policy_proof: proofOf(
    'get_governance_policy_proof',
    GOVERNANCE_ENDPOINTS.get_governance_policy,
    'a policy',
    { version: VERSION },
  ),
  get_governance_proposal_proof: proofOf(
    'get_governance_proposal_proof',
    GOVERNANCE_ENDPOINTS.get_governance_proposal,
    'a state of a proposal',
    { revision: ordinal('ordinal of the state; default: the newest') },
  ),
  get_governance_act_proof: proofOf(
    'get_governance_act_proof',
    GOVERNANCE_ENDPOINTS.get_governance_act,
    'an act of governance, or a refused one',
  ),
  get_governance_notice_proof: proofOf(
    'get_governance_notice_proof',
    NOTICE_ENDPOINTS.get_governance_notice,
    'a notice',
  ),
  get_restatement_proof: proofOf('get_restatement_proof', NOTICE_ENDPOINTS.get_restatement, 'a late restatement'),
  get_complaint_proof: proofOf('get_complaint_proof', NOTICE_ENDPOINTS.get_complaint, 'an act on a complaint', {
    revision: ordinal('ordinal of the act; default: the newest'),
  }),
  get_governance_impact_proof: proofOf(
    'get_governance_impact_proof',
    GOVERNANCE_ENDPOINTS.get_governance_impact,
    'an impact report, in the act that signed it',
    { runner: text(RUNNER, 'who signed the report; default: the last runner who signed one') },
  ),
  get_eligibility_policy_proof: proofOf(
    'get_eligibility_policy_proof',
    ELIGIBILITY_ENDPOINTS.get_eligibility_policy,
    'an eligibility policy',
    { version: POLICY_VERSION },
  ),
  get_index_pro_forma_proof: proofOf(
    'get_index_pro_forma_proof',
    ELIGIBILITY_ENDPOINTS.get_index_pro_forma,
    'an announced composition, with every candidate of its selection',
    { effective_from: PRO_FORMA_START },
  ),
} as const satisfies Record<string, Endpoint>
