import {
  ORDER_DEFAULTS,
  ORDER_TYPE,
  orderMessage,
  type WantedOrder,
  type WholeOrder,
} from '../../protocol/order/order-terms.ts'
import { MESSAGE_VERSION } from '../../protocol/signing/typed-data.ts'
import { randomHex } from '../platform.ts'
import { ofOneClass } from '../tidemark-error.ts'
import { keccakText, type MessageSigner, signerAddress, signTyped } from './typed-signer.ts'

/** The body of POST /v1/orders; each field is sent, so that what is signed is what is read. */
export type SignedOrderBody = WholeOrder & {
  readonly order_type: 'limit'
  readonly signature_type: MessageSigner['kind']
  readonly order_signature: string
}

/**
 * Signs an order for an environment (SvcOrder).
 * @throws {TidemarkError} VALIDATION_*: a value that cannot be signed, such as a decimal with a sign
 */
export async function signOrder(
  wanted: WantedOrder,
  signer: MessageSigner,
  environment: string,
): Promise<SignedOrderBody> {
  const order: WholeOrder = {
    ...ORDER_DEFAULTS,
    order_nonce: newOrderNonce(),
    ...wanted,
    signer: signerAddress(signer),
    signature_version: MESSAGE_VERSION,
  }
  const order_signature = await ofOneClass(async () =>
    signTyped(ORDER_TYPE, orderMessage(order, keccakText), environment, signer),
  )
  return { ...order, order_type: 'limit', signature_type: signer.kind, order_signature }
}

/** 128 random bits in decimal digits: no two orders of an account meet. */
export function newOrderNonce(): string {
  return BigInt(`0x${randomHex(16)}`).toString()
}
