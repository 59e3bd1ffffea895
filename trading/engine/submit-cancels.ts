import { formatMicros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import { CANCELED_LISTED_MAX } from '../../protocol/limits.ts'
import type { CancelAfter, CancelAllResult } from '../../protocol/resources/cancel-all.ts'
import type { Order } from '../order/order.ts'
import { isTerminal } from '../order/order-states.ts'
import { publishAccount } from './account-commands.ts'
import { answered, refused, shownOrder } from './answers.ts'
import { batchItem } from './batch-item.ts'
import { cancelNamed } from './cancel-named.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { massCancel } from './mass-cancel.ts'
import { accountOf } from './state.ts'
import type { Answer, Cancel, CancelAllOrders, CancelBatch, SetCancelAfter } from './submission.ts'

/** Cancels what remains of one order. One that has ended or changed since is answered as it is now. */
export function submitCancel(execution: Execution, facts: Facts, submission: Cancel): Answer {
  const { order, error } = cancelNamed(execution, facts, submission.identity, submission, submission)
  const shown = order === null ? null : shownOrder(execution.state, order)
  return error === null ? answered(200, shown) : refused(error, shown)
}

/** Cancels several orders, each independently. An order that is named twice was canceled by its first name. */
export function submitCancelBatch(execution: Execution, facts: Facts, submission: CancelBatch): Answer {
  const { identity, targets } = submission
  const items = targets.map((target, index) => {
    const { order, error } = cancelNamed(execution, facts, identity, target, submission)
    const shown = order === null ? null : shownOrder(execution.state, order)
    return batchItem(execution, identity, index, { order: shown, error, order_id: target.order_id })
  })
  return answered(200, items)
}

/**
 * Cancels all orders of the account in scope that were accepted before the cutoff, which is now. Of many, the answer lists the oldest,
 * those that later slices cancel as they are now; none of them executes any more.
 */
export function submitCancelAll(execution: Execution, submission: CancelAllOrders): Answer {
  const { identity, scope } = submission
  const engine_cutoff_sequence = execution.state.engine_sequence
  const { account_id } = identity
  const { command_id } = identity
  const { market_ids, cancel_on_pause_only, client_cancel_id, reason: cancel_reason } = submission
  const origin = { command_id, client_cancel_id, reason: cancel_reason }
  const targets = massCancel(execution, { account_id, market_ids, cancel_on_pause_only, reason: 'CANCEL_ALL', origin })
  const { engine_sequence, history } = execution.state
  const result: CancelAllResult = {
    command_id,
    scope: { ...scope },
    targeted_count: targets.length,
    pending_count: targets.filter(({ status }) => !isTerminal(status)).length,
    orders: targets.slice(0, CANCELED_LISTED_MAX).map(canceledOrder),
    failures: [],
    engine_cutoff_sequence,
    resume_cursor: { engine_sequence, epoch: history, after_seq: engine_sequence },
  }
  return answered(200, result)
}

/** Sets the dead-man's switch from now, or disarms it. */
export function submitCancelAfter(execution: Execution, { identity, timeout_ms }: SetCancelAfter): Answer {
  const { state, now } = execution
  const account = accountOf(state, identity.account_id)
  const armed = timeout_ms > 0
  const cancel_after_at = armed ? now + timeout_ms * 1000 : null
  account.cancel_after_ms = armed ? timeout_ms : null
  account.open_orders.cancel_after_at = cancel_after_at
  publishAccount(execution, account)
  const { account_id, cancel_after_ms } = account
  if (cancel_after_at === null) state.switches.remove(account)
  else state.switches.add(cancel_after_at, state.engine_sequence, account)
  const cancel_at = cancel_after_at === null ? null : formatMicros(cancel_after_at)
  return answered(200, { account_id, timeout_ms: cancel_after_ms, cancel_at } satisfies CancelAfter)
}

function canceledOrder({ order_id, status, canceled_quantity, filled_quantity, engine_sequence, terms }: Order) {
  const quantity = (value: number) => fromScaled(BigInt(value), terms.quantity_scale)
  return {
    order_id,
    status,
    canceled_quantity: quantity(canceled_quantity),
    filled_quantity: quantity(filled_quantity),
    engine_sequence,
  }
}
