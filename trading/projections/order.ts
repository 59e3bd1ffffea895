import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { divideHalfEven, fromScaled, pow10 } from '../../primitives/scaled.ts'
import type { Order } from '../../protocol/resources/order.ts'
import type { OrderStatus } from '../../vocabulary/order.ts'
import type { OrderRow } from './rows.ts'

/** What of an order's row is shown. */
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

/** What of it changes while it lives. */
export type OrderMoves = Pick<
  OrderShown,
  | 'status'
  | 'version'
  | 'terminal_reason'
  | 'rejection'
  | 'filled_quantity'
  | 'remaining_quantity'
  | 'canceled_quantity'
  | 'filled_notional'
  | 'fees'
  | 'reserved_amount'
  | 'replaced_by_order_id'
  | 'transitions'
  | 'engine_sequence'
  | 'updated_at'
>

/** What of it stays as it was signed and taken. */
export type OrderFixed = Omit<OrderShown, keyof OrderMoves>

/** Fraction digits of an average fill price. */
const AVERAGE_SCALE = 10

/**
 * An order as it is shown. Decimals have the scales of its market and asset.
 * @param asset_scale of its settlement asset; null: the asset is not known, and the order was rejected
 * @param moves as of another time than the row is. Beside it, not laid over it: an object of so many columns is slow to make out of parts
 */
export function orderResource(row: OrderFixed, asset_scale: number | null, moves: OrderMoves): Order {
  const { quantity_scale } = row
  const at = timesOf(moves.transitions)
  const unmeasured = quantity_scale === null
  return {
    order_id: row.order_id,
    client_order_id: row.client_order_id,
    command_id: row.command_id,
    account_id: row.account_id,
    market_id: row.market_id,
    outcome_id: row.outcome_id,
    side: row.side as Order['side'],
    order_type: 'limit',
    limit_price: row.limit_price,
    time_in_force: row.time_in_force as Order['time_in_force'],
    expires_at: row.expires_at === null ? null : formatMicros(row.expires_at),
    post_only: row.post_only,
    reduce_only: row.reduce_only,
    cancel_on_pause: row.cancel_on_pause,
    self_trade_prevention: row.self_trade_prevention as Order['self_trade_prevention'],
    maximum_fee: row.maximum_fee,
    maximum_notional: row.maximum_notional,
    settlement_asset_id: row.settlement_asset_id,
    signer: row.signer,
    signature_type: row.signature_type as Order['signature_type'],
    signature_version: row.signature_version,
    order_nonce: row.order_nonce,
    labels: row.labels as Order['labels'],
    status: moves.status as Order['status'],
    version: moves.version,
    terminal_reason: moves.terminal_reason as Order['terminal_reason'],
    rejection: moves.rejection as Order['rejection'],
    // What was not measured is shown as it was signed.
    original_quantity: unmeasured ? row.quantity : atScale(row.original_quantity, quantity_scale),
    filled_quantity: atScale(moves.filled_quantity, quantity_scale),
    remaining_quantity: atScale(moves.remaining_quantity, quantity_scale),
    canceled_quantity: unmeasured ? row.quantity : atScale(moves.canceled_quantity, quantity_scale),
    average_fill_price: averageFillPrice(moves, quantity_scale, asset_scale),
    filled_notional: atScale(moves.filled_notional, asset_scale),
    accrued_fee: atScale(moves.fees, asset_scale),
    reserved_amount: atScale(moves.reserved_amount, asset_scale),
    fee_schedule_id: row.schedule_id,
    fee_schedule_version: row.schedule_version,
    policy_id: row.policy_id,
    policy_version: row.policy_version,
    replaced_by_order_id: moves.replaced_by_order_id,
    engine_sequence: moves.engine_sequence,
    created_at: formatMicros(row.created_at),
    updated_at: formatMicros(moves.updated_at),
    received_at: formatMicros(row.created_at),
    validated_at: at('validated'),
    // The batch that took the order is the one that acknowledged it.
    acknowledged_at: formatMicros(row.created_at),
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

/** null: of what was not measured, which is 0. */
function atScale(value: number, scale: number | null): string {
  return fromScaled(BigInt(value), scale ?? 0)
}

/** Exact notional over quantity, at 10 decimals half even; null without fills. */
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
