import type {
  AmendRequest,
  CancelAfterRequest,
  CancelRequest,
  OrderBatchRequest,
  OrderRequest,
} from '../../../protocol/requests/order-request.ts'
import { refusedAccount, refusedReference } from '../account-refusal.ts'
import type { PrivateAnswer, PrivateHandlers, PrivateRequest } from '../private-request.ts'
import { signedOrder } from '../signed-order.ts'
import { identityOf, submit } from '../submit.ts'
import { cancelAllOrders } from './cancel-all-orders.ts'
import { previewOrder } from './preview-order.ts'

/** Handlers that place, replace and cancel orders: signatures are checked here, everything else by the engine. */
export const ORDER_WRITE_ROUTES = {
  place_order: placeOrder,
  place_orders: placeOrders,
  preview_order: previewOrder,
  cancel_order: cancelOrder,
  cancel_order_by_client_id: cancelOrderByClientId,
  amend_order: amendOrder,
  cancel_all_orders: cancelAllOrders,
  set_cancel_after: setCancelAfter,
} as const satisfies Partial<PrivateHandlers>

async function placeOrder(request: PrivateRequest): Promise<PrivateAnswer> {
  const body = request.body as OrderRequest
  const refusal = refusedAccount(request.caller, body.account_id)
  if (refusal !== null) return refusedReference(refusal)
  const order = await signedOrder(request, body)
  return submit(request, { kind: 'place', identity: identityOf(request), order })
}

async function placeOrders(request: PrivateRequest): Promise<PrivateAnswer> {
  const { orders: bodies } = request.body as OrderBatchRequest
  const orders = await Promise.all(bodies.map((body) => signedOrder(request, body)))
  return submit(request, { kind: 'place_batch', identity: identityOf(request), orders })
}

async function cancelOrder(request: PrivateRequest): Promise<PrivateAnswer> {
  const { order_id } = request.parameters as { order_id: string }
  return submit(request, { kind: 'cancel', identity: identityOf(request), order_id, ...cancelOf(request) })
}

async function cancelOrderByClientId(request: PrivateRequest): Promise<PrivateAnswer> {
  const { client_order_id } = request.parameters as { client_order_id: string }
  return submit(request, { kind: 'cancel', identity: identityOf(request), client_order_id, ...cancelOf(request) })
}

function cancelOf({ body }: PrivateRequest) {
  const { expected_order_version = null, client_cancel_id = null, reason = null } = body as CancelRequest
  return { expected_order_version, client_cancel_id, reason }
}

async function amendOrder(request: PrivateRequest): Promise<PrivateAnswer> {
  const body = request.body as AmendRequest
  const refusal = refusedAccount(request.caller, body.account_id)
  if (refusal !== null) return refusedReference(refusal)
  const order = await signedOrder(request, body)
  const { expected_order_version } = body
  const order_id = request.parameters.order_id as string
  return submit(request, { kind: 'amend', identity: identityOf(request), order_id, expected_order_version, order })
}

async function setCancelAfter(request: PrivateRequest): Promise<PrivateAnswer> {
  const { timeout_ms } = request.body as CancelAfterRequest
  return submit(request, { kind: 'set_cancel_after', identity: identityOf(request), timeout_ms })
}
