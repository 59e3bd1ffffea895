import type { BatchItem, Order as OrderResource } from '../../protocol/resources/order.ts'
import { errorObject } from './answers.ts'
import type { Execution } from './execution.ts'
import type { Refusal, WriteIdentity } from './submission.ts'

/** Result of an item. `order_id`: the id that the item names; absent: it names none. */
type ItemResult = {
  /** Projection of its order; null: it has none, or is not known. */
  readonly order: OrderResource | null
  readonly error: Refusal | null
  readonly order_id?: string | undefined
}

/** Builds the result of one item of a list: with the id of its order, else with the id that it names. */
export function batchItem(
  execution: Execution,
  { request_id }: WriteIdentity,
  index: number,
  { order, error, order_id }: ItemResult,
): BatchItem {
  if (error !== null) execution.changes.refused_items.push(error.code)
  return {
    index,
    status: error === null ? 'accepted' : 'rejected',
    order_id: order?.order_id ?? order_id ?? null,
    order,
    error: error === null ? null : errorObject(error, request_id),
  }
}
