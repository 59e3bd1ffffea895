import { formatMicros } from '../../primitives/instants.ts'
import { USUAL_RATE_TIER } from '../../protocol/limits.ts'
import type { AccountPolicy as Resource } from '../../protocol/resources/account-policy.ts'
import { type AccountPolicy, openOrderLimits } from '../order/account-policy.ts'
import type { AccountRow } from './rows.ts'

/** Returns the public form of an account's policy in force. */
export function accountPolicyResource(
  row: Pick<AccountRow, 'account_id' | 'policy' | 'blocked' | 'cancel_after_ms' | 'cancel_after_at'>,
): Resource {
  const policy = row.policy as AccountPolicy
  return {
    account_id: row.account_id,
    policy_id: policy.policy_id,
    policy_version: policy.policy_version,
    default_self_trade_prevention: policy.self_trade_prevention,
    reduce_only_crossing: policy.reduce_only_crossing,
    position_limit: policy.position_limit,
    price_band: policy.price_band,
    limit_tier: policy.limit_tier ?? USUAL_RATE_TIER,
    ...openOrderLimits(policy),
    collateral: { policy: 'fully_collateralized', version: 1, cross_margin: false },
    blocked: row.blocked,
    cancel_after_ms: row.cancel_after_ms,
    cancel_after_at: row.cancel_after_at === null ? null : formatMicros(row.cancel_after_at),
  }
}
