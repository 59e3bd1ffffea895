import { fromScaled } from '../../primitives/scaled.ts'
import type { EndedQuote, MassQuoteResult } from '../../protocol/resources/mass-quote.ts'
import type { Order } from '../order/order.ts'
import { answered, refused, rejected } from './answers.ts'
import { batchItem } from './batch-item.ts'
import { cancelOrder } from './cancel-order.ts'
import { checkSignature } from './check-signature.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { quoteSetOf } from './quote-sets.ts'
import { ladderFault, ofItem } from './quoted-terms.ts'
import { duplicateClientId } from './replay-control.ts'
import { accountOf } from './state.ts'
import type { Answer, MassQuote, Refusal, SignedOrder } from './submission.ts'
import { placeSigned } from './submit-orders.ts'

/**
 * Ends the former ladder of a set, then places the new one, each order on its own: as a cancel of each and a placement of each would,
 * with nothing between them. A fault that the request alone shows refuses all of it, and nothing changes.
 */
export function submitMassQuote(execution: Execution, facts: Facts, submission: MassQuote): Answer {
  const unsigned = signingFault(execution, facts, submission)
  if (unsigned !== null) return refused(unsigned)
  const fault = ladderFault(execution, submission)
  if (fault !== null) return rejected(fault, null)
  const { identity, market_id, quote_set_id } = submission
  const ended = endLadder(execution, submission)
  const canceled = ended.map(endedQuote)
  const orders = submission.orders.map((order, index) =>
    batchItem(execution, identity, index, placeSigned(execution, facts, identity, order, quote_set_id)),
  )
  const { command_id } = identity
  return answered(200, { command_id, market_id, quote_set_id, canceled, orders } satisfies MassQuoteResult)
}

/** Cancels every resting order of the set, oldest first. One that is ending already ends as it would have. */
function endLadder(execution: Execution, { identity, market_id, quote_set_id }: MassQuote): readonly Order[] {
  const { account_id, command_id } = identity
  const ladder = quoteSetOf(accountOf(execution.state, account_id), market_id, quote_set_id)
  const origin = { command_id, client_cancel_id: null, reason: null }
  for (const { order_id } of ladder) {
    cancelOrder(execution, { kind: 'cancel_order', account_id, order_id, expected_order_version: null, origin })
  }
  return ladder
}

/** Checks the ends of stages 3 and 4 of all orders: client ids, signatures and nonces, those of the list among each other too. */
function signingFault(execution: Execution, facts: Facts, { identity, orders }: MassQuote): Refusal | null {
  const { account_id } = identity
  return (
    firstFault(orders, (order) => duplicateClientId(facts, account_id, order)) ??
    firstRepeated(orders, 'client_order_id', ({ intent }) => intent.client_order_id) ??
    firstFault(orders, (order) => checkSignature(execution, facts, account_id, order)) ??
    firstRepeated(orders, 'order_nonce', ({ signature }) => `${signature.signer} ${signature.order_nonce}`)
  )
}

function firstFault(orders: readonly SignedOrder[], faultOf: (order: SignedOrder) => Refusal | null): Refusal | null {
  for (const [index, order] of orders.entries()) {
    const fault = faultOf(order)
    if (fault !== null) return ofItem(index, fault)
  }
  return null
}

const REPEATED = {
  client_order_id: 'ORDER_DUPLICATE_CLIENT_ID',
  order_nonce: 'REPLAY_ORDER_NONCE_REUSED',
} as const

function firstRepeated(
  orders: readonly SignedOrder[],
  field: keyof typeof REPEATED,
  keyOf: (order: SignedOrder) => string,
): Refusal | null {
  const places = new Map<string, number>()
  for (const [index, order] of orders.entries()) {
    const first = places.get(keyOf(order))
    const message = `${field} is that of orders[${first}], too; allowed: another one for each order`
    if (first !== undefined) return ofItem(index, { code: REPEATED[field], message })
    places.set(keyOf(order), index)
  }
  return null
}

function endedQuote(order: Order): EndedQuote {
  const { order_id, intent, status, terminal_reason, engine_sequence, terms } = order
  const quantity = (value: number) => fromScaled(BigInt(value), terms.quantity_scale)
  return {
    order_id,
    client_order_id: intent.client_order_id,
    status,
    terminal_reason,
    canceled_quantity: quantity(order.canceled_quantity),
    filled_quantity: quantity(order.filled_quantity),
    engine_sequence,
  }
}
