import type { BatchItem, Order as OrderResource } from '../../protocol/resources/order.ts'
import { isRejection, type Rejection } from '../order/order-errors.ts'
import type { IncomingOrder } from '../order/order-intent.ts'
import { amendOrder } from './amend-order.ts'
import { answered, errorObject, orderPath, refused, rejected, shownOrder } from './answers.ts'
import { checkSignature, useOrderNonce } from './check-signature.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { findOrder, isWorking } from './find-order.ts'
import { placeOrder } from './place-order.ts'
import { duplicateClientId } from './replay-control.ts'
import type { Amend, Answer, Place, PlaceBatch, Refusal, SignedOrder, WriteIdentity } from './submission.ts'

/** Result of one signed order. `order`: its record; null if stages 1 to 4 refused it, so that it has none. */
type Placed = { readonly order: OrderResource | null; readonly error: Refusal | null }

/** Runs stages 4 to 9 of one order. */
export function submitPlace(execution: Execution, facts: Facts, { identity, order }: Place): Answer {
  const { order: shown, error } = placeSigned(execution, facts, identity, order)
  if (error === null) return answered(201, shown, orderPath(order.intent.order_id))
  return shown === null ? refused(error) : rejected(error, shown)
}

/**
 * Places several orders in one transaction, in sequence, each independently. Of two with the same nonce or client_order_id the
 * first wins.
 */
export function submitBatch(execution: Execution, facts: Facts, { identity, orders }: PlaceBatch): Answer {
  const items = orders.map((order, index): BatchItem => {
    const duplicate = duplicateClientId(facts, identity.account_id, order)
    const { order: shown, error } =
      duplicate === null ? placeSigned(execution, facts, identity, order) : { order: null, error: duplicate }
    if (error !== null) execution.changes.refused_items.push(error.code)
    return {
      index,
      status: error === null ? 'accepted' : 'rejected',
      order_id: shown?.order_id ?? null,
      order: shown,
      error: error === null ? null : errorObject(error, identity.request_id),
    }
  })
  return answered(200, items)
}

/** Runs stages 4 to 9 of a replacement. A refused one is not recorded and leaves the old order unchanged. */
export function submitAmend(execution: Execution, facts: Facts, submission: Amend): Answer {
  const { identity, order, order_id, expected_order_version } = submission
  const unsigned = passSignature(execution, facts, identity, order)
  if (unsigned !== null) return refused(unsigned)
  const known = findOrder(execution, facts, identity.account_id, order_id)
  if (known === null) return refused(orderNotFound(order_id))
  const result = amendOrder(execution, {
    kind: 'amend_order',
    order_id,
    expected_order_version,
    ...requestOf(identity, order),
  })
  if (isRejection(result)) return refusedAmend(execution, result, known)
  facts.client_order_ids.add(`${identity.account_id} ${order.intent.client_order_id}`)
  const replacement = shownOrder(execution.state, result.replacement)
  return answered(200, { ...shownOrder(execution.state, result.old), replacement })
}

/** Builds the refusal of an order id; the same for an unknown order and for another account's. */
export function orderNotFound(order_id: string): Refusal {
  return { code: 'ORDER_NOT_FOUND', message: `order ${order_id} is not one of the account's` }
}

/** An order that has changed since is shown as it is now. */
function refusedAmend(execution: Execution, rejection: Rejection, known: Parameters<typeof shownOrder>[1]): Answer {
  if (rejection.code === 'ORDER_VERSION_CONFLICT' || !isWorking(execution, known)) {
    return refused(rejection, shownOrder(execution.state, known))
  }
  return rejected(rejection, null)
}

function placeSigned(execution: Execution, facts: Facts, identity: WriteIdentity, order: SignedOrder): Placed {
  const unsigned = passSignature(execution, facts, identity, order)
  if (unsigned !== null) return { order: null, error: unsigned }
  const placed = placeOrder(execution, requestOf(identity, order))
  if ('row' in placed) return { order: shownOrder(execution.state, placed.row), error: placed.rejection }
  facts.client_order_ids.add(`${identity.account_id} ${order.intent.client_order_id}`)
  return { order: shownOrder(execution.state, placed), error: null }
}

function passSignature(
  execution: Execution,
  facts: Facts,
  { account_id }: WriteIdentity,
  order: SignedOrder,
): Refusal | null {
  const refusal = checkSignature(execution, facts, account_id, order)
  if (refusal === null) useOrderNonce(execution, facts, order)
  return refusal
}

function requestOf(
  { command_id, request_id, received_at }: WriteIdentity,
  { intent, signature, labels, is_published_market = false }: SignedOrder,
): IncomingOrder {
  return {
    intent,
    origin: { command_id, request_id, signature, labels, received_at: received_at ?? null },
    is_published_market,
  }
}
