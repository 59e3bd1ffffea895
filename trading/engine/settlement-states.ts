import type { SettlementState } from '../../vocabulary/settlement.ts'

/**
 * Closed table of settlement moves. A failed settlement continues only with a new attempt. The two redemption states are
 * reserved: no move leads there.
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
