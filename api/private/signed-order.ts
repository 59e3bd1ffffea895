import { isServiceError } from '../../primitives/errors.ts'
import type { OrderRequest } from '../../protocol/requests/order-request.ts'
import type { SignedOrder } from '../../trading/engine/submission.ts'
import { orderIntent } from '../../trading/projections/order.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import { refusedAccount } from './account-refusal.ts'
import { newPrefixedId } from './new-prefixed-id.ts'
import type { PrivateRequest } from './private-request.ts'

/**
 * Makes the order that is submitted to the engine: the body's terms under a new order id, and the verdict on its signature.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: a contract cannot be called
 */
export async function signedOrder(
  { trading, caller, now, reader }: Pick<PrivateRequest, 'trading' | 'caller' | 'now' | 'reader'>,
  body: OrderRequest,
): Promise<SignedOrder> {
  const { signature_type, signature_version, order_nonce, order_signature, signed_message = null, labels = null } = body
  const found = await trading.verifier.verifyOrder({
    order: body,
    signature_type,
    signature: order_signature,
    signed_message,
  })
  const { digest, signer, contract_call } = found
  return {
    intent: orderIntent(body, caller.account_id, newPrefixedId('ord', now)),
    signature: { signer, order_nonce, signature_type, signature_version, order_signature, digest, contract_call },
    labels,
    is_published_market: isPublished(reader, body.market_id),
    verdict: refusedAccount(caller, body.account_id) ?? found.verdict,
  }
}

/** Returns whether the catalogue shows a market. One that is not read yet shows none: an order does not wait for the warehouse. */
function isPublished(reader: Reader, market_id: string): boolean {
  try {
    return reader.catalog(null).market(market_id) !== null
  } catch (error) {
    if (isServiceError(error, 'SERVICE_UNAVAILABLE')) return false
    throw error
  }
}
