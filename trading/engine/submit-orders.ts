import type { AmendItem, Order as OrderResource } from '../../protocol/resources/order.ts'
import type { Order } from '../order/order.ts'
import { isRejection } from '../order/order-errors.ts'
import type { IncomingOrder } from '../order/order-intent.ts'
import type { OrderRow } from '../projections/rows.ts'
import { amendOrder } from './amend-order.ts'
import { answered, orderPath, refused, rejected, shownOrder } from './answers.ts'
import { batchItem } from './batch-item.ts'
import { checkSignature, useOrderNonce } from './check-signature.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { findOrder, isWorking } from './find-order.ts'
import { orderNotFound } from './named-order.ts'
import { admitOrder, concludePlacing } from './place-order.ts'
import { takeRejection } from './rejection-budget.ts'
import { duplicateClientId } from './replay-control.ts'
import type {
  Amend,
  AmendBatch,
  Answer,
  Place,
  PlaceBatch,
  Refusal,
  SignedAmend,
  SignedOrder,
  WriteIdentity,
} from './submission.ts'

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
  const placed = orders.map((order): Placed => {
    const error = duplicateClientId(facts, identity.account_id, order)
    return error === null ? placeSigned(execution, facts, identity, order) : { order: null, error }
  })
  const [first] = placed
  // A batch of which nothing was recorded may be sent again under its Idempotency-Key.
  if (first !== undefined && placed.every(isLimited)) return refused(first.error!)
  return answered(
    200,
    placed.map((result, index) => batchItem(execution, identity, index, result)),
  )
}

function isLimited({ error }: Placed): boolean {
  return error?.code === 'RATE_LIMIT_EXCEEDED'
}

/** Runs stages 4 to 9 of a replacement. A refused one is not recorded and leaves the old order unchanged. */
export function submitAmend(execution: Execution, facts: Facts, submission: Amend): Answer {
  const { old, replacement, error } = amendSigned(execution, facts, submission.identity, submission)
  if (error === null) return answered(200, { ...shownOrder(execution.state, old!), replacement })
  if (old === null) return refused(error)
  // An order that has changed since is shown as it is now.
  const has_changed = error.code === 'ORDER_VERSION_CONFLICT' || !isWorking(execution, old)
  return has_changed ? refused(error, shownOrder(execution.state, old)) : rejected(error, null)
}

/** Replaces several orders in one transaction, in sequence, each independently. */
export function submitAmendBatch(execution: Execution, facts: Facts, { identity, amends }: AmendBatch): Answer {
  const items = amends.map((amend, index): AmendItem => {
    const duplicate = duplicateClientId(facts, identity.account_id, amend.order)
    const { old, replacement, error } =
      duplicate === null ? amendSigned(execution, facts, identity, amend) : { ...NOT_AMENDED, error: duplicate }
    const order = old === null ? null : shownOrder(execution.state, old)
    return { ...batchItem(execution, identity, index, { order, error }), order_id: amend.order_id, replacement }
  })
  return answered(200, items)
}

/** Result of one amend. `old`: the named order as it is now; null: unknown, or the replacement is not signed. */
type Amended = {
  readonly old: Order | OrderRow | null
  readonly replacement: OrderResource | null
  readonly error: Refusal | null
}

const NOT_AMENDED = { old: null, replacement: null } as const

function amendSigned(execution: Execution, facts: Facts, identity: WriteIdentity, amend: SignedAmend): Amended {
  const { order, order_id, expected_order_version } = amend
  const unsigned = passSignature(execution, facts, identity, order)
  if (unsigned !== null) return { ...NOT_AMENDED, error: unsigned }
  const old = findOrder(execution, facts, identity.account_id, order_id)
  if (old === null) return { ...NOT_AMENDED, error: orderNotFound({ order_id }) }
  const request = requestOf(identity, order)
  const result = amendOrder(execution, { kind: 'amend_order', order_id, expected_order_version, ...request })
  if (isRejection(result)) return { old, replacement: null, error: result }
  facts.client_order_ids.set(`${identity.account_id} ${order.intent.client_order_id}`, result.replacement.order_id)
  return { old, replacement: shownOrder(execution.state, result.replacement), error: null }
}

/** Runs stages 4 to 9 of one order of a request. @param quote_set_id the set that it belongs to; null: none */
export function placeSigned(
  execution: Execution,
  facts: Facts,
  identity: WriteIdentity,
  order: SignedOrder,
  quote_set_id: string | null = null,
): Placed {
  const unsigned = checkSignature(execution, facts, identity.account_id, order)
  if (unsigned !== null) return { order: null, error: unsigned }
  const request = requestOf(identity, order, quote_set_id)
  const admitted = admitOrder(execution, request)
  const limited = isRejection(admitted) ? takeRejection(execution, identity.account_id, admitted) : null
  if (limited !== null) return { order: null, error: limited }
  useOrderNonce(execution, facts, order)
  const placed = concludePlacing(execution, request, admitted)
  if ('row' in placed) return { order: shownOrder(execution.state, placed.row), error: placed.rejection }
  facts.client_order_ids.set(`${identity.account_id} ${order.intent.client_order_id}`, placed.order_id)
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
  quote_set_id: string | null = null,
): IncomingOrder {
  return {
    intent,
    origin: { command_id, request_id, signature, labels, received_at: received_at ?? null, quote_set_id },
    is_published_market,
  }
}
