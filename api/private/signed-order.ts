import { toMicros } from '../../primitives/instants.ts'
import type { OrderRequest } from '../../protocol/requests/order-request.ts'
import type { OrderToSign } from '../../protocol/signing/order-message.ts'
import type { SignedOrder } from '../../trading/engine/submission.ts'
import { accountRefusal } from './account-refusal.ts'
import { newPrefixedId } from './new-prefixed-id.ts'
import type { PrivateRequest } from './private-request.ts'

/**
 * An order as the engine takes it: what was asked for, under an id of ours, and what was found of its signature. What a body leaves
 * out is signed as what stands here.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: a contract cannot be asked
 */
export async function signedOrder(
  { trading, caller, now }: Pick<PrivateRequest, 'trading' | 'caller' | 'now'>,
  body: OrderRequest,
): Promise<SignedOrder> {
  const order = orderToSign(body)
  const { signature_type, signature_version, order_nonce, order_signature, signed_message = null, labels = null } = body
  const found = await trading.verifier.verifyOrder({
    order,
    signature_type,
    signature: order_signature,
    signed_message,
  })
  const { digest, signer, contract_call } = found
  return {
    // Never another account's: what the engine looks up for an intent, its ids and nonces, is the caller's own.
    intent: intentOf(body, order, caller.account_id, newPrefixedId('ord', now)),
    signature: { signer, order_nonce, signature_type, signature_version, order_signature, digest, contract_call },
    labels,
    verdict: body.account_id === caller.account_id ? found.verdict : accountRefusal(body.account_id),
  }
}

/** Written out, as the intent is: a copy of a body with some fields changed takes several times as long. */
function orderToSign(body: OrderRequest): OrderToSign {
  return {
    account_id: body.account_id,
    signer: body.signer,
    market_id: body.market_id,
    outcome_id: body.outcome_id,
    side: body.side,
    limit_price: body.limit_price,
    quantity: body.quantity,
    time_in_force: body.time_in_force,
    expires_at: body.expires_at ?? null,
    post_only: body.post_only ?? false,
    reduce_only: body.reduce_only ?? false,
    cancel_on_pause: body.cancel_on_pause ?? false,
    self_trade_prevention: body.self_trade_prevention,
    client_order_id: body.client_order_id,
    order_nonce: body.order_nonce,
    maximum_fee: body.maximum_fee,
    maximum_notional: body.maximum_notional,
    settlement_asset_id: body.settlement_asset_id,
    signature_version: body.signature_version,
  }
}

function intentOf(body: OrderRequest, order: OrderToSign, account_id: string, order_id: string): SignedOrder['intent'] {
  return {
    order_id,
    client_order_id: body.client_order_id,
    account_id,
    market_id: body.market_id,
    outcome_id: body.outcome_id,
    side: body.side,
    limit_price: body.limit_price,
    quantity: body.quantity,
    time_in_force: body.time_in_force,
    expires_at: order.expires_at === null ? null : toMicros(order.expires_at, 'expires_at'),
    post_only: order.post_only,
    reduce_only: order.reduce_only,
    cancel_on_pause: order.cancel_on_pause,
    self_trade_prevention: body.self_trade_prevention,
    maximum_fee: body.maximum_fee,
    maximum_notional: body.maximum_notional,
    settlement_asset_id: body.settlement_asset_id,
  }
}
