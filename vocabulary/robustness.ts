/** Why the depth of a constituent is not known, or cannot be traded. */
export const DEPTH_REASONS = [
  'DEPTH_NOT_STORED',
  'DEPTH_NOT_OF_TICK',
  'DEPTH_CROSSED',
  'DEPTH_INSUFFICIENT',
  'MARK_NOT_FROM_BOOK',
  'PRICE_UNIT_NOT_PROBABILITY',
  'SEVERAL_LEGS',
] as const
export type DepthReason = (typeof DEPTH_REASONS)[number]

/** Why a band or a cost has no value: a depth is missing, or the level is 0 and no notional can be held or moved. */
export const TRADE_REASONS = [...DEPTH_REASONS, 'LEVEL_ZERO'] as const
export type TradeReason = (typeof TRADE_REASONS)[number]

/**
 * Payouts that a preview of a resolution assumes.
 *   winner        1 for the outcome that wins, 0 for the others
 *   equal_shares  a void market pays each outcome the same share of 1
 *   none          a void market pays nothing, and its marks are frozen
 */
export const PAYOUT_RULES = ['winner', 'equal_shares', 'none'] as const
export type PayoutRule = (typeof PAYOUT_RULES)[number]

/** Why a void market leaves no level that can be previewed. */
export const VOID_REASONS = ['PAYOUTS_NOT_EXACT', 'MARK_NOT_STATED', 'NO_FRESH_INPUT'] as const
export type VoidReason = (typeof VOID_REASONS)[number]
