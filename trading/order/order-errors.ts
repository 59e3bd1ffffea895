import type { REJECTIONS } from '../../protocol/endpoints/trading-shared.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'

/**
 * Codes with which stages 5 to 8 refuse an order, or a command on one: those of placing, quoting, replacing and canceling.
 */
type RejectionCode =
  | (typeof REJECTIONS)[number]
  | 'ORDER_MASS_QUOTE_CROSSED'
  | 'ORDER_FOK_NOT_FILLABLE'
  | 'ORDER_FAK_NOT_FILLABLE'
  | 'ORDER_AMEND_NOT_ALLOWED'
  | 'ORDER_NOT_CANCELABLE'
  | 'ORDER_VERSION_CONFLICT'

export type Rejection = { readonly code: RejectionCode; readonly message: string }

/** Whether a result is a rejection. */
export function isRejection(value: object | number): value is Rejection {
  return typeof value === 'object' && (value as Partial<Rejection>).code !== undefined
}

/**
 * Rejections of stages 5 to 8 and of commands on an order: each code with the form of its message. Values are texts as the caller
 * wrote them, or decimals at the scale of their market or asset.
 */
export const orderErrors = {
  account_blocked: (account_id: string) =>
    rejection('RISK_ACCOUNT_BLOCKED', `account ${account_id} may not place orders`),
  market_unknown: (market_id: string) =>
    rejection(
      'MARKET_NOT_FOUND',
      `market ${market_id} is not listed here; allowed: a market of venue tidemark, as GET /v1/markets?venue_id=tidemark lists them`,
    ),
  market_elsewhere: (market_id: string) =>
    rejection(
      'MARKET_NOT_TRADABLE',
      `market ${market_id} is one of another venue; allowed: a market of venue tidemark`,
    ),
  outcome_unknown: (outcome_id: string, market_id: string) =>
    rejection('MARKET_OUTCOME_NOT_FOUND', `outcome ${outcome_id} does not belong to market ${market_id}`),
  market_closed: (market_id: string, status: MarketStatus) =>
    rejection('MARKET_NOT_TRADABLE', `market ${market_id} is ${status}; allowed: open`),
  asset_invalid: (asset_id: string, expected: string) =>
    rejection('ORDER_SETTLEMENT_ASSET_INVALID', `settlement_asset_id is ${asset_id}; allowed: ${expected}`),
  off_tick: (price: string, increment: string) =>
    rejection('ORDER_TICK_SIZE_INVALID', `limit_price is ${price}; allowed: a multiple of ${increment}`),
  price_out_of_range: (price: string, min: string, max: string) =>
    rejection('ORDER_PRICE_OUT_OF_RANGE', `limit_price is ${price}; allowed: ${min} to ${max}`),
  off_lot: (quantity: string, increment: string, minimum: string, maximum: string) =>
    rejection(
      'ORDER_LOT_SIZE_INVALID',
      `quantity is ${quantity}; allowed: a multiple of ${increment} from ${minimum} to ${maximum}`,
    ),
  time_in_force: (message: string) => rejection('ORDER_TIF_INCOMPATIBLE', message),
  frozen: (market_id: string, until: string) =>
    rejection(
      'RISK_MARKET_MAKER_PROTECTION',
      `the protection of market ${market_id} was triggered; allowed: orders after ${until}, or after its reset`,
    ),
  above_maximum_notional: (notional: string, maximum: string) =>
    rejection(
      'RISK_MAX_NOTIONAL_EXCEEDED',
      `limit_price x quantity is ${notional}; allowed: at most maximum_notional ${maximum}`,
    ),
  above_maximum_fee: (fee: string, maximum: string) =>
    rejection('RISK_MAX_FEE_EXCEEDED', `the fee can be ${fee}; allowed: at most maximum_fee ${maximum}`),
  outside_price_band: (price: string, band: string, mark: string) =>
    rejection('RISK_PRICE_PROTECTION', `limit_price is ${price}; allowed: at most ${band} worse than the mark ${mark}`),
  nothing_to_reduce: (quantity: string, reducible: string) =>
    rejection(
      'ORDER_REDUCE_ONLY_NO_POSITION',
      `reduce_only order of ${quantity}; the position can be reduced by ${reducible}`,
    ),
  reduces_too_much: (quantity: string, largest: string) =>
    rejection('ORDER_REDUCE_ONLY_TOO_LARGE', `reduce_only order of ${quantity}; allowed: at most ${largest}`),
  short_not_permitted: (quantity: string, free: string) =>
    rejection(
      'BALANCE_INSUFFICIENT_POSITION',
      `quantity is ${quantity}; available to sell: ${free}, and the market permits no shorting`,
    ),
  above_position_limit: (reached: string, limit: string) =>
    rejection('RISK_POSITION_LIMIT_EXCEEDED', `the position could become ${reached}; allowed: at most ${limit}`),
  too_many_orders: (limit: number, market_id: string | null) =>
    rejection(
      'RISK_OPEN_ORDER_LIMIT',
      `the account has ${limit} open orders${market_id === null ? '' : ` in market ${market_id}`}; allowed: at most ${limit}; cancel some first`,
    ),
  insufficient_collateral: (needed: string, asset_id: string, available: string) =>
    rejection('BALANCE_INSUFFICIENT_COLLATERAL', `the order needs ${needed} of ${asset_id}; available: ${available}`),
  would_take: () => rejection('ORDER_POST_ONLY_WOULD_TAKE', 'post_only order would execute at once; nothing of it did'),
  quotes_cross: (first: string, second: string) =>
    rejection(
      'ORDER_MASS_QUOTE_CROSSED',
      `${first} and ${second} would trade with each other; allowed: a ladder without such a pair`,
    ),
  replacement_not_fillable: (time_in_force: 'FOK' | 'FAK') =>
    time_in_force === 'FOK'
      ? rejection('ORDER_FOK_NOT_FILLABLE', 'the replacement cannot fill at once; the order is as it was')
      : rejection('ORDER_FAK_NOT_FILLABLE', 'the replacement would execute nothing; the order is as it was'),
  amend_not_allowed: (field: string, value: string, before: string) =>
    rejection('ORDER_AMEND_NOT_ALLOWED', `${field} is ${value}; allowed in an amend: ${before}, as before`),
  not_cancelable: (order_id: string) =>
    rejection('ORDER_NOT_CANCELABLE', `order ${order_id} has ended; allowed: a working order`),
  version_conflict: (expected: number, current: number) =>
    rejection('ORDER_VERSION_CONFLICT', `expected_order_version is ${expected}; the order is at ${current}`),
}

function rejection(code: RejectionCode, message: string): Rejection {
  return { code, message }
}
