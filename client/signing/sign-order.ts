import {
  ORDER_DEFAULTS,
  ORDER_TERMS,
  ORDER_TYPE,
  orderMessage,
  type WantedOrder,
  type WholeOrder,
} from '../../protocol/order/order-terms.ts'
import { MESSAGE_VERSION } from '../../protocol/signing/typed-data.ts'
import { checkedObject, checkedText, refusedArgument } from '../given.ts'
import { randomHex } from '../platform.ts'
import { ofOneClass } from '../tidemark-error.ts'
import { checkedSigner, keccakText, type MessageSigner, signerAddress, signTyped } from './typed-signer.ts'

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
  const address = signerAddress(checkedSigner(signer))
  checkedText(environment, 'environment')
  const order: WholeOrder = {
    ...ORDER_DEFAULTS,
    order_nonce: newOrderNonce(),
    ...checkedObject(wanted, 'wanted'),
    signer: address,
    signature_version: MESSAGE_VERSION,
  }
  checkTerms(order)
  const order_signature = await ofOneClass(async () =>
    signTyped(ORDER_TYPE, orderMessage(order, keccakText), environment, signer),
  )
  return { ...order, order_type: 'limit', signature_type: signer.kind, order_signature }
}

/** Checks the types of the terms; the message checks decimals and numbers. */
function checkTerms(order: WholeOrder): void {
  checkedText(order.client_order_id, 'client_order_id')
  for (const [name, { kind }] of Object.entries(ORDER_TERMS)) {
    const value: unknown = order[name as keyof WholeOrder]
    if (kind === 'order_type' || (kind === 'expiry' && value === null)) continue
    if (kind !== 'flag') checkedText(value, name)
    else if (typeof value !== 'boolean') throw refusedArgument(name, value, 'true, false')
  }
}

/** 128 random bits in decimal digits: no two orders of an account meet. */
export function newOrderNonce(): string {
  return BigInt(`0x${randomHex(16)}`).toString()
}
