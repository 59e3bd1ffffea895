import Type, { type Static } from 'typebox'
import { closed, Decimal, Id, Instant, orNull, Quantity, texts } from '../scalars.ts'

/** Periods of profit and loss, in UTC: since midnight, Monday, the first of the month, and the account's beginning. */
export const PNL_PERIODS = ['day', 'week', 'month', 'all'] as const
export type PnlPeriod = (typeof PNL_PERIODS)[number]

const missing = Type.Array(Id, { description: 'outcomes without a mark, for whose sake a value is null' })

/** Profit and loss of a period: total_pnl = realized_pnl + unrealized_pnl_change - fees. */
const PeriodPnl = Type.Object(
  {
    period: texts(PNL_PERIODS),
    from: Instant,
    realized_pnl: Decimal,
    unrealized_pnl_change: orNull(Decimal),
    fees: Decimal,
    total_pnl: orNull(Decimal),
    missing_mark_outcome_ids: missing,
  },
  { ...closed, title: 'PeriodPnl' },
)

/** Money and holdings in one asset: projected_equity = total - pending debit + pending credit + holdings_value. */
const AssetSummary = Type.Object(
  {
    asset_id: Id,
    total: Decimal,
    buying_power: Type.String({ ...Decimal, description: 'available for orders and withdrawals' }),
    reserved: Quantity,
    withdrawal_hold: Quantity,
    pending_settlement_debit: Quantity,
    pending_settlement_credit: Decimal,
    holdings_value: orNull(Decimal, 'sum of net_quantity x mark; short positions count below zero'),
    projected_equity: orNull(Decimal),
    missing_mark_outcome_ids: missing,
    pnl: Type.Array(PeriodPnl),
  },
  { ...closed, title: 'AssetSummary' },
)

const exposure = {
  asset_id: Id,
  net_value: orNull(Decimal, 'sum of net_quantity x mark'),
  gross_value: orNull(Decimal, 'sum of |net_quantity| x mark'),
  reserved: Type.String({ ...Quantity, description: 'held for open orders and short positions' }),
  missing_mark_outcome_ids: missing,
} as const

const MarketExposure = Type.Object(
  { market_id: Id, event_id: orNull(Id), ...exposure },
  { ...closed, title: 'MarketExposure' },
)
const EventExposure = Type.Object({ event_id: Id, ...exposure }, { ...closed, title: 'EventExposure' })

/** Equity, buying power, exposure, and profit and loss of an account. */
export const AccountSummary = Type.Object(
  {
    account_id: Id,
    as_of: Instant,
    assets: Type.Array(AssetSummary),
    markets: Type.Array(MarketExposure, { description: 'markets in which something is held or reserved' }),
    events: Type.Array(EventExposure, { description: 'the same by event; markets without one are left out' }),
    exposures_left_out: Type.Integer({ minimum: 0, description: 'markets beyond the first 1,000 by market_id' }),
  },
  { ...closed, title: 'AccountSummary' },
)
export type AccountSummary = Static<typeof AccountSummary>

/** Equity of an account in one asset at one instant. */
export const EquityPoint = Type.Object(
  {
    at: Instant,
    asset_id: Id,
    cash: Type.String({ ...Decimal, description: 'total - pending debit + pending credit' }),
    holdings_value: orNull(Decimal),
    equity: orNull(Decimal, 'cash + holdings_value'),
    net_deposits: Type.String({ ...Decimal, description: 'deposits less withdrawals, since the beginning' }),
    missing_mark_outcome_ids: missing,
  },
  { ...closed, title: 'EquityPoint' },
)
export type EquityPoint = Static<typeof EquityPoint>
