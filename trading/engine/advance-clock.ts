import type { Micros } from '../../primitives/instants.ts'
import { EVERY_ORDER } from '../order/cancel-filter.ts'
import { publishAccount } from './account-commands.ts'
import { expireOrders } from './cancel-order.ts'
import type { Execution } from './execution.ts'
import { massCancel } from './mass-cancel.ts'
import { beginSlice, continueBacklogs } from './planned-ends.ts'
import type { Account, EngineState } from './state.ts'

/** Slices whose orders the switches of one batch may plan to end; at least one switch fires. */
const SWITCHED_SLICES = 10
/** Cost of a switch itself, in orders. */
const SWITCH_COST = 16

/**
 * Sets the engine's clock to a batch's stamp and does what is due by then, before anything else at that instant: orders expire,
 * dead-man's switches fire, orders whose end is planned end, orders follow their markets. A batch changes only a slice of many; the
 * next ones go on. Once per stamp.
 * @param account_id whose submission follows; its switch fires before, also if those of others still wait
 */
export function advanceClock(execution: Execution, account_id?: string): void {
  reachStamp(execution)
  const account = account_id === undefined ? undefined : execution.state.accounts.get(account_id)
  const fires_at = account?.open_orders.cancel_after_at ?? null
  if (fires_at !== null && fires_at <= execution.now) fireSwitch(execution, account!)
}

function reachStamp(execution: Execution): void {
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

/** Fires switches as far as a batch may; orders of those that wait already count as ending. */
function fireSwitches(execution: Execution): void {
  const { switches, slice_max } = execution.state
  for (let left = slice_max * SWITCHED_SLICES; left > 0; ) {
    const account = switches.takeDue(execution.now)
    if (account === null) return
    left -= SWITCH_COST + account.open_orders.count
    fireSwitch(execution, account)
  }
}

function fireSwitch(execution: Execution, account: Account): void {
  const { state } = execution
  state.switches.remove(account)
  account.open_orders.cancel_after_at = null
  account.cancel_after_ms = null
  publishAccount(execution, account)
  const scope = { ...EVERY_ORDER, account_id: account.account_id }
  const is_deferred = state.slice_left === 0
  massCancel(execution, { ...scope, reason: 'CANCEL_AFTER', origin: null, is_deferred })
}
