import { ServiceError } from '../../primitives/errors.ts'
import { type RateTierName, USUAL_RATE_TIER } from '../../protocol/limits.ts'
import { type AccountPolicy, USUAL_RULES } from '../../trading/order/account-policy.ts'

export type PolicyFlags = {
  readonly selfTrade?: AccountPolicy['self_trade_prevention']
  readonly reduceOnly?: AccountPolicy['reduce_only_crossing']
  readonly positionLimit?: string
  readonly priceBand?: string
  readonly limitTier?: RateTierName
  /** Counts as the command line has them. */
  readonly openOrders?: string
  readonly openOrdersPerMarket?: string
}

/** Default account policy. */
export const DEFAULT_ACCOUNT_POLICY: AccountPolicy = {
  policy_id: 'pol_standard',
  policy_version: 1,
  ...USUAL_RULES,
  limit_tier: USUAL_RATE_TIER,
}

/** Returns the next version of a policy with the changes of the flags. */
export function nextPolicy(before: AccountPolicy, flags: PolicyFlags, policy_version: number): AccountPolicy {
  const { selfTrade, reduceOnly, positionLimit, priceBand, limitTier, openOrders, openOrdersPerMarket } = flags
  return {
    policy_id: before.policy_id,
    policy_version,
    self_trade_prevention: selfTrade ?? before.self_trade_prevention,
    reduce_only_crossing: reduceOnly ?? before.reduce_only_crossing,
    position_limit: limitOf(positionLimit, before.position_limit),
    price_band: limitOf(priceBand, before.price_band),
    limit_tier: limitTier ?? before.limit_tier ?? USUAL_RATE_TIER,
    max_open_orders: countOf('--open-orders', openOrders, before.max_open_orders),
    max_open_orders_per_market: countOf(
      '--open-orders-per-market',
      openOrdersPerMarket,
      before.max_open_orders_per_market,
    ),
  }
}

function countOf(name: string, flag: string | undefined, before: number | null = null): number | null {
  if (flag === undefined) return before
  if (flag === 'tier') return null
  if (/^\d{1,6}$/.test(flag)) return Number(flag)
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${name} is ${flag}; allowed: a whole number up to 999999, or tier`,
  )
}

function limitOf(flag: string | undefined, before: string | null): string | null {
  if (flag === undefined) return before
  return flag === 'none' ? null : flag
}
