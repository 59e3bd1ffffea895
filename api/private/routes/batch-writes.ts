import type {
  AmendBatchRequest,
  CancelBatchRequest,
  CancelTarget,
  MassQuoteRequest,
} from '../../../protocol/requests/order-request.ts'
import type { CancelTarget as NamedTarget } from '../../../trading/engine/submission.ts'
import { refusedAccount, refusedReference } from '../account-refusal.ts'
import type { PrivateAnswer, PrivateHandlers, PrivateRequest } from '../private-request.ts'
import { signedOrder } from '../signed-order.ts'
import { identityOf, submit } from '../submit.ts'

/** Handlers that change several orders of a list. */
export const BATCH_WRITE_ROUTES = {
  mass_quote: massQuote,
  cancel_orders: cancelOrders,
  amend_orders: amendOrders,
} as const satisfies Partial<PrivateHandlers>

async function massQuote(request: PrivateRequest): Promise<PrivateAnswer> {
  const { market_id, quote_set_id, orders: bodies } = request.body as MassQuoteRequest
  const foreign = bodies.find(({ account_id }) => refusedAccount(request.caller, account_id) !== null)
  if (foreign !== undefined) return refusedReference(refusedAccount(request.caller, foreign.account_id)!)
  const orders = await Promise.all(bodies.map((body) => signedOrder(request, body)))
  return submit(request, { kind: 'mass_quote', identity: identityOf(request), market_id, quote_set_id, orders })
}

async function cancelOrders(request: PrivateRequest): Promise<PrivateAnswer> {
  const { orders, client_cancel_id = null, reason = null } = request.body as CancelBatchRequest
  const targets = orders.map(targetOf)
  return submit(request, { kind: 'cancel_batch', identity: identityOf(request), targets, client_cancel_id, reason })
}

async function amendOrders(request: PrivateRequest): Promise<PrivateAnswer> {
  const { orders } = request.body as AmendBatchRequest
  const amends = await Promise.all(
    orders.map(async ({ order_id, expected_order_version, ...order }) => ({
      order_id,
      expected_order_version,
      order: await signedOrder(request, order),
    })),
  )
  return submit(request, { kind: 'amend_batch', identity: identityOf(request), amends })
}

/** The check of the body ensures that one of both names is given. */
function targetOf({ order_id, client_order_id, expected_order_version = null }: CancelTarget): NamedTarget {
  if (order_id !== undefined) return { order_id, expected_order_version }
  return { client_order_id: client_order_id!, expected_order_version }
}
