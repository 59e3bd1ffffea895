import type { PrivateEndpoint } from './private-endpoint.ts'
import { TRADING_ACCOUNT_ENDPOINTS } from './trading-account-endpoints.ts'
import { TRADING_BATCH_ENDPOINTS } from './trading-batch-endpoints.ts'
import { TRADING_KEY_ENDPOINTS } from './trading-key-endpoints.ts'
import { TRADING_ORDER_ENDPOINTS } from './trading-order-endpoints.ts'
import { TRADING_PROTECTION_ENDPOINTS } from './trading-protection-endpoints.ts'
import { TRADING_SETTLEMENT_ENDPOINTS } from './trading-settlement-endpoints.ts'
import { TRADING_STATEMENT_ENDPOINTS } from './trading-statement-endpoints.ts'
import { TRADING_TRANSFER_ENDPOINTS } from './trading-transfer-endpoints.ts'

/** Every endpoint that requires a key; routes, checks, rights, documents and costs derive from this list. */
export const PRIVATE_ENDPOINTS = {
  ...TRADING_KEY_ENDPOINTS,
  ...TRADING_ORDER_ENDPOINTS,
  ...TRADING_BATCH_ENDPOINTS,
  ...TRADING_ACCOUNT_ENDPOINTS,
  ...TRADING_PROTECTION_ENDPOINTS,
  ...TRADING_SETTLEMENT_ENDPOINTS,
  ...TRADING_STATEMENT_ENDPOINTS,
  ...TRADING_TRANSFER_ENDPOINTS,
} as const satisfies Record<string, PrivateEndpoint>

export type PrivateOperationId = keyof typeof PRIVATE_ENDPOINTS

/** Returns the endpoint of an operation, typed as `PrivateEndpoint`. */
export function privateEndpointOf(operation_id: PrivateOperationId): PrivateEndpoint {
  return PRIVATE_ENDPOINTS[operation_id]
}
