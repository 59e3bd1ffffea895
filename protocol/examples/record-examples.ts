import type { ELIGIBILITY_ENDPOINTS } from '../endpoints/eligibility-endpoints.ts'
import type { GOVERNANCE_ENDPOINTS } from '../endpoints/governance-endpoints.ts'
import type { NOTICE_ENDPOINTS, OPEN_WRITES } from '../endpoints/notice-endpoints.ts'
import type { PROOF_ENDPOINTS } from '../endpoints/proof-endpoints.ts'
import type { RATING_ENDPOINTS } from '../endpoints/rating-endpoints.ts'
import type { SEVERITY_ENDPOINTS } from '../endpoints/severity-endpoints.ts'
import type { Example } from './example.ts'

const rated_market_id = { from: 'list_ratings', at: 'data.0.market_id' }
const rating_id = { from: 'list_ratings', at: 'data.0.rating_id' }
const assessed_event_id = { from: 'list_severity_assessments', at: 'data.0.event_id' }
const assessment_id = { from: 'list_severity_assessments', at: 'data.0.assessment_id' }
const HAZARDS = { severity_index_id: 'svi_world_hazards' }
const RATING_METHODOLOGY = { methodology_id: 'mth_market_rating', version: '1.0.0' }
const SEVERITY_METHODOLOGY = { methodology_id: 'mth_event_severity', version: '1.0.0' }

export const ASSESSMENT_EXAMPLES = {
  get_market_rating: { path: { market_id: rated_market_id } },
  list_market_ratings: { path: { market_id: rated_market_id }, query: { limit: '2' } },
  list_ratings: { query: { limit: '2' } },
  get_rating_methodology: { path: RATING_METHODOLOGY },
  get_event_severity: { path: { event_id: assessed_event_id }, query: { assessment_type: 'observed' } },
  list_event_severity: { path: { event_id: assessed_event_id }, query: { limit: '2' } },
  list_severity_assessments: { query: { assessment_type: 'observed', limit: '2' } },
  list_severity_indexes: {},
  get_severity_index_version: { path: { ...HAZARDS, version: '1' } },
  get_severity_index_value: { path: HAZARDS },
  list_severity_index_values: { path: HAZARDS, query: { limit: '2' } },
  get_severity_methodology: { path: SEVERITY_METHODOLOGY },
} as const satisfies Record<keyof typeof RATING_ENDPOINTS | keyof typeof SEVERITY_ENDPOINTS, Example>

/** Index of the sample that a committee governs. */
const GOVERNED = { index_id: 'idx_sample_vote' }
const proposal_id = { from: 'list_governance_proposals', at: 'data.0.proposal_id' }
const act_id = { from: 'list_governance_acts', at: 'data.0.act_id' }
const notice_id = { from: 'list_governance_notices', at: 'data.0.notice_id' }
const restated = { proposal_id: { from: 'list_restatements', at: 'data.0.proposal_id' } }
const complaint_id = { from: 'list_complaints', at: 'data.0.complaint_id' }
/** Change whose impact nobody has signed: the sample's changes needed none. */
const UNSIGNED = { path: { change_id: 'chg_example' }, refused_with: 'GOVERNANCE_NOT_FOUND' } as const
/** Index of the sample without an announced composition. */
const UNANNOUNCED = { path: GOVERNED, refused_with: 'INDEX_VERSION_NOT_FOUND' } as const
const POLICY = { policy_id: 'pol_source_terms' }

export const GOVERNANCE_EXAMPLES = {
  get_governance_roster: { query: { version: '1' } },
  get_governance_policy: { query: { version: '1' } },
  list_governance_proposals: { query: { kind: 'index_version', limit: '2' } },
  get_governance_proposal: { path: { proposal_id } },
  get_governance_impact: UNSIGNED,
  list_governance_acts: { query: { outcome: 'recorded', limit: '2' } },
  get_governance_act: { path: { act_id } },
  list_governance_notices: { query: { limit: '2' } },
  get_governance_notice: { path: { notice_id } },
  list_restatements: {},
  get_restatement: { path: restated },
  list_governance_calendar: { query: { limit: '2' } },
  list_rule_changes: { query: { venue_id: 'manifold', limit: '2' } },
  list_complaints: {},
  get_complaint: { path: { complaint_id } },
  file_complaint: {
    body: { subject_kind: 'index', subject_id: 'idx_live_current', text: 'The level of 09:00 looks wrong.' },
  },
  list_eligibility_policies: {},
  get_eligibility_policy: { path: POLICY },
  get_market_eligibility: { path: { market_id: { from: 'list_markets', at: 'data.0.market_id' } } },
  get_index_eligibility: { path: { index_id: 'idx_live_current' } },
  get_index_pro_forma: UNANNOUNCED,
} as const satisfies Record<
  | keyof typeof GOVERNANCE_ENDPOINTS
  | keyof typeof NOTICE_ENDPOINTS
  | keyof typeof OPEN_WRITES
  | keyof typeof ELIGIBILITY_ENDPOINTS,
  Example
>

const index_id = 'idx_sample_lowport'
const version_id = { from: 'list_index_versions', at: 'data.0.index_version_id' }

export const PROOF_EXAMPLES = {
  get_index_observation_proof: {
    path: { index_id, observation_id: { from: 'get_index_price', at: 'data.observation_id' } },
  },
  get_index_version_proof: { path: { index_id, version_id } },
  get_constituents_proof: { path: { index_id, version_id } },
  get_methodology_proof: { path: { methodology_id: 'mth_sample_chain', version: '1.1.0' } },
  get_rating_methodology_proof: { path: RATING_METHODOLOGY },
  get_severity_methodology_proof: { path: SEVERITY_METHODOLOGY },
  get_rating_proof: { path: { rating_id } },
  get_severity_assessment_proof: { path: { assessment_id } },
  get_governance_roster_proof: { query: { version: '1' } },
  get_governance_policy_proof: { query: { version: '1' } },
  get_governance_proposal_proof: { path: { proposal_id } },
  get_governance_act_proof: { path: { act_id } },
  get_governance_notice_proof: { path: { notice_id } },
  get_restatement_proof: { path: restated },
  get_complaint_proof: { path: { complaint_id } },
  get_governance_impact_proof: UNSIGNED,
  // The sample has the built-in policy alone, which is not in the log.
  get_eligibility_policy_proof: { path: POLICY, refused_with: 'GOVERNANCE_NOT_FOUND' },
  get_index_pro_forma_proof: UNANNOUNCED,
} as const satisfies Record<keyof typeof PROOF_ENDPOINTS, Example>
