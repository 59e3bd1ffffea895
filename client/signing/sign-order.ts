import { randomBytes } from 'node:crypto'
import { type OrderToSign, orderMessage } from '../../protocol/signing/order-message.ts'
import { MESSAGE_VERSION, ORDER_TYPE } from '../../protocol/signing/typed-data.ts'
import { keccakText, type MessageSigner, signerAddress, signTyped } from './typed-signer.ts'

type Chosen = Pick<
  OrderToSign,
  | 'account_id'
  | 'market_id'
  | 'outcome_id'
  | 'side'
  | 'limit_price'
  | 'quantity'
  | 'client_order_id'
  | 'maximum_fee'
  | 'maximum_notional'
>
/** An order as its owner wants it. What is left out is as ORDER_DEFAULTS says, and the nonce is a new one. */
export type WantedOrder = Chosen & Partial<Omit<OrderToSign, keyof Chosen | 'signer' | 'signature_version'>>

/** The body of POST /v1/orders; each field is sent, so that what is signed is what is read. */
export type SignedOrderBody = OrderToSign & {
  readonly order_type: 'limit'
  readonly signature_type: MessageSigner['kind']
  readonly order_signature: string
}

export const ORDER_DEFAULTS = {
  time_in_force: 'GTC',
  expires_at: null,
  post_only: false,
  reduce_only: false,
  cancel_on_pause: false,
  self_trade_prevention: 'cancel_taker',
  settlement_asset_id: 'asset_usd',
} as const

/**
 * Signs an order for an environment (SvcOrder).
 * @throws {ServiceError} VALIDATION_*: a value that cannot be signed, such as a decimal with a sign
 */
export async function signOrder(
  wanted: WantedOrder,
  signer: MessageSigner,
  environment: string,
): Promise<SignedOrderBody> {
  const order: OrderToSign = {
    ...ORDER_DEFAULTS,
    order_nonce: newOrderNonce(),
    ...wanted,
    signer: signerAddress(signer),
    signature_version: MESSAGE_VERSION,
  }
  const order_signature = await signTyped(ORDER_TYPE, orderMessage(order, keccakText), environment, signer)
  return { ...order, order_type: 'limit', signature_type: signer.kind, order_signature }
}

/** 128 random bits in decimal digits: no two orders of an account meet. */
export function newOrderNonce(): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`).toString()
}
