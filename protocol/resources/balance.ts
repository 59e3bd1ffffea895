import Type, { type Static } from 'typebox'
import { closed, Decimal, Id, Instant, Quantity, Sequence } from '../scalars.ts'

/** Money in one asset: available + reserved + withdrawal_hold = total - pending_settlement_debit. */
export const Balance = Type.Object(
  {
    balance_id: Id,
    account_id: Id,
    asset_id: Id,
    total: Decimal,
    available: Decimal,
    reserved: Quantity,
    pending_settlement_credit: Decimal,
    pending_settlement_debit: Quantity,
    withdrawal_hold: Quantity,
    projection_version: Sequence,
    ledger_sequence: Sequence,
    engine_sequence: Sequence,
    as_of: Instant,
  },
  { ...closed, title: 'Balance' },
)
export type Balance = Static<typeof Balance>
