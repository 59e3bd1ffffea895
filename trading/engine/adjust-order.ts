import { invariant } from '../../primitives/errors.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { OrderStatus, TerminalReason } from '../../vocabulary/order.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import { refuse } from '../market/refuse.ts'
import type { Order } from '../order/order.ts'
import type { OrderRow } from '../projections/rows.ts'
import type { AdjustedFill, Deltas } from './adjusted-fill.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { findOrder } from './find-order.ts'
import { publishOrder } from './working-orders.ts'

/**
 * Finds the order of an adjusted fill and checks that the adjustment fits it. The order keeps its state: quantity taken off a
 * fill counts as canceled, and quantity added must have been canceled before.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: more than was ordered
 */
export function adjustedOrder(
  execution: Execution,
  facts: Facts,
  { fill, deltas }: AdjustedFill,
  { quantity_scale }: MarketTerms,
): Order | OrderRow {
  const order = findOrder(execution, facts, fill.account_id, fill.order_id)
  invariant(order !== null, `order ${fill.order_id} was read with its fill`)
  if (deltas.quantity <= order.canceled_quantity) return order
  const print = (value: number) => fromScaled(BigInt(value), quantity_scale)
  return refuse(
    'quantity_delta',
    print(deltas.quantity),
    `at most ${print(order.canceled_quantity)}, what was canceled`,
  )
}

/** Applies an adjustment to an order; filled_quantity is the sum of its fills and adjustments. */
export function adjustOrder(execution: Execution, facts: Facts, order: Order | OrderRow, deltas: Deltas): void {
  if ('intent' in order) {
    order.filled_quantity += deltas.quantity
    order.canceled_quantity -= deltas.quantity
    order.filled_notional += deltas.notional
    order.adjusted_fees += deltas.fee
    publishOrder(execution, order)
    return
  }
  const row = { ...adjustedRow(order, deltas), engine_sequence: execution.nextSequence(), updated_at: execution.now }
  facts.orders.set(row.order_id, row)
  execution.changes.order_rows.set(row.order_id, row)
  publishRow(execution, row)
}

function adjustedRow(row: OrderRow, { quantity, notional, fee }: Deltas): OrderRow {
  return {
    ...row,
    version: row.version + 1,
    filled_quantity: row.filled_quantity + quantity,
    canceled_quantity: row.canceled_quantity - quantity,
    filled_notional: row.filled_notional + notional,
    fees: row.fees + fee,
  }
}

function publishRow(execution: Execution, row: OrderRow): void {
  execution.publish({
    engine_sequence: row.engine_sequence,
    at: execution.now,
    kind: 'order',
    account_id: row.account_id,
    order_id: row.order_id,
    status: row.status as OrderStatus,
    version: row.version,
    terminal_reason: row.terminal_reason as TerminalReason | null,
    filled_quantity: row.filled_quantity,
    remaining_quantity: row.remaining_quantity,
    canceled_quantity: row.canceled_quantity,
    filled_notional: row.filled_notional,
    fees: row.fees,
    reserved_amount: row.reserved_amount,
    replaced_by_order_id: row.replaced_by_order_id,
    rejection: null,
  })
}
