import type { BatchItem, Order as OrderResource } from '../../protocol/resources/order.ts'
import { errorObject } from './answers.ts'
import type { Execution } from './execution.ts'
import type { Refusal, WriteIdentity } from './submission.ts'

/** Builds the result of one item of a list. @param order projection of its order; null: it has none, or is not known */
export function batchItem(
  execution: Execution,
  { request_id }: WriteIdentity,
  index: number,
  { order, error }: { readonly order: OrderResource | null; readonly error: Refusal | null },
): BatchItem {
  if (error !== null) execution.changes.refused_items.push(error.code)
  return {
    index,
    status: error === null ? 'accepted' : 'rejected',
    order_id: order?.order_id ?? null,
    order,
    error: error === null ? null : errorObject(error, request_id),
  }
}
