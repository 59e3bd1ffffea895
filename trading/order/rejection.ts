/** Why stages 5 to 8 refuse an order, or a command on one. */
export const REJECTION_CODES = [
  'RISK_ACCOUNT_BLOCKED',
  'MARKET_NOT_FOUND',
  'MARKET_OUTCOME_NOT_FOUND',
  'MARKET_NOT_TRADABLE',
  'ORDER_SETTLEMENT_ASSET_INVALID',
  'ORDER_TICK_SIZE_INVALID',
  'ORDER_PRICE_OUT_OF_RANGE',
  'ORDER_LOT_SIZE_INVALID',
  'ORDER_TIF_INCOMPATIBLE',
  'RISK_MAX_NOTIONAL_EXCEEDED',
  'RISK_MAX_FEE_EXCEEDED',
  'RISK_PRICE_PROTECTION',
  'ORDER_REDUCE_ONLY_NO_POSITION',
  'BALANCE_INSUFFICIENT_POSITION',
  'RISK_POSITION_LIMIT_EXCEEDED',
  'BALANCE_INSUFFICIENT_COLLATERAL',
  'ORDER_POST_ONLY_WOULD_TAKE',
  'ORDER_FOK_NOT_FILLABLE',
  'ORDER_AMEND_NOT_ALLOWED',
  'ORDER_NOT_CANCELABLE',
  'ORDER_VERSION_CONFLICT',
] as const
export type RejectionCode = (typeof REJECTION_CODES)[number]

export type Rejection = { readonly code: RejectionCode; readonly message: string }

/** Tells a rejection from what was asked for. */
export function isRejection(value: object | number): value is Rejection {
  return typeof value === 'object' && (value as Partial<Rejection>).code !== undefined
}
