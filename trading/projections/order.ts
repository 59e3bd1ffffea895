import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { divideHalfEven, fromScaled, pow10 } from '../../primitives/scaled.ts'
import type { OrderRequest } from '../../protocol/requests/order-request.ts'
import type { Order } from '../../protocol/resources/order.ts'
import type { OrderStatus } from '../../vocabulary/order.ts'
import type { IncomingOrder, OrderIntent } from '../order/order-intent.ts'
import type { OrderProgress, OrderRow } from './rows.ts'

/**
 * The forms of an order: intent, row and resource. Each is written out as one literal: joining objects of so many fields by spreading
 * takes many times as long.
 */

/**
 * Reads the terms of a request's body; one that is left out has its default.
 * @param account_id the caller's own: everything that the engine looks up for an intent belongs to it
 */
export function orderIntent(body: OrderRequest, account_id: string, order_id: string): OrderIntent {
  const { expires_at = null } = body
  return {
    order_id,
    client_order_id: body.client_order_id,
    account_id,
    market_id: body.market_id,
    outcome_id: body.outcome_id,
    side: body.side,
    limit_price: body.limit_price,
    quantity: body.quantity,
    time_in_force: body.time_in_force,
    expires_at: expires_at === null ? null : toMicros(expires_at, 'expires_at'),
    post_only: body.post_only ?? false,
    reduce_only: body.reduce_only ?? false,
    cancel_on_pause: body.cancel_on_pause ?? false,
    self_trade_prevention: body.self_trade_prevention,
    maximum_fee: body.maximum_fee,
    maximum_notional: body.maximum_notional,
    settlement_asset_id: body.settlement_asset_id,
  }
}

/** Joins the parts of an order's row. */
export function rowOf(
  { intent, origin: { command_id, labels, signature, received_at = null, quote_set_id = null } }: IncomingOrder,
  progress: OrderProgress,
): OrderRow {
  return {
    order_id: intent.order_id,
    command_id,
    client_order_id: intent.client_order_id,
    account_id: intent.account_id,
    market_id: intent.market_id,
    outcome_id: intent.outcome_id,
    side: intent.side,
    limit_price: intent.limit_price,
    quantity: intent.quantity,
    time_in_force: intent.time_in_force,
    expires_at: intent.expires_at,
    post_only: intent.post_only,
    reduce_only: intent.reduce_only,
    cancel_on_pause: intent.cancel_on_pause,
    self_trade_prevention: intent.self_trade_prevention,
    maximum_fee: intent.maximum_fee,
    maximum_notional: intent.maximum_notional,
    settlement_asset_id: intent.settlement_asset_id,
    labels,
    received_at,
    quote_set_id,
    signer: signature.signer,
    order_nonce: signature.order_nonce,
    signature_type: signature.signature_type,
    signature_version: signature.signature_version,
    order_signature: signature.order_signature,
    digest: signature.digest,
    contract_call: signature.contract_call,
    policy_id: progress.policy_id,
    policy_version: progress.policy_version,
    schedule_id: progress.schedule_id,
    schedule_version: progress.schedule_version,
    price_scale: progress.price_scale,
    quantity_scale: progress.quantity_scale,
    accepted_sequence: progress.accepted_sequence,
    created_at: progress.created_at,
    status: progress.status,
    version: progress.version,
    terminal_reason: progress.terminal_reason,
    rejection: progress.rejection,
    original_quantity: progress.original_quantity,
    filled_quantity: progress.filled_quantity,
    remaining_quantity: progress.remaining_quantity,
    canceled_quantity: progress.canceled_quantity,
    filled_notional: progress.filled_notional,
    reserve_fee_base: progress.reserve_fee_base,
    proceeds_fee_base: progress.proceeds_fee_base,
    fees: progress.fees,
    reserved_amount: progress.reserved_amount,
    uncovered_quantity: progress.uncovered_quantity,
    trimmed_quantity: progress.trimmed_quantity ?? 0,
    replaced_by_order_id: progress.replaced_by_order_id,
    cancel_command_id: progress.cancel_command_id,
    client_cancel_id: progress.client_cancel_id,
    cancel_reason: progress.cancel_reason,
    transitions: progress.transitions,
    engine_sequence: progress.engine_sequence,
    updated_at: progress.updated_at,
  }
}

/** Public columns of an order. */
type OrderShown = Omit<
  OrderRow,
  | 'order_signature'
  | 'digest'
  | 'contract_call'
  | 'price_scale'
  | 'accepted_sequence'
  | 'reserve_fee_base'
  | 'proceeds_fee_base'
  | 'uncovered_quantity'
>

/** Public columns that change while the order works. */
export type OrderMoves = Pick<
  OrderShown,
  | 'status'
  | 'version'
  | 'terminal_reason'
  | 'rejection'
  | 'filled_quantity'
  | 'remaining_quantity'
  | 'canceled_quantity'
  | 'trimmed_quantity'
  | 'filled_notional'
  | 'fees'
  | 'reserved_amount'
  | 'replaced_by_order_id'
  | 'transitions'
  | 'engine_sequence'
  | 'updated_at'
>

/** Public columns that keep their first value. */
export type OrderFixed = Omit<OrderShown, keyof OrderMoves>

/** Fraction digits of an average fill price. */
const AVERAGE_SCALE = 10

/**
 * Returns the public form of an order. Decimals have the scales of its market and asset.
 * @param asset_scale scale of its settlement asset; null: the asset is unknown and the order was rejected
 * @param moves the changing columns, which may be of another time than the row; a separate argument because merging objects of so
 *   many fields is slow
 */
export function orderResource(row: OrderFixed, asset_scale: number | null, moves: OrderMoves): Order {
  const { quantity_scale } = row
  const [at, unmeasured] = [timesOf(moves.transitions), quantity_scale === null]
  // A row is of a later time than a move of the order before its cancel.
  const is_canceled = moves.status === 'cancel_pending' || moves.status === 'canceled'
  return {
    order_id: row.order_id,
    client_order_id: row.client_order_id,
    command_id: row.command_id,
    account_id: row.account_id,
    market_id: row.market_id,
    outcome_id: row.outcome_id,
    side: row.side,
    order_type: 'limit',
    limit_price: row.limit_price,
    time_in_force: row.time_in_force,
    expires_at: row.expires_at === null ? null : formatMicros(row.expires_at),
    post_only: row.post_only,
    reduce_only: row.reduce_only,
    cancel_on_pause: row.cancel_on_pause,
    self_trade_prevention: row.self_trade_prevention,
    maximum_fee: row.maximum_fee,
    maximum_notional: row.maximum_notional,
    settlement_asset_id: row.settlement_asset_id,
    signer: row.signer,
    signature_type: row.signature_type,
    signature_version: row.signature_version,
    order_nonce: row.order_nonce,
    labels: row.labels,
    quote_set_id: row.quote_set_id,
    status: moves.status as Order['status'],
    version: moves.version,
    terminal_reason: moves.terminal_reason as Order['terminal_reason'],
    rejection: moves.rejection as Order['rejection'],
    // An order without scales shows its signed quantity.
    original_quantity: unmeasured ? row.quantity : atScale(row.original_quantity, quantity_scale),
    filled_quantity: atScale(moves.filled_quantity, quantity_scale),
    remaining_quantity: atScale(moves.remaining_quantity, quantity_scale),
    canceled_quantity: unmeasured ? row.quantity : atScale(moves.canceled_quantity, quantity_scale),
    trimmed_quantity: atScale(moves.trimmed_quantity ?? 0, quantity_scale),
    average_fill_price: averageFillPrice(moves, quantity_scale, asset_scale),
    filled_notional: atScale(moves.filled_notional, asset_scale),
    accrued_fee: atScale(moves.fees, asset_scale),
    reserved_amount: atScale(moves.reserved_amount, asset_scale),
    fee_schedule_id: row.schedule_id,
    fee_schedule_version: row.schedule_version,
    policy_id: row.policy_id,
    policy_version: row.policy_version,
    replaced_by_order_id: moves.replaced_by_order_id,
    cancel_command_id: is_canceled ? row.cancel_command_id : null,
    client_cancel_id: is_canceled ? row.client_cancel_id : null,
    cancel_reason: is_canceled ? row.cancel_reason : null,
    engine_sequence: moves.engine_sequence,
    created_at: formatMicros(row.created_at),
    updated_at: formatMicros(moves.updated_at),
    // The clocks of two processes may differ.
    received_at: formatMicros(Math.min(row.received_at ?? row.created_at, row.created_at)),
    validated_at: at('validated'),
    acknowledged_at: formatMicros(row.created_at), // by the batch that received it
    rejected_at: at('rejected'),
    opened_at: at('open'),
    partially_filled_at: at('partially_filled'),
    filled_at: at('filled'),
    cancel_pending_at: at('cancel_pending'),
    canceled_at: at('canceled'),
    expired_at: at('expired'),
    suspended_at: at('suspended'),
    failed_at: at('failed'),
  }
}

/** null stands for an order without scales, whose values are 0. */
function atScale(value: number, scale: number | null): string {
  return fromScaled(BigInt(value), scale ?? 0)
}

/** Returns exact notional over quantity, rounded half even to 10 decimals; null without fills. */
function averageFillPrice(
  { filled_notional, filled_quantity }: OrderMoves,
  quantity_scale: number | null,
  asset_scale: number | null,
): string | null {
  if (filled_quantity === 0 || asset_scale === null || quantity_scale === null) return null
  const numerator = BigInt(filled_notional) * pow10(AVERAGE_SCALE + quantity_scale)
  return fromScaled(divideHalfEven(numerator, BigInt(filled_quantity) * pow10(asset_scale)), AVERAGE_SCALE)
}

function timesOf(transitions: unknown): (status: OrderStatus) => string | null {
  const reached = transitions as Partial<Record<OrderStatus, Micros>>
  return (status) => {
    const at = reached[status]
    return at === undefined ? null : formatMicros(at)
  }
}
