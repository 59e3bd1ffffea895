import type { Endpoint } from './endpoint.ts'
import { INDEX_ENDPOINTS } from './index-endpoints.ts'
import { INDEX_PRICE_ENDPOINTS } from './index-price-endpoints.ts'
import { MARKET_ENDPOINTS } from './market-endpoints.ts'
import { MARKET_PRICE_ENDPOINTS } from './market-price-endpoints.ts'
import { RATING_ENDPOINTS } from './rating-endpoints.ts'
import { SERVICE_ENDPOINTS } from './service-endpoints.ts'
import { SEVERITY_ENDPOINTS } from './severity-endpoints.ts'

/** Every endpoint of /v1, by operation_id: the one list that routes, documents and capabilities are made from. */
export const ENDPOINTS = {
  ...INDEX_ENDPOINTS,
  ...INDEX_PRICE_ENDPOINTS,
  ...MARKET_ENDPOINTS,
  ...MARKET_PRICE_ENDPOINTS,
  ...RATING_ENDPOINTS,
  ...SEVERITY_ENDPOINTS,
  ...SERVICE_ENDPOINTS,
} as const satisfies Record<string, Endpoint>

export type OperationId = keyof typeof ENDPOINTS

/** The endpoint of an operation, typed as the general form. */
export function endpointOf(operation_id: OperationId): Endpoint {
  return ENDPOINTS[operation_id]
}
