import { Capabilities } from '../resources/capabilities.ts'
import { ServiceTime } from '../resources/service-time.ts'
import { ELIGIBILITY_ENDPOINTS } from './eligibility-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { GOVERNANCE_ENDPOINTS } from './governance-endpoints.ts'
import { INDEX_ENDPOINTS } from './index-endpoints.ts'
import { INDEX_PRICE_ENDPOINTS } from './index-price-endpoints.ts'
import { LOOKUP_ENDPOINTS } from './lookup-endpoints.ts'
import { MARKET_ENDPOINTS } from './market-endpoints.ts'
import { MARKET_PRICE_ENDPOINTS } from './market-price-endpoints.ts'
import { NOTICE_ENDPOINTS } from './notice-endpoints.ts'
import { PROOF_ENDPOINTS } from './proof-endpoints.ts'
import { RATING_ENDPOINTS } from './rating-endpoints.ts'
import { ROBUSTNESS_ENDPOINTS } from './robustness-endpoints.ts'
import { SEVERITY_ENDPOINTS } from './severity-endpoints.ts'

const shared = {
  tag: 'Service',
  limit_class: 'market_data',
  cost: 1,
  path_parameters: {},
  query: {},
  envelope: 'single',
  errors: [],
} as const

const SERVICE_ENDPOINTS = {
  get_time: {
    ...shared,
    operation_id: 'get_time',
    path: '/time',
    summary: "The service's clock",
    description: 'The clock that stamps as_of and published_at.',
    data: ServiceTime,
    cache: 'none',
  },
  get_capabilities: {
    ...shared,
    operation_id: 'get_capabilities',
    path: '/capabilities',
    summary: 'Limits, intervals, depths, topics and versions',
    description: 'Everything this service offers, with its limits.',
    data: Capabilities,
    cache: 'version',
  },
} as const satisfies Record<string, Endpoint>

/** Every endpoint of /v1 by operation_id; routes, documents and capabilities derive from this list. */
export const ENDPOINTS = {
  ...INDEX_ENDPOINTS,
  ...INDEX_PRICE_ENDPOINTS,
  ...ROBUSTNESS_ENDPOINTS,
  ...MARKET_ENDPOINTS,
  ...MARKET_PRICE_ENDPOINTS,
  ...RATING_ENDPOINTS,
  ...SEVERITY_ENDPOINTS,
  ...GOVERNANCE_ENDPOINTS,
  ...NOTICE_ENDPOINTS,
  ...ELIGIBILITY_ENDPOINTS,
  ...LOOKUP_ENDPOINTS,
  ...PROOF_ENDPOINTS,
  ...SERVICE_ENDPOINTS,
} as const satisfies Record<string, Endpoint>

export type OperationId = keyof typeof ENDPOINTS

/** Returns the endpoint of an operation, typed as `Endpoint`. */
export function endpointOf(operation_id: OperationId): Endpoint {
  return ENDPOINTS[operation_id]
}
