import { isEnding } from '../ledger/cover.ts'
import { type CancelFilter, coveredBy } from '../order/cancel-filter.ts'
import type { Order, PlannedEnd } from '../order/order.ts'
import type { MassCancelRow } from '../projections/rows.ts'
import type { Execution } from './execution.ts'
import { endPlanned, takeSlice } from './planned-ends.ts'
import { type EngineState, workingOrdersOf } from './state.ts'

/** Orders to end: those of an account, or of every account, that pass the filter. */
type Scope = CancelFilter & { readonly account_id: string | null }

type MassCancel = Scope &
  Pick<PlannedEnd, 'reason' | 'origin'> & {
    /** Whether none of them ends before the next batch. */
    readonly is_deferred?: boolean
  }

/**
 * Ends working orders, oldest first: as many as the slice of the batch allows at once, the others in slices of the next batches.
 * None of them executes any more. What is left is stored, so that it continues after a restart.
 * @returns all targeted orders
 */
export function massCancel(execution: Execution, cancel: MassCancel): readonly Order[] {
  const { state, changes } = execution
  const targets = targetsOf(state, cancel)
  const at_once = cancel.is_deferred === true ? 0 : takeSlice(execution, targets.length)
  const [first, later] = [targets.slice(0, at_once), targets.slice(at_once)]
  if (later.length > 0) {
    const row = rowOf(execution, cancel)
    changes.mass_cancels.set(row.cancel_id, row)
    plan(state, later, cancel, { row, left: later.length })
  }
  const planned = { reason: cancel.reason, origin: cancel.origin, task: null }
  for (const order of first) {
    order.planned_end = planned
    endPlanned(execution, order)
  }
  return targets
}

function plan(
  state: EngineState,
  orders: readonly Order[],
  { reason, origin }: Pick<PlannedEnd, 'reason' | 'origin'>,
  task: PlannedEnd['task'],
): void {
  const planned = { reason, origin, task }
  for (const order of orders) {
    order.planned_end = planned
    state.planned_ends.orders.push(order)
  }
}

/** Continues a mass cancel after a restart. */
export function resumeMassCancel(state: EngineState, row: MassCancelRow): void {
  const { cancel_command_id, client_cancel_id, cancel_reason, account_id, cancel_on_pause_only } = row
  const origin =
    cancel_command_id === null ? null : { command_id: cancel_command_id, client_cancel_id, reason: cancel_reason }
  const market_ids = row.market_ids as CancelFilter['market_ids']
  const reason = row.terminal_reason as PlannedEnd['reason']
  const targets = targetsOf(state, { account_id, market_ids, cancel_on_pause_only }).filter(
    ({ accepted_sequence }) => accepted_sequence <= row.cutoff_sequence,
  )
  plan(state, targets, { reason, origin }, { row, left: targets.length })
}

/** Orders that are ending already end as they would have. */
function targetsOf({ accounts, markets, clock }: EngineState, { account_id, ...filter }: Scope): Order[] {
  const isCovered = coveredBy(filter)
  const isTarget = (order: Order) => !isEnding(order, clock) && isCovered(order)
  if (account_id !== null) {
    const account = accounts.get(account_id)
    return account === undefined ? [] : workingOrdersOf(account, isTarget)
  }
  const in_scope = filter.market_ids === null ? [...markets.keys()] : filter.market_ids
  return in_scope.flatMap((market_id) => [...markets.get(market_id)!.orders].filter(isTarget))
}

function rowOf({ state, now }: Execution, cancel: MassCancel): MassCancelRow {
  const { account_id, market_ids, cancel_on_pause_only, reason, origin } = cancel
  return {
    cancel_id: `mass_${state.engine_sequence}`,
    account_id,
    market_ids,
    cancel_on_pause_only,
    terminal_reason: reason,
    cancel_command_id: origin?.command_id ?? null,
    client_cancel_id: origin?.client_cancel_id ?? null,
    cancel_reason: origin?.reason ?? null,
    cutoff_sequence: state.engine_sequence,
    at: now,
    is_done: false,
  }
}
