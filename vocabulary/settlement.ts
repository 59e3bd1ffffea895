/** States of a settlement (docs/state-machines/settlement.md). */
export const SETTLEMENT_STATES = [
  'pending',
  'submitted',
  'confirmed',
  'failed',
  'reversed',
  'redeemable',
  'redeemed',
] as const
export type SettlementState = (typeof SETTLEMENT_STATES)[number]

/** States of a settlement whose money has not moved yet. */
export const UNCONFIRMED_STATES: readonly SettlementState[] = ['pending', 'submitted', 'failed']

/** Effect of an adjustment on a fill: bust undoes it, amend changes its amounts. */
export const ADJUSTMENT_TYPES = ['bust', 'amend'] as const
export type AdjustmentType = (typeof ADJUSTMENT_TYPES)[number]
