import { OPEN_ORDERS, type OpenOrderLimits, type RateTierName, USUAL_RATE_TIER } from '../../protocol/limits.ts'
import { type REDUCE_ONLY_CROSSINGS, type SelfTradeMode, USUAL_SELF_TRADE } from '../../vocabulary/order.ts'

/** Rules for the orders of one account, beside those of the market. */
export type AccountPolicy = {
  readonly policy_id: string
  readonly policy_version: number
  readonly self_trade_prevention: SelfTradeMode
  /** Quantity that would cross zero is cut off, or the whole order refused. */
  readonly reduce_only_crossing: (typeof REDUCE_ONLY_CROSSINGS)[number]
  /** In contracts, as a decimal; null: no limit. */
  readonly position_limit: string | null
  /** Greatest distance of a limit price from the mark, as a decimal; null: no band. */
  readonly price_band: string | null
  /** Rate limits of the account's keys and limits of its open orders; missing in old policies: standard. */
  readonly limit_tier?: RateTierName
  /** Most open orders of the account, and of the account in one market; null or missing: those of the tier. */
  readonly max_open_orders?: number | null
  readonly max_open_orders_per_market?: number | null
}

/** Returns the most open orders of an account, and of an account in one market. */
export function openOrderLimits(policy: AccountPolicy): OpenOrderLimits {
  const of_tier = OPEN_ORDERS[policy.limit_tier ?? USUAL_RATE_TIER]
  return {
    max_open_orders: policy.max_open_orders ?? of_tier.max_open_orders,
    max_open_orders_per_market: policy.max_open_orders_per_market ?? of_tier.max_open_orders_per_market,
  }
}

/** Rules of a new account, and of the accounts of the house: no limits. */
export const USUAL_RULES = {
  self_trade_prevention: USUAL_SELF_TRADE,
  reduce_only_crossing: 'cap',
  position_limit: null,
  price_band: null,
} as const satisfies Partial<AccountPolicy>
