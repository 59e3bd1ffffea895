import { type OptionalNotional, type WantedOrder, withNotional } from '../../protocol/order/order-terms.ts'
import type { Side } from '../../vocabulary/order.ts'
import { decimal, multiplyDecimals } from '../decimals.ts'
import { randomHex } from '../platform.ts'
import { clientError } from '../tidemark-error.ts'

/** Terms of an order of the client's own account; decimals are strings. */
export type OrderTerms = Omit<OptionalNotional, 'account_id' | 'client_order_id' | 'side'> & {
  readonly side: Side
  /** 1 to 64 of [A-Za-z0-9_-]; default: a new random one. */
  readonly client_order_id?: string
  /** Without effect on trading; not signed. */
  readonly labels?: Readonly<Record<string, string>>
}

/**
 * Adds the account, its settlement asset and the defaults that depend on the order.
 * @throws {TidemarkError} VALIDATION_DECIMAL_INVALID: a decimal is a number, or a text that is none
 */
export function wantedOrder(terms: OrderTerms, account_id: string, settlement_asset_id: string): WantedOrder {
  const { labels: _, ...given } = terms
  for (const field of DECIMALS) if (given[field] !== undefined) unsigned(given[field], field)
  const client_order_id = randomHex(12)
  return withNotional({ client_order_id, settlement_asset_id, ...given, account_id }, multiplyDecimals)
}

const DECIMALS = ['limit_price', 'quantity', 'maximum_fee', 'maximum_notional'] as const

/** Signed decimals carry no sign. */
function unsigned(value: string, field: string): void {
  if (!decimal(value, field).startsWith('-')) return
  throw clientError('VALIDATION_DECIMAL_INVALID', `${field} is ${value}; allowed: a decimal without sign`, false)
}
