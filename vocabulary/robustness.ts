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
