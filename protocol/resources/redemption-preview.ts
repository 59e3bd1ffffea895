import Type, { type Static } from 'typebox'
import { PAYOUT_RULES } from '../../vocabulary/robustness.ts'
import { Count, closed, Decimal, Id, Instant, orNull, Text, texts } from '../scalars.ts'

const RedeemedHolding = Type.Object(
  {
    outcome_id: Id,
    net_quantity: Decimal,
    average_entry_price: orNull(Decimal),
    payout_per_contract: Decimal,
    payout: Type.String({ ...Decimal, description: 'below zero: what buying back a short would cost' }),
    realized_pnl: Decimal,
  },
  { ...closed, title: 'RedeemedHolding' },
)

const RedemptionResult = Type.Object(
  {
    verdict: texts(['resolved', 'voided']),
    outcome_id: orNull(Id, 'the outcome that wins; null: the market is void'),
    payout_rule: texts(
      PAYOUT_RULES.filter((rule) => rule !== 'none'),
      'a void market of this venue pays equal shares, unless whoever voids it names other payouts',
    ),
    payout: orNull(Decimal),
    fee: orNull(Decimal, 'a payout has no fee: 0'),
    realized_pnl: orNull(Decimal, 'change of realized P&L'),
    available_change: orNull(Decimal, 'collateral_freed + payout, once the payout is settled'),
    reason: orNull(texts(['PAYOUTS_NOT_EXACT']), 'why a value is null: equal shares of a void are not exact'),
    holdings: Type.Array(RedeemedHolding),
  },
  { ...closed, title: 'RedemptionResult' },
)

/** Payouts of the account under each outcome of a market, and if it were void. */
export const RedemptionPreview = Type.Object(
  {
    account_id: Id,
    market_id: Id,
    market_status: Text,
    asset_id: Id,
    open_order_count: Type.Integer({ ...Count, description: 'working orders that the resolution would cancel' }),
    open_order_ids: Type.Array(Id, { description: 'the newest of them' }),
    collateral_freed: Decimal,
    pending_settlement_ids: Type.Array(Id, { description: 'settlements that the payout would wait for' }),
    results: Type.Array(RedemptionResult),
    as_of: Instant,
  },
  { ...closed, title: 'RedemptionPreview' },
)
export type RedemptionPreview = Static<typeof RedemptionPreview>
