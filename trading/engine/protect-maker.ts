import type { Order } from '../order/order.ts'
import { addFill, allowanceOf, isSpent, type Protection } from '../order/protection.ts'
import type { ProtectionEvent } from './events.ts'
import type { Execution } from './execution.ts'
import { massCancel } from './mass-cancel.ts'
import type { Account, Market } from './state.ts'

/**
 * Counts a fill of a resting order for the protection of its account. The fill that reaches a limit cancels all orders of the account in
 * the market: those beyond the slice are planned to end, so that none of them meets anything any more.
 */
export function countFill(execution: Execution, { position }: Pick<Order, 'position'>, quantity: number): void {
  const { protection } = position
  if (protection === null) return
  const { now, changes } = execution
  addFill(protection, now, quantity)
  changes.protections.set(keyOf(protection), protection)
  if (isSpent(allowanceOf(protection, now))) trigger(execution, protection)
}

function trigger(execution: Execution, protection: Protection): void {
  const { account_id, market_id, frozen_ms } = protection
  const { now } = execution
  protection.window_fills = []
  protection.triggered_at = now
  protection.frozen_until = now + frozen_ms * 1000
  protection.trigger_count += 1
  publishProtection(execution, protection, 'triggered')
  const scope = { account_id, market_ids: [market_id], cancel_on_pause_only: false }
  massCancel(execution, { ...scope, reason: 'MARKET_MAKER_PROTECTION', origin: null })
}

/** Publishes a change of a protection, and keeps it for the batch. */
export function publishProtection(
  execution: Execution,
  protection: Protection,
  action: ProtectionEvent['action'],
): void {
  const { account_id, market_id, fill_count_max, quantity_max, window_ms, frozen_ms } = protection
  const { frozen_until, triggered_at, trigger_count } = protection
  protection.engine_sequence = execution.nextSequence()
  protection.updated_at = execution.now
  execution.changes.protections.set(keyOf(protection), protection)
  execution.publish({
    engine_sequence: protection.engine_sequence,
    at: execution.now,
    kind: 'protection',
    account_id,
    market_id,
    action,
    fill_count_max,
    quantity_max,
    window_ms,
    frozen_ms,
    frozen_until,
    triggered_at,
    trigger_count,
  })
}

/** Puts a protection in force for all of an account's positions in a market; null: none. */
export function protect(account: Account, { market_id, outcomes }: Market, protection: Protection | null): void {
  if (protection === null) account.protections.delete(market_id)
  else account.protections.set(market_id, protection)
  for (const outcome_id of outcomes.keys()) {
    const position = account.positions.get(outcome_id)
    if (position !== undefined) position.protection = protection
  }
}

function keyOf({ account_id, market_id }: Protection): string {
  return `${account_id} ${market_id}`
}
