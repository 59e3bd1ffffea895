import { SOURCE_TERMS_POLICY } from '../../vocabulary/eligibility.ts'
import { EligibilityPolicy, IndexEligibility, MarketEligibility, ProForma } from '../resources/eligibility.ts'
import { idOf } from '../scalars.ts'
import type { Endpoint } from './endpoint.ts'
import { INDEX_ID } from './index-endpoints.ts'
import { AS_OF, instant, ordinal, PAGING, text } from './parameter.ts'

const shared = { tag: 'Eligibility', limit_class: 'market_data', cost: 1, cache: 'current' } as const
const POLICY_ID = idOf('pol', 'policy_id')

/** Version of an eligibility policy. */
export const POLICY_VERSION = ordinal('version of the policy; default: the newest at as_of')
/** Start of an announced composition. */
export const PRO_FORMA_START = instant(
  'start of the announced composition; default: the latest start of those announced',
)

export const ELIGIBILITY_ENDPOINTS = {
  list_eligibility_policies: {
    ...shared,
    operation_id: 'list_eligibility_policies',
    path: '/eligibility/policies',
    summary: 'List eligibility policies',
    description: 'Every version of every policy with its rules; sorted by (policy_id, version).',
    path_parameters: {},
    query: { policy_id: text(POLICY_ID, 'only versions of this policy'), ...AS_OF, ...PAGING },
    data: EligibilityPolicy,
    envelope: 'collection',
    errors: [],
  },
  get_eligibility_policy: {
    ...shared,
    operation_id: 'get_eligibility_policy',
    path: '/eligibility/policies/{policy_id}',
    summary: 'Get an eligibility policy',
    description: 'One version of a policy with its rules and the text that its hash covers.',
    path_parameters: { policy_id: POLICY_ID },
    query: { version: POLICY_VERSION, ...AS_OF },
    data: EligibilityPolicy,
    envelope: 'single',
    errors: ['GOVERNANCE_NOT_FOUND'],
  },
  get_market_eligibility: {
    ...shared,
    operation_id: 'get_market_eligibility',
    path: '/eligibility/markets/{market_id}',
    summary: 'Eligibility of a market',
    description:
      'The decision of a policy about a market, with reasons and the facts used; unknown with NOT_EVALUATED if there is none.',
    path_parameters: { market_id: idOf('mkt', 'market_id') },
    query: {
      policy_id: text(POLICY_ID, `the policy; default: ${SOURCE_TERMS_POLICY}, the terms of the source`),
      version: POLICY_VERSION,
      ...AS_OF,
    },
    data: MarketEligibility,
    envelope: 'single',
    errors: ['MARKET_NOT_FOUND', 'GOVERNANCE_NOT_FOUND'],
  },
  get_index_eligibility: {
    ...shared,
    operation_id: 'get_index_eligibility',
    path: '/indexes/{index_id}/eligibility',
    summary: 'Eligibility of the constituents of an index',
    description:
      'For each constituent of the version in force: whether it is still eligible, and what changed since it was selected.',
    path_parameters: { index_id: INDEX_ID },
    query: AS_OF,
    data: IndexEligibility,
    envelope: 'single',
    errors: ['INDEX_NOT_FOUND'],
  },
  get_index_pro_forma: {
    ...shared,
    operation_id: 'get_index_pro_forma',
    path: '/indexes/{index_id}/pro-forma',
    summary: 'Newest announced composition of an index',
    description:
      'The composition with the latest effective_from of those announced at as_of, or that of a start. It is frozen.',
    path_parameters: { index_id: INDEX_ID },
    query: { effective_from: PRO_FORMA_START, ...AS_OF },
    data: ProForma,
    envelope: 'single',
    errors: ['INDEX_NOT_FOUND', 'INDEX_VERSION_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>
