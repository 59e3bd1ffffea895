import { keccak256, stringToHex } from 'viem/utils'
import { ORDER_TYPE, type OrderToSign, orderMessage } from '../../../protocol/order/order-terms.ts'
import type { OrderRequest } from '../../../protocol/requests/order-request.ts'
import { type KeccakOfText, MESSAGE_VERSION, typedDomain } from '../../../protocol/signing/typed-data.ts'
import type { OrderSigner } from './order-signer.ts'

const keccak: KeccakOfText = (text) => keccak256(stringToHex(text))

/** Order without the fields that its signer adds. */
export type OrderTerms = Omit<OrderToSign, 'signer' | 'signature_version'>

/**
 * The body of an order, every field of it sent, with the signature over all that can change price, size, side, cost or lifetime.
 * @throws {ServiceError} VALIDATION_*: a value that cannot be signed
 */
export async function signedOrder(terms: OrderTerms, signer: OrderSigner, environment: string): Promise<OrderRequest> {
  const order: OrderToSign = { ...terms, signer: signer.address, signature_version: MESSAGE_VERSION }
  const { name, fields } = ORDER_TYPE
  const order_signature = await signer.sign({
    domain: typedDomain(name, environment, keccak),
    primary_type: name,
    fields,
    message: orderMessage(order, keccak),
  })
  return { ...order, order_type: 'limit', signature_type: 'eoa', order_signature } as OrderRequest
}

/** Returns 128 random bits in decimal digits, unique for each order of an account. */
export function newOrderNonce(): string {
  const [a, b] = crypto.getRandomValues(new BigUint64Array(2))
  return ((a! << 64n) | b!).toString()
}
