import { invariant } from '../../primitives/errors.ts'
import type { Execution } from '../engine/execution.ts'
import type { FeeSeries } from '../ledger/fees.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import { feesOf, type Order } from '../order/order.ts'
import type { Rejection } from '../order/order-errors.ts'
import type { IncomingOrder } from '../order/order-intent.ts'
import { wholeAtScale } from '../order/written-decimal.ts'
import { rowOf } from './order.ts'
import type { OrderRow } from './rows.ts'

/** Returns the row of an accepted order as it is now. */
export function orderRow(order: Order): OrderRow {
  return rowOf(order, {
    policy_id: order.policy.policy_id,
    policy_version: order.policy.policy_version,
    schedule_id: order.fees.schedule_id,
    schedule_version: order.fees.schedule_version,
    price_scale: order.terms.price_scale,
    quantity_scale: order.terms.quantity_scale,
    accepted_sequence: order.accepted_sequence,
    created_at: order.created_at,
    status: order.status,
    version: order.version,
    terminal_reason: order.terminal_reason,
    rejection: null,
    original_quantity: order.original_quantity,
    filled_quantity: order.filled_quantity,
    remaining_quantity: order.remaining_quantity,
    canceled_quantity: order.canceled_quantity,
    filled_notional: order.filled_notional,
    reserve_fee_base: seriesOf(order.reserve_fees),
    proceeds_fee_base: seriesOf(order.proceeds_fees),
    fees: feesOf(order),
    reserved_amount: order.reserved_amount,
    uncovered_quantity: order.uncovered_quantity,
    trimmed_quantity: order.trimmed_quantity,
    replaced_by_order_id: order.replaced_by_order_id,
    cancel_command_id: order.cancel?.command_id ?? null,
    client_cancel_id: order.cancel?.client_cancel_id ?? null,
    cancel_reason: order.cancel?.reason ?? null,
    transitions: { ...order.transitions },
    engine_sequence: order.engine_sequence,
    updated_at: order.updated_at,
  })
}

/**
 * Returns the row of an order that stages 5 to 8 refused. It has scales if its market is known and its quantity fits the market;
 * otherwise only the signed terms.
 */
export function rejectedOrderRow(
  { state, now }: Execution,
  request: IncomingOrder,
  { code, message }: Rejection,
  engine_sequence: number,
): OrderRow {
  const { intent, origin } = request
  const account = state.accounts.get(intent.account_id)
  invariant(account !== undefined, `account ${intent.account_id} is known`)
  const market = state.markets.get(intent.market_id)
  const measured = market === undefined ? null : measure(intent.quantity, market.terms)
  const { schedule_id, schedule_version } = market?.fees ?? { schedule_id: null, schedule_version: null }
  const original_quantity = measured?.quantity ?? 0
  return rowOf(request, {
    policy_id: account.policy.policy_id,
    policy_version: account.policy.policy_version,
    schedule_id,
    schedule_version,
    price_scale: measured?.price_scale ?? null,
    quantity_scale: measured?.quantity_scale ?? null,
    accepted_sequence: engine_sequence,
    created_at: now,
    status: 'rejected',
    version: 2,
    terminal_reason: null,
    rejection: { code, message, retryable: false, request_id: origin.request_id },
    original_quantity,
    filled_quantity: 0,
    remaining_quantity: 0,
    canceled_quantity: original_quantity,
    filled_notional: 0,
    reserve_fee_base: { taker: 0, maker: 0, charged: 0 },
    proceeds_fee_base: { taker: 0, maker: 0, charged: 0 },
    fees: 0,
    reserved_amount: 0,
    uncovered_quantity: 0,
    trimmed_quantity: 0,
    replaced_by_order_id: null,
    cancel_command_id: null,
    client_cancel_id: null,
    cancel_reason: null,
    transitions: { received: now, rejected: now },
    engine_sequence,
    updated_at: now,
  })
}

function measure(text: string, { price_scale, quantity_scale }: MarketTerms) {
  const quantity = wholeAtScale(text, quantity_scale)
  return quantity === null ? null : { quantity, price_scale, quantity_scale }
}

function seriesOf({ taker, maker, charged }: FeeSeries): FeeSeries {
  return { taker, maker, charged }
}
