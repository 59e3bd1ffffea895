import { Capabilities } from '../resources/capabilities.ts'
import { ServiceTime } from '../resources/service-time.ts'
import type { Endpoint } from './endpoint.ts'

const shared = {
  tag: 'Service',
  limit_class: 'market_data',
  cost: 1,
  path_parameters: {},
  query: {},
  envelope: 'single',
  errors: [],
} as const

export const SERVICE_ENDPOINTS = {
  get_time: {
    ...shared,
    operation_id: 'get_time',
    path: '/time',
    summary: "The service's clock",
    description: 'The clock that as_of and published_at are of.',
    data: ServiceTime,
    cache: 'none',
  },
  get_capabilities: {
    ...shared,
    operation_id: 'get_capabilities',
    path: '/capabilities',
    summary: 'Limits, intervals, depths, topics and versions',
    description: 'What this service offers, and its bounds.',
    data: Capabilities,
    cache: 'version',
  },
} as const satisfies Record<string, Endpoint>
