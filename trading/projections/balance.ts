import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { Balance } from '../../protocol/resources/balance.ts'
import type { BalanceRow } from './rows.ts'

/** Returns the public form of a balance. @param as_of the instant of the row */
export function balanceResource(
  row: BalanceRow,
  { asset_scale, as_of }: { readonly asset_scale: number; readonly as_of: Micros },
): Balance {
  const money = (value: number) => fromScaled(BigInt(value), asset_scale)
  const { total, reserved, withdrawal_hold, pending_settlement_debit } = row
  return {
    balance_id: balanceId(row.account_id, row.asset_id),
    account_id: row.account_id,
    asset_id: row.asset_id,
    total: money(total),
    available: money(total - reserved - withdrawal_hold - pending_settlement_debit),
    reserved: money(reserved),
    pending_settlement_credit: money(row.pending_settlement_credit),
    pending_settlement_debit: money(pending_settlement_debit),
    withdrawal_hold: money(withdrawal_hold),
    projection_version: row.projection_version,
    ledger_sequence: row.ledger_sequence,
    engine_sequence: row.engine_sequence,
    as_of: formatMicros(as_of),
  }
}

/** Returns the id of an account's balance in an asset; it never changes. */
function balanceId(account_id: string, asset_id: string): string {
  return deriveId('bal', account_id, asset_id)
}
