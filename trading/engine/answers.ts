import { ERROR_CODES } from '../../primitives/error-codes.ts'
import { SIGNATURE_FACTS } from '../../protocol/envelope.ts'
import type { Order as OrderResource } from '../../protocol/resources/order.ts'
import type { Order } from '../order/order.ts'
import { orderResource } from '../projections/order.ts'
import { orderRow } from '../projections/order-row.ts'
import type { OrderRow } from '../projections/rows.ts'
import type { EngineState } from './state.ts'
import type { Answer, Refusal } from './submission.ts'

/** Builds a successful answer. @param data serialized here, so that a repeated answer has the same bytes */
export function answered(status: number, data: unknown, location: string | null = null): Answer {
  return { status, data: JSON.stringify(data), error: null, location, replayed: false }
}

/**
 * Builds a refusal with the status of its code.
 * @param data the latest projection of the requested record; null: none is shown
 */
export function refused(error: Refusal, data: unknown = null): Answer {
  const { status } = ERROR_CODES[error.code]
  return { status, data: data === null ? null : JSON.stringify(data), error, location: null, replayed: false }
}

/** Builds the answer to an order that stages 5 to 8 refused: always 422, with the order's record if there is one. */
export function rejected(error: Refusal, data: OrderResource | null): Answer {
  const location = data === null ? null : orderPath(data.order_id)
  return { status: 422, data: data === null ? null : JSON.stringify(data), error, location, replayed: false }
}

/** Path of an order, with /v1. */
export function orderPath(order_id: string): string {
  return `/v1/orders/${order_id}`
}

/** Returns the public form of an order, or of the row of an order that is not in memory. */
export function shownOrder({ assets }: EngineState, order: Order | OrderRow): OrderResource {
  const row = 'intent' in order ? orderRow(order) : order
  return orderResource(row, assets.get(row.settlement_asset_id)?.scale ?? null, row)
}

/** Returns the error object of a refusal, as it appears inside an answer's data. */
export function errorObject({ code, message, facts = {} }: Refusal, request_id: string) {
  const known = SIGNATURE_FACTS.flatMap((name) => (facts[name] === undefined ? [] : [[name, facts[name]] as const]))
  return { code, message, retryable: ERROR_CODES[code].retryable, request_id, ...Object.fromEntries(known) }
}
