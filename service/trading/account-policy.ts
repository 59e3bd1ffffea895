import { type RateTierName, USUAL_RATE_TIER } from '../../protocol/limits.ts'
import { type AccountPolicy, USUAL_RULES } from '../../trading/order/account-policy.ts'

export type PolicyFlags = {
  readonly selfTrade?: AccountPolicy['self_trade_prevention']
  readonly reduceOnly?: AccountPolicy['reduce_only_crossing']
  readonly positionLimit?: string
  readonly priceBand?: string
  readonly limitTier?: RateTierName
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
  const { selfTrade, reduceOnly, positionLimit, priceBand, limitTier } = flags
  return {
    policy_id: before.policy_id,
    policy_version,
    self_trade_prevention: selfTrade ?? before.self_trade_prevention,
    reduce_only_crossing: reduceOnly ?? before.reduce_only_crossing,
    position_limit: limitOf(positionLimit, before.position_limit),
    price_band: limitOf(priceBand, before.price_band),
    limit_tier: limitTier ?? before.limit_tier ?? USUAL_RATE_TIER,
  }
}

function limitOf(flag: string | undefined, before: string | null): string | null {
  if (flag === undefined) return before
  return flag === 'none' ? null : flag
}
