import { PROPOSAL_KINDS, PROPOSAL_STATES } from '../../vocabulary/governance.ts'
import { GovernanceAct, Impact, Policy, Proposal, ProposalWithHistory, Roster } from '../resources/governance.ts'
import { idOf } from '../scalars.ts'
import type { Endpoint } from './endpoint.ts'
import { AS_OF, oneOf, ordinal, PAGING, RECEIPT, text } from './parameter.ts'

const shared = {
  tag: 'Governance',
  limit_class: 'market_data',
  path_parameters: {},
  cost: 1,
  cache: 'current',
} as const

/** Version of a document. */
export const VERSION = ordinal('version of the document; default: the one in force at as_of')

export const GOVERNANCE_ENDPOINTS = {
  get_governance_roster: {
    ...shared,
    operation_id: 'get_governance_roster',
    path: '/governance/roster',
    summary: 'Roster in force',
    description:
      'People who decide, with their keys and roles, as signed. Each version names the hash of the one before, and the administrators of both have signed it.',
    query: { version: VERSION, ...RECEIPT },
    data: Roster,
    envelope: 'single',
    errors: ['GOVERNANCE_NOT_FOUND'],
  },
  get_governance_policy: {
    ...shared,
    operation_id: 'get_governance_policy',
    path: '/governance/policy',
    summary: 'Policy in force',
    description: 'Signatures and waiting times by class of change, as signed.',
    query: { version: VERSION, ...RECEIPT },
    data: Policy,
    envelope: 'single',
    errors: ['GOVERNANCE_NOT_FOUND'],
  },
  list_governance_proposals: {
    ...shared,
    operation_id: 'list_governance_proposals',
    path: '/governance/proposals',
    summary: 'List proposals',
    description: 'Every proposal in its state as known at as_of; sorted by (proposed_at, proposal_id).',
    query: {
      kind: oneOf(PROPOSAL_KINDS, 'only proposals of this kind'),
      state: oneOf(PROPOSAL_STATES, 'only proposals in this state'),
      ...RECEIPT,
      ...PAGING,
    },
    data: Proposal,
    envelope: 'collection',
    errors: [],
  },
  get_governance_proposal: {
    ...shared,
    operation_id: 'get_governance_proposal',
    path: '/governance/proposals/{proposal_id}',
    summary: 'Get a proposal with its history',
    description:
      'One proposal: who has signed, where it differs from the record that it would replace, and every state it was in.',
    path_parameters: { proposal_id: idOf('prp', 'proposal_id') },
    query: AS_OF,
    data: ProposalWithHistory,
    envelope: 'single',
    errors: ['GOVERNANCE_NOT_FOUND'],
  },
  get_governance_impact: {
    ...shared,
    operation_id: 'get_governance_impact',
    path: '/governance/impacts/{change_id}',
    summary: 'Get the impact of a change',
    description:
      'What a change of an index, a methodology or an eligibility policy would do, as runners have signed it, known at as_of. Reports that differ are all shown, with the engine that each runner used.',
    path_parameters: { change_id: idOf('chg', 'change_id of the impact report') },
    query: AS_OF,
    data: Impact,
    envelope: 'single',
    errors: ['GOVERNANCE_NOT_FOUND'],
  },
  list_governance_acts: {
    ...shared,
    operation_id: 'list_governance_acts',
    path: '/governance/acts',
    summary: 'List signed acts',
    description:
      'Every act with the text that its actor signed, also those that were refused; sorted by (published_at, act_id).',
    query: {
      outcome: oneOf(['recorded', 'refused'], 'only acts with this outcome'),
      subject_id: text(idOf('(prp|chg)', 'subject_id'), 'only acts on this proposal or change'),
      ...RECEIPT,
      ...PAGING,
    },
    data: GovernanceAct,
    envelope: 'collection',
    errors: [],
  },
  get_governance_act: {
    ...shared,
    operation_id: 'get_governance_act',
    path: '/governance/acts/{act_id}',
    summary: 'Get a signed act',
    description: 'One act with the text that its actor signed, or a refused one.',
    path_parameters: { act_id: idOf('(gac|rfs)', 'act_id') },
    query: RECEIPT,
    data: GovernanceAct,
    envelope: 'single',
    cache: 'record',
    errors: ['GOVERNANCE_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>
