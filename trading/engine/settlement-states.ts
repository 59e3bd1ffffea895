import type { SettlementState } from '../../vocabulary/settlement.ts'

/**
 * The closed table of settlement moves: what is not in it does not happen. A failed settlement goes on by a new attempt alone. The two
 * redemption states are reserved: nothing leads there.
 */
export const SETTLEMENT_MOVES: Readonly<Record<SettlementState, readonly SettlementState[]>> = {
  pending: ['submitted'],
  submitted: ['confirmed', 'failed'],
  confirmed: ['reversed'],
  failed: ['submitted'],
  reversed: [],
  redeemable: [],
  redeemed: [],
}

/** Whether the table has the move. */
export function maySettle(from: string, to: SettlementState): boolean {
  return SETTLEMENT_MOVES[from as SettlementState].includes(to)
}
