import type { DecimalString } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type Instant, MICROS_PER_SECOND, toMicros } from '../../primitives/instants.ts'
import { checkedAddress, checkedUint256 } from './signed-scalars.ts'
import type { Hex, KeccakOfText } from './typed-data.ts'

/** A decimal as a typed message carries it. */
export type SignedDecimal = {
  /** In [0, 2^128). */
  readonly integer: bigint
  /** In [0, 18]. */
  readonly scale: number
}

/** Decimals that can be signed: no sign, no leading zeros, at most 18 fraction digits. */
const SIGNED_DECIMAL_PATTERN = /^(0|[1-9]\d*)(\.\d{1,18})?$/

/** 39 digits and a point: the longest decimal that can be below 2^128. Nothing longer is read. */
const LENGTH_MAX = 40
const UINT128 = 1n << 128n

/**
 * The pair of a decimal as it is written: its digits without the point, and the number of its fraction digits. "0.52" is 52 scale 2,
 * "100.00" is 10000 scale 2.
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID names `field` and the value
 */
export function signedDecimal(text: DecimalString, field: string): SignedDecimal {
  if (typeof text === 'string' && text.length <= LENGTH_MAX && SIGNED_DECIMAL_PATTERN.test(text)) {
    const point = text.indexOf('.')
    const integer = BigInt(text.replace('.', ''))
    if (integer < UINT128) return { integer, scale: point < 0 ? 0 : text.length - point - 1 }
  }
  throw new ServiceError(
    'VALIDATION_DECIMAL_INVALID',
    `${field} is ${JSON.stringify(text)}; allowed: a decimal string of at most 18 fraction digits below 2^128, without sign or leading zeros`,
    { field, value: String(text) },
  )
}

/** The fields of an order's body that are signed, as they are sent. */
export type OrderToSign = {
  readonly account_id: string
  /** 0x and 40 hex digits. */
  readonly signer: string
  readonly market_id: string
  readonly outcome_id: string
  readonly side: string
  readonly limit_price: DecimalString
  readonly quantity: DecimalString
  readonly time_in_force: string
  /** Whole seconds; null: none. */
  readonly expires_at: Instant | null
  readonly post_only: boolean
  readonly reduce_only: boolean
  readonly cancel_on_pause: boolean
  readonly self_trade_prevention: string
  readonly client_order_id: string
  /** uint256 in decimal digits. */
  readonly order_nonce: string
  readonly maximum_fee: DecimalString
  readonly maximum_notional: DecimalString
  readonly settlement_asset_id: string
  readonly signature_version: string
}

/** A SvcOrder: see ORDER_TYPE. */
export type OrderMessage = {
  readonly account: string
  readonly signer: Hex
  readonly market: string
  readonly outcome: string
  readonly side: string
  readonly limit_price_integer: bigint
  readonly limit_price_scale: number
  readonly quantity_integer: bigint
  readonly quantity_scale: number
  readonly time_in_force: string
  readonly expiry: bigint
  readonly post_only: boolean
  readonly reduce_only: boolean
  readonly cancel_on_pause: boolean
  readonly self_trade_prevention: string
  readonly client_order_id_hash: Hex
  readonly nonce: bigint
  readonly maximum_fee_integer: bigint
  readonly maximum_fee_scale: number
  readonly maximum_notional_integer: bigint
  readonly maximum_notional_scale: number
  readonly settlement_asset: string
  readonly signature_version: string
}

/**
 * The message that an order's body stands for: nothing else of the body has an economic effect.
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID, VALIDATION_INSTANT_INVALID (a fraction of a second too), VALIDATION_BODY_INVALID:
 *   a value that cannot be signed; the shape of a body is stage 1, so it is made before anything else is asked
 */
export function orderMessage(body: OrderToSign, keccak: KeccakOfText): OrderMessage {
  const price = signedDecimal(body.limit_price, 'limit_price')
  const quantity = signedDecimal(body.quantity, 'quantity')
  const fee = signedDecimal(body.maximum_fee, 'maximum_fee')
  const notional = signedDecimal(body.maximum_notional, 'maximum_notional')
  return {
    account: body.account_id,
    signer: checkedAddress(body.signer, 'signer'),
    market: body.market_id,
    outcome: body.outcome_id,
    side: body.side,
    limit_price_integer: price.integer,
    limit_price_scale: price.scale,
    quantity_integer: quantity.integer,
    quantity_scale: quantity.scale,
    time_in_force: body.time_in_force,
    expiry: BigInt(expirySeconds(body.expires_at)),
    post_only: body.post_only,
    reduce_only: body.reduce_only,
    cancel_on_pause: body.cancel_on_pause,
    self_trade_prevention: body.self_trade_prevention,
    client_order_id_hash: keccak(body.client_order_id),
    nonce: checkedUint256(body.order_nonce, 'order_nonce'),
    maximum_fee_integer: fee.integer,
    maximum_fee_scale: fee.scale,
    maximum_notional_integer: notional.integer,
    maximum_notional_scale: notional.scale,
    settlement_asset: body.settlement_asset_id,
    signature_version: body.signature_version,
  }
}

/**
 * Unix seconds of an expiry; 0 for none.
 * @throws {ServiceError} VALIDATION_INSTANT_INVALID: no instant after 1970, or a fraction of a second, which a message cannot carry
 */
function expirySeconds(expires_at: Instant | null): number {
  if (expires_at === null) return 0
  const micros = toMicros(expires_at, 'expires_at')
  if (micros > 0 && micros % MICROS_PER_SECOND === 0) return micros / MICROS_PER_SECOND
  throw new ServiceError(
    'VALIDATION_INSTANT_INVALID',
    `expires_at is ${JSON.stringify(expires_at)}; allowed: an instant after 1970 in whole seconds`,
    { field: 'expires_at', value: expires_at },
  )
}
