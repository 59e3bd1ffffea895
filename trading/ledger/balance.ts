import { plus } from '../../primitives/safe-integers.ts'

/**
 * One account's money in one asset, in its smallest unit:
 *   available = total - reserved - withdrawal_hold - pending_settlement_debit
 */
export type Balance = {
  readonly account_id: string
  readonly asset_id: string
  total: number
  /** The sum of its positions' requirements. */
  reserved: number
  withdrawal_hold: number
  pending_settlement_debit: number
  pending_settlement_credit: number
  projection_version: number
  /** Whether it has changed in this batch. */
  changed: boolean
}

/** Returns an empty balance. */
export function emptyBalance(account_id: string, asset_id: string): Balance {
  return {
    account_id,
    asset_id,
    total: 0,
    reserved: 0,
    withdrawal_hold: 0,
    pending_settlement_debit: 0,
    pending_settlement_credit: 0,
    projection_version: 0,
    changed: false,
  }
}

/** Returns the money available for new orders and withdrawals; never below 0. */
export function availableOf({ total, reserved, withdrawal_hold, pending_settlement_debit }: Balance): number {
  return plus(total, -(reserved + withdrawal_hold + pending_settlement_debit))
}
