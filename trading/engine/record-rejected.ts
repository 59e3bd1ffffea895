import type { Rejection } from '../order/rejection.ts'
import { rejectedOrderRow } from '../projections/order-row.ts'
import type { OrderRow } from '../projections/rows.ts'
import type { OrderRequest } from './commands.ts'
import type { Execution } from './execution.ts'

/** A rejected order: it was received, is recorded, and goes no further. */
export type RejectedOrder = { readonly rejection: Rejection; readonly row: OrderRow }

/** Records and tells a rejected order. */
export function recordRejected(execution: Execution, request: OrderRequest, rejection: Rejection): RejectedOrder {
  const engine_sequence = execution.nextSequence()
  const row = rejectedOrderRow(execution, request, rejection, engine_sequence)
  execution.changes.order_rows.set(row.order_id, row)
  execution.tell({
    engine_sequence,
    at: execution.now,
    kind: 'order',
    account_id: row.account_id,
    order_id: row.order_id,
    status: 'rejected',
    version: row.version,
    terminal_reason: null,
    filled_quantity: 0,
    remaining_quantity: 0,
    canceled_quantity: row.canceled_quantity,
    filled_notional: 0,
    fees: 0,
    reserved_amount: 0,
    replaced_by_order_id: null,
    rejection,
  })
  return { rejection, row }
}
