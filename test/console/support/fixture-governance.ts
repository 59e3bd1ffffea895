import type { RouteHandlers } from '../../../api/server/handler.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import type {
  EligibilityPolicy,
  IndexEligibility,
  MarketEligibility,
  ProForma,
} from '../../../protocol/resources/eligibility.ts'
import type { KnowledgeChange } from '../../../protocol/resources/knowledge-change.ts'
import type { Complaint, Notice, Restatement, RuleChange } from '../../../protocol/resources/notice.ts'
import type { ExecutableBand, IndexPreview, LevelRobustness } from '../../../protocol/resources/robustness.ts'
import { CONSTITUENT, FIRST_MS, LAST_MS, observation } from './fixture-data.ts'

/** Complaints, rules, eligibility, robustness and a diff of knowledge, as the service would answer them. */

const AT = new Date(FIRST_MS).toISOString().replace('.000Z', 'Z')
const LATER = new Date(LAST_MS).toISOString().replace('.000Z', 'Z')
const unsigned = { actor_id: null, public_key: null, signed_text: null, signature: null, acted_at: null }

function complaint(fields: Partial<Complaint>): Complaint {
  return {
    ...{ complaint_id: 'cmp_first', revision: 1, state: 'published', subject_kind: 'index', subject_id: 'idx_coast' },
    ...{ text: 'The level of 04:00 was wrong.\nIt was 12.', text_sha256: 'b'.repeat(64), is_redacted: false },
    ...{ filed_at: AT, handler: null, outcome: null, reason: null, proposal_id: null, act: 'publish_complaint' },
    ...unsigned,
    ...{ recorded_at: AT, published_at: AT },
    ...fields,
  }
}

const RESOLVED = complaint({
  ...{ revision: 3, state: 'resolved', act: 'resolve_complaint', handler: 'ann', outcome: 'upheld' },
  ...{ reason: 'The resolution was corrected.', proposal_id: 'prp_restate', is_redacted: true, published_at: LATER },
})
const DECLINED = complaint({
  ...{ complaint_id: 'cmp_second', subject_kind: 'other', subject_id: null, text: null, state: 'declined' },
  ...{ act: 'decline_complaint', reason: 'Abuse.' },
})
const COMPLAINTS = [RESOLVED, DECLINED]
const OUTCOME: Notice = {
  ...{ notice_id: 'ntc_outcome', kind: 'complaint_outcome', subject_id: 'cmp_first', index_id: 'idx_coast' },
  ...{ market_id: null, venue_id: null, proposal_id: null, title: 'Complaint cmp_first: upheld', text: 'See there.' },
  ...{ cause: 'upheld', effective_at: null, starts_at: null, ends_at: null, changes: [], source_ids: ['cmp_first'] },
  ...{
    follows_notice_id: null,
    corrects_notice_id: null,
    draft: null,
    draft_sha256: null,
    ...unsigned,
    published_at: LATER,
  },
}

const RESTATEMENT: Restatement = {
  ...{ proposal_id: 'prp_restate', index_id: 'idx_coast', change_class: 'late_restatement' },
  ...{ correction_reason: 'LATE_DATA', starts_at: AT, ends_at: LATER, known_at: LATER },
  changes: [
    {
      ...{ observation_id: 'obs_new_1', supersedes_id: 'obs_old_1', tick_at: AT, quality_state: 'corrected' },
      ...{ old_level: '38.0000', new_level: '39.9000', basis_points: '500.00' },
    },
    {
      ...{ observation_id: 'obs_new_2', supersedes_id: null, tick_at: AT, quality_state: 'corrected' },
      ...{ old_level: null, new_level: '39.9000', basis_points: null },
    },
  ],
  ...{ act_id: 'act_1', published_at: LATER },
}
const RESTATED: Notice = {
  ...OUTCOME,
  ...{ notice_id: 'ntc_restated', kind: 'correction', subject_id: 'idx_coast', proposal_id: 'prp_restate' },
  ...{ title: 'Restated late: 2 levels of idx_coast', cause: 'LATE_DATA' },
}
const DRIFT: Notice = {
  ...OUTCOME,
  ...{ notice_id: 'ntc_drift', kind: 'drift', subject_id: 'idx_coast', title: 'Drift: 1 constituent of idx_coast' },
  ...{ cause: 'RATING_BAND_TOO_LOW', draft: '{"versions":[]}', draft_sha256: 'f'.repeat(64) },
}
const NOTICES = [OUTCOME, RESTATED, DRIFT]

const ARCHIVED: RuleChange = {
  ...{ change_id: 'rch_1', kind: 'archived', market_id: 'mkt_tide', venue_id: 'kalshi', source_market_id: 'TIDE-26' },
  ...{ revision: 1, rules_sha256: 'c'.repeat(64), previous_sha256: null, changed_fields: [] },
  ...{ resolution_question: 'Will the tide reach the upper mark?', resolution_criteria: 'The gauge at noon.' },
  ...{ resolution_sources: null, index_ids: ['idx_coast'], source_at: AT, published_at: AT },
}
const CHANGED: RuleChange = {
  ...ARCHIVED,
  ...{ change_id: 'rch_2', kind: 'changed', revision: 2, rules_sha256: 'd'.repeat(64) },
  ...{ previous_sha256: ARCHIVED.rules_sha256, changed_fields: ['resolution_criteria'] },
  ...{ resolution_criteria: 'The gauge at any hour of the day.', published_at: LATER },
}

const POLICY: EligibilityPolicy = {
  ...{ policy_id: 'pol_strict', version: 2, name: 'Strict', record_hash: 'e'.repeat(64), previous_hash: null },
  ...{ proposal_id: 'prp_policy', effective_from: AT, signed_content: '{}', published_at: AT },
  rules: [
    { fact: 'rating_band', at_least: 'MR3', at_most: null, one_of: null, age_max: 'P7D' },
    { fact: 'venue_uptime', at_least: '0.99', at_most: null, one_of: null, age_max: null },
  ],
}
const fact = (name: 'venue_uptime' | 'rating_band' | 'time_to_resolution', value: string | null) => ({
  ...{ fact: name, value, observed_at: value === null ? null : AT, source_table: null, source_id: null },
})
const DECISION: MarketEligibility = {
  ...{ market_id: 'mkt_tide', policy_id: 'pol_strict', policy_version: 2, policy_hash: 'e'.repeat(64) },
  ...{ status: 'unknown', reason_codes: ['RATING_BAND_UNKNOWN'], facts_as_of: AT, decision_id: 'elg_a' },
  ...{ facts: [fact('rating_band', null), fact('venue_uptime', '0.9950'), fact('time_to_resolution', '259200000')] },
  ...{ revision: 1, published_at: AT },
}
const OF_INDEX: IndexEligibility = {
  ...{ index_id: 'idx_coast', index_version_id: 'idv_coast_1', policy_id: 'pol_strict', policy_version: 2 },
  constituents: [
    {
      ...{ constituent_id: 'con_tide', market_id: 'mkt_tide', status_at_selection: 'eligible', status: 'ineligible' },
      ...{ rating_assessment_id_at_selection: 'rtg_before', reason_codes: ['VENUE_UPTIME_BELOW_MINIMUM'] },
      changed_facts: [{ fact: 'venue_uptime', at_selection: '0.9990', now: null }],
      ...{ facts: [], decision_id: 'elg_a', facts_as_of: AT },
    },
  ],
  removals: ['con_tide'],
}
const PRO_FORMA: ProForma = {
  ...{ pro_forma_id: 'pro_a', index_id: 'idx_coast', index_version_id: 'idv_coast_2', version: '2' },
  ...{ effective_from: LATER, selected_as_of: AT, is_governed: true, base_version_id: 'idv_coast_1' },
  ...{ methodology_id: 'mth_coast', methodology_version: '1.0.0', policy_id: 'pol_strict', policy_version: 2 },
  ...{ policy_hash: 'e'.repeat(64), definition: {}, record_hash: 'f'.repeat(64), published_at: AT },
  constituents: [
    {
      ...{ constituent_id: 'con_tide', market_id: 'mkt_tide', outcome_id: 'out_yes', target_weight: '1.0000000000' },
      ...{ rank: 1, ranking_value: '120.50', rating_id: null, is_incumbent: true, facts: [] },
      reason_codes: ['KEPT_BY_BUFFER'],
    },
  ],
  candidates: [
    {
      ...{ market_id: 'mkt_other', eligibility_status: 'ineligible', eligibility_reason_codes: ['VENUE_DOWN'] },
      ...{ rank: null, ranking_value: null, is_incumbent: false, is_selected: false, reason_codes: ['NOT_ELIGIBLE'] },
    },
  ],
}

const LATEST = observation('idx_coast', LAST_MS, '38.5600')
const of_level = {
  ...{ index_id: 'idx_coast', observation_id: LATEST.observation_id, index_version_id: 'idv_coast_1' },
  ...{ methodology_id: 'mth_coast', methodology_version: '1.0.0', tick_at: LATEST.tick_at, level: LATEST.level },
  ...{ published_at: LATEST.published_at, quality_state: 'valid' as const, reason: null, books: [] },
}
const missing = {
  ...{
    constituent_id: 'con_tide',
    level_without: null,
    move: null,
    move_bp: null,
    quality_state: 'suspended' as const,
  },
  ...{ reason_codes: [], coverage_ratio: '0.000000', level_if_zero: '0.0000', level_if_one: '100.0000' },
}
const known = { notional_at_least: '12.500000', notional_sufficient: '14.000000', reason: null }
const unknown = { notional_at_least: null, notional_sufficient: '9.000000', reason: 'SEVERAL_LEGS' as const }
const ROBUSTNESS: LevelRobustness = {
  ...of_level,
  missing_input: { level: LATEST.level!, inputs: [missing], largest: missing, indispensable_ids: ['con_tide'] },
  manipulation_cost: {
    ...{ basis_points: 100, ...unknown, up: { ...known, touches: [] }, down: { ...unknown, touches: [] } },
    without_depth: [{ constituent_id: 'con_tide', reason: 'SEVERAL_LEGS' }],
  },
}
const BAND: ExecutableBand = {
  ...of_level,
  ...{ notional: '1000', bid: { level: '38.1000', reason: null, legs: [] } },
  ask: { level: null, reason: 'DEPTH_INSUFFICIENT', legs: [] },
}
const moved = (after: string) => [{ constituent_id: 'con_tide', before: '0.387400', after }]
const PREVIEW: IndexPreview = {
  ...of_level,
  market_id: 'mkt_tide',
  outcomes: [
    { outcome_id: 'out_yes', label: 'YES', level: '100.0000', move: '61.4400', constituents: moved('1.000000') },
    { outcome_id: 'out_no', label: 'NO', level: '0.0000', move: '-38.5600', constituents: moved('0.000000') },
  ],
  voided: [
    {
      payout_rule: 'equal_shares',
      payout: '0.500000',
      level: '50.0000',
      move: '11.4400',
      constituents: [],
      reason: null,
    },
    { payout_rule: 'none', payout: null, level: null, move: null, constituents: [], reason: 'NO_FRESH_INPUT' },
  ],
}
const CHANGES: readonly KnowledgeChange[] = [
  {
    ...{ subject: 'constituent', subject_id: 'con_tide', change: 'added', changed_fields: [], changed_inputs: [] },
    ...{ before: null, after: CONSTITUENT },
  },
  {
    ...{
      subject: 'level',
      subject_id: LATEST.tick_at,
      change: 'revised',
      changed_fields: ['level'],
      changed_inputs: [],
    },
    ...{ before: { ...LATEST, level: '12.0000' }, after: LATEST },
  },
]

/** Answers about governance; a further index has no announced composition. */
export const GOVERNANCE_HANDLERS: Partial<RouteHandlers> = {
  list_complaints: ({ parameters }) => ({
    data: COMPLAINTS.filter(({ state }) => parameters.state === undefined || state === parameters.state),
    next: null,
  }),
  get_complaint: ({ parameters }) => {
    const newest = COMPLAINTS.find(({ complaint_id }) => complaint_id === parameters.complaint_id)
    if (newest === undefined) throw new ServiceError('GOVERNANCE_NOT_FOUND', 'complaint_id is another')
    return { data: { ...newest, history: [complaint({}), newest] } }
  },
  list_governance_notices: ({ parameters }) => ({
    data: NOTICES.filter(({ kind }) => parameters.kind === undefined || kind === parameters.kind),
    next: null,
  }),
  get_governance_notice: ({ parameters }) => ({
    data: NOTICES.find(({ notice_id }) => notice_id === parameters.notice_id) ?? OUTCOME,
  }),
  list_restatements: ({ parameters }) => ({
    data: [RESTATEMENT].filter((one) => parameters.index_id === undefined || one.index_id === parameters.index_id),
    next: null,
  }),
  get_restatement: () => ({ data: RESTATEMENT }),
  list_rule_changes: ({ parameters }) => ({
    data: [ARCHIVED, CHANGED].filter(({ kind }) => parameters.kind === undefined || kind === parameters.kind),
    next: null,
  }),
  list_eligibility_policies: () => ({ data: [POLICY], next: null }),
  get_market_eligibility: () => ({ data: DECISION }),
  get_index_eligibility: () => ({ data: OF_INDEX }),
  get_index_pro_forma: ({ parameters }) => {
    if (parameters.index_id === 'idx_coast') return { data: PRO_FORMA }
    throw new ServiceError('INDEX_VERSION_NOT_FOUND', 'index_id has no announced composition')
  },
  get_index_robustness: () => ({ data: ROBUSTNESS }),
  get_executable_band: () => ({ data: BAND }),
  list_index_previews: () => ({ data: [PREVIEW], next: null }),
  list_knowledge_changes: () => ({ data: CHANGES, next: null }),
}
