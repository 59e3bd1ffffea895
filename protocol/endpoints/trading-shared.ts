import type { ErrorCode } from '../../primitives/error-codes.ts'
import { SIGNED_REQUESTS } from '../limits.ts'
import { idOf } from '../scalars.ts'
import { instant, type Parameter } from './parameter.ts'

/** Parts that several groups of private endpoints share. */

/** Properties of a signed read. */
export const READ = {
  method: 'GET',
  body: null,
  idempotent: false,
  success: 200,
  cost: 1,
  cost_each: null,
  cache: 'none',
  stream_cursor: false,
  refused_with_data: null,
  limit_class: 'account_read',
} as const

/** Properties of a signed write. */
export const WRITE = {
  ...READ,
  method: 'POST',
  idempotent: true,
  path_parameters: {},
  query: {},
  envelope: 'single',
  limit_class: 'order_write',
} as const

/** Errors of stage 4 of an order: its signature. */
export const SIGNATURE_ERRORS = [
  'SIGNATURE_INVALID',
  'SIGNATURE_TYPE_UNSUPPORTED',
  'SIGNATURE_ORDER_MISMATCH',
  'SIGNATURE_ORDER_EXPIRED',
  'SIGNATURE_SIGNER_UNAUTHORIZED',
  'REPLAY_ORDER_NONCE_REUSED',
  'ACCOUNT_NOT_FOUND',
] as const satisfies readonly ErrorCode[]

/** Errors of stages 5 to 8 of an order. */
export const REJECTIONS = [
  'RISK_ACCOUNT_BLOCKED',
  'MARKET_NOT_FOUND',
  'MARKET_OUTCOME_NOT_FOUND',
  'MARKET_NOT_TRADABLE',
  'ORDER_SETTLEMENT_ASSET_INVALID',
  'ORDER_TICK_SIZE_INVALID',
  'ORDER_PRICE_OUT_OF_RANGE',
  'ORDER_LOT_SIZE_INVALID',
  'ORDER_TIF_INCOMPATIBLE',
  'RISK_MARKET_MAKER_PROTECTION',
  'RISK_MAX_NOTIONAL_EXCEEDED',
  'RISK_MAX_FEE_EXCEEDED',
  'RISK_PRICE_PROTECTION',
  'ORDER_REDUCE_ONLY_NO_POSITION',
  'ORDER_REDUCE_ONLY_TOO_LARGE',
  'BALANCE_INSUFFICIENT_POSITION',
  'RISK_POSITION_LIMIT_EXCEEDED',
  'RISK_OPEN_ORDER_LIMIT',
  'BALANCE_INSUFFICIENT_COLLATERAL',
  'ORDER_POST_ONLY_WOULD_TAKE',
] as const satisfies readonly ErrorCode[]

export const MARKET_FILTER = idOf('mkt', 'market_id')
export const OUTCOME_FILTER = idOf('out', 'outcome_id')

/** Half-open ranges: `after` includes the instant itself, `before` does not. */
export const after = (what: string): Parameter => instant(`only ${what} at or after this instant`)
export const before = (what: string): Parameter => instant(`only ${what} before this instant`)

const hours = SIGNED_REQUESTS.idempotency_retention_ms / 3_600_000
export const ONCE = `For ${hours} hours, a repeated request with the same Idempotency-Key and body returns the first response.`
