import Type, { type Static } from 'typebox'
import { REDUCE_ONLY_CROSSINGS, SELF_TRADE_MODES } from '../../vocabulary/order.ts'
import { RATE_TIER_NAMES } from '../limits.ts'
import { Count, closed, Id, Instant, orNull, Quantity, Text, texts } from '../scalars.ts'

/** The rules that an account trades under. */
export const AccountPolicy = Type.Object(
  {
    account_id: Id,
    policy_id: Text,
    policy_version: Count,
    default_self_trade_prevention: texts(SELF_TRADE_MODES),
    reduce_only_crossing: texts(REDUCE_ONLY_CROSSINGS, 'treatment of a reduce_only quantity that would cross zero'),
    position_limit: orNull(Quantity),
    price_band: orNull(Quantity),
    limit_tier: texts(RATE_TIER_NAMES, 'rate limits of its keys: limit_classes of GET /v1/capabilities'),
    max_open_orders: Type.Integer({ minimum: 0, description: 'most open orders of the account' }),
    max_open_orders_per_market: Type.Integer({
      minimum: 0,
      description: 'most open orders of the account in one market',
    }),
    collateral: Type.Object(
      { policy: texts(['fully_collateralized']), version: Count, cross_margin: Type.Boolean() },
      { ...closed, title: 'CollateralPolicy' },
    ),
    blocked: Type.Boolean(),
    cancel_after_ms: orNull(Count),
    cancel_after_at: orNull(Instant),
  },
  { ...closed, title: 'AccountPolicy' },
)
export type AccountPolicy = Static<typeof AccountPolicy>
