import type { Micros } from '../../primitives/instants.ts'
import { EVERY_ORDER } from '../order/cancel-filter.ts'
import { publishAccount } from './account-commands.ts'
import { expireOrders } from './cancel-order.ts'
import type { Execution } from './execution.ts'
import { massCancel } from './mass-cancel.ts'
import { beginSlice, continueBacklogs } from './planned-ends.ts'
import type { EngineState } from './state.ts'

/**
 * Sets the engine's clock to a batch's stamp and does what is due by then, before anything else at that instant: orders expire,
 * dead-man's switches fire, orders whose end is planned end, orders follow their markets. A batch changes only a slice of many; the
 * next ones go on. Once per stamp.
 */
export function advanceClock(execution: Execution): void {
  const { state, now } = execution
  if (state.clock === now) return
  state.clock = now
  beginSlice(execution)
  expireOrders(execution)
  fireSwitches(execution)
  continueBacklogs(execution)
}

/** Instant of the engine's next task of its own; one at or before the clock is done in the next batch. null: no task. */
export function nextDue({ clock, expiries, switches, planned_ends, lagging }: EngineState): Micros | null {
  if (planned_ends.orders.length > 0 || lagging.orders.length > 0) return clock
  const [expiry, fires] = [expiries.next_at, switches.next_at]
  if (expiry === null || fires === null) return expiry ?? fires
  return Math.min(expiry, fires)
}

function fireSwitches(execution: Execution): void {
  const { switches } = execution.state
  for (let account = switches.takeDue(execution.now); account !== null; account = switches.takeDue(execution.now)) {
    account.cancel_after_at = null
    account.cancel_after_ms = null
    publishAccount(execution, account)
    const scope = { ...EVERY_ORDER, account_id: account.account_id }
    const is_deferred = execution.state.slice_left === 0
    massCancel(execution, { ...scope, reason: 'CANCEL_AFTER', origin: null, is_deferred })
  }
}
