import type { DecimalString } from '../../primitives/decimal-string.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type Instant, MICROS_PER_SECOND, toMicros } from '../../primitives/instants.ts'
import { USUAL_SELF_TRADE } from '../../vocabulary/order.ts'
import { checkedAddress, checkedUint256, signedDecimal } from '../signing/signed-scalars.ts'
import type { Hex, KeccakOfText } from '../signing/typed-data.ts'

type Term = {
  /** Form of the value. Requests, answers and the engine have one schema or type for each kind. */
  readonly kind: string
  /** Value that our clients send unless their user chooses another; none: the user must choose. */
  readonly default?: string | boolean | null
  /** Effect of a flag that is set, in the words of the order ticket. */
  readonly effect?: string
}

/**
 * The terms of an order, described once: everything that its owner decides. Request schema, answer schema, signed message, engine and
 * table `trading.orders` use these names, in this order. All but order_type are signed and stored; a request may leave out order_type,
 * the expiry and the flags, which then have their defaults.
 */
export const ORDER_TERMS = {
  account_id: { kind: 'account_id' },
  market_id: { kind: 'market_id' },
  outcome_id: { kind: 'outcome_id' },
  side: { kind: 'side' },
  order_type: { kind: 'order_type', default: 'limit' },
  limit_price: { kind: 'decimal' },
  quantity: { kind: 'decimal' },
  time_in_force: { kind: 'time_in_force', default: 'GTC' },
  expires_at: { kind: 'expiry', default: null },
  post_only: { kind: 'flag', default: false, effect: 'rejected if any part would execute at once' },
  reduce_only: { kind: 'flag', default: false, effect: 'only what reduces the position' },
  cancel_on_pause: { kind: 'flag', default: false, effect: 'canceled when the market is paused' },
  self_trade_prevention: { kind: 'self_trade_prevention', default: USUAL_SELF_TRADE },
  maximum_fee: { kind: 'decimal' },
  maximum_notional: { kind: 'decimal' },
  settlement_asset_id: { kind: 'asset_id', default: 'asset_usd' },
} as const satisfies Readonly<Record<string, Term>>

type Terms = typeof ORDER_TERMS
type TermName = keyof Terms
export type TermKind = Terms[TermName]['kind']
type TermOfKind<K extends TermKind> = { [F in TermName]: Terms[F]['kind'] extends K ? F : never }[TermName]

/** One entry for each term, given one for each kind. */
export type ByTerm<K extends Record<TermKind, unknown>> = { readonly [F in TermName]: K[Terms[F]['kind']] }

/** Gives each term the entry of its kind, in the order of the terms. */
export function byTerm<const K extends Record<TermKind, unknown>>(of_kind: K): ByTerm<K> {
  const entries = Object.entries(ORDER_TERMS).map(([name, { kind }]) => [name, of_kind[kind]])
  return Object.fromEntries(entries) as ByTerm<K>
}

type Defaulted = Exclude<{ [F in TermName]: Terms[F] extends { default: unknown } ? F : never }[TermName], 'order_type'>
/** Terms that our clients send unless their user chooses others. */
export const ORDER_DEFAULTS = Object.fromEntries(
  Object.entries(ORDER_TERMS).flatMap(([name, term]) =>
    'default' in term && name !== 'order_type' ? [[name, term.default]] : [],
  ),
) as { readonly [F in Defaulted]: Terms[F]['default'] }

export type OrderFlag = TermOfKind<'flag'>
export const ORDER_FLAGS = (Object.keys(ORDER_TERMS) as TermName[]).filter(isFlag)

function isFlag(name: TermName): name is OrderFlag {
  return ORDER_TERMS[name].kind === 'flag'
}

type SentValues = Record<Exclude<TermKind, 'flag' | 'expiry' | 'decimal'>, string> & {
  readonly decimal: DecimalString
  readonly flag: boolean
  /** Whole seconds; null: the order does not expire. */
  readonly expiry: Instant | null
}
type Omittable = OrderFlag | TermOfKind<'expiry'>

/** Every signed field of an order's body, as it is sent. */
export type WholeOrder = Omit<ByTerm<SentValues>, 'order_type'> & {
  readonly client_order_id: string
  /** 0x and 40 hex digits. */
  readonly signer: string
  /** uint256 in decimal digits. */
  readonly order_nonce: string
  readonly signature_version: string
}

/** The signed fields of a body; one that is left out is signed as its default. */
export type OrderToSign = Omit<WholeOrder, Omittable> & Partial<Pick<WholeOrder, Omittable>>

/** An order as its owner chooses it; what has a default may be left out, and a nonce is made. */
export type WantedOrder = Omit<WholeOrder, Defaulted | 'order_nonce' | 'signer' | 'signature_version'> &
  Partial<Pick<WholeOrder, Defaulted | 'order_nonce'>>

/** Terms that may leave out the cap on limit_price x quantity, which is then exactly their product. */
export type OptionalNotional = Omit<WantedOrder, 'maximum_notional'> & {
  /** The most that limit_price x quantity may be; signed. Default: exactly their product. */
  readonly maximum_notional?: DecimalString
}

/** Fills in the default of the cap on limit_price x quantity. @param multiply exact product of two decimals */
export function withNotional(
  wanted: OptionalNotional,
  multiply: (limit_price: DecimalString, quantity: DecimalString) => DecimalString,
): WantedOrder {
  return { ...wanted, maximum_notional: wanted.maximum_notional ?? multiply(wanted.limit_price, wanted.quantity) }
}

/** Type of the signed message (EIP-712): see `encodedType`. */
export const ORDER_TYPE = {
  name: 'SvcOrder',
  fields: [
    { name: 'account', type: 'string' },
    { name: 'signer', type: 'address' },
    { name: 'market', type: 'string' },
    { name: 'outcome', type: 'string' },
    { name: 'side', type: 'string' },
    { name: 'limit_price_integer', type: 'uint128' },
    { name: 'limit_price_scale', type: 'uint8' },
    { name: 'quantity_integer', type: 'uint128' },
    { name: 'quantity_scale', type: 'uint8' },
    { name: 'time_in_force', type: 'string' },
    { name: 'expiry', type: 'uint64' },
    { name: 'post_only', type: 'bool' },
    { name: 'reduce_only', type: 'bool' },
    { name: 'cancel_on_pause', type: 'bool' },
    { name: 'self_trade_prevention', type: 'string' },
    { name: 'client_order_id_hash', type: 'bytes32' },
    { name: 'nonce', type: 'uint256' },
    { name: 'maximum_fee_integer', type: 'uint128' },
    { name: 'maximum_fee_scale', type: 'uint8' },
    { name: 'maximum_notional_integer', type: 'uint128' },
    { name: 'maximum_notional_scale', type: 'uint8' },
    { name: 'settlement_asset', type: 'string' },
    { name: 'signature_version', type: 'string' },
  ],
} as const

type MessageValues = {
  readonly string: string
  readonly address: Hex
  readonly bytes32: Hex
  readonly bool: boolean
  readonly uint8: number
  readonly uint64: bigint
  readonly uint128: bigint
  readonly uint256: bigint
}
/** A SvcOrder. */
export type OrderMessage = {
  readonly [F in (typeof ORDER_TYPE.fields)[number] as F['name']]: MessageValues[F['type']]
}

/**
 * Makes the message that an order's body is signed as. No other field of the body has an economic effect.
 * @throws {ServiceError} VALIDATION_DECIMAL_INVALID, VALIDATION_INSTANT_INVALID (a fraction of a second too), VALIDATION_BODY_INVALID:
 *   a value that cannot be signed; these belong to stage 1, so the message is made before any other check
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
    expiry: BigInt(expirySeconds(body.expires_at ?? null)),
    post_only: body.post_only ?? false,
    reduce_only: body.reduce_only ?? false,
    cancel_on_pause: body.cancel_on_pause ?? false,
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
    `expires_at is ${JSON.stringify(expires_at)}; allowed: an instant after 1970 in whole seconds, such as 2026-01-17T00:00:00Z`,
    { field: 'expires_at', value: expires_at },
  )
}
