import { invariant } from '../../primitives/errors.ts'
import type { FeeSchedule, FeeSeries } from '../ledger/fees.ts'
import type { Position } from '../ledger/position.ts'
import { NONE } from '../matching/price-bits.ts'
import type { Order, OrderOrigin, Transitions } from '../order/order.ts'
import type { OrderStatus } from '../order/order-states.ts'
import { wholeAtScale } from '../order/written-decimal.ts'
import type { OrderRow } from '../projections/rows.ts'
import type { OrderIntent } from './commands.ts'

/** A working order from its row; it stands on no list yet. */
export function orderOfRow(row: OrderRow, position: Position, fees: FeeSchedule): Order {
  const intent = intentOfRow(row)
  const { terms } = position
  const limit_price = wholeAtScale(row.limit_price, terms.price_scale)
  invariant(limit_price !== null, `limit_price of order ${row.order_id} is one of its market's`)
  const reserve_fees = { ...(row.reserve_fee_base as FeeSeries) }
  const proceeds_fees = { ...(row.proceeds_fee_base as FeeSeries) }
  return {
    order_id: row.order_id,
    intent,
    origin: originOfRow(row),
    policy: { policy_id: row.policy_id, policy_version: row.policy_version },
    fees,
    terms,
    position,
    side: intent.side,
    limit_price,
    original_quantity: row.original_quantity,
    expires_at: row.expires_at,
    reduce_only: row.reduce_only,
    accepted_sequence: row.accepted_sequence,
    created_at: row.created_at,
    status: row.status as OrderStatus,
    version: row.version,
    terminal_reason: null,
    remaining_quantity: row.remaining_quantity,
    filled_quantity: row.filled_quantity,
    canceled_quantity: row.canceled_quantity,
    filled_notional: row.filled_notional,
    reserve_fees,
    proceeds_fees,
    adjusted_fees: row.fees - reserve_fees.charged - proceeds_fees.charged,
    reserved_amount: row.reserved_amount,
    told_reserved_amount: row.reserved_amount,
    uncovered_quantity: row.uncovered_quantity,
    replaced_by_order_id: row.replaced_by_order_id,
    transitions: { ...(row.transitions as Transitions) },
    engine_sequence: row.engine_sequence,
    updated_at: row.updated_at,
    changed: false,
    slot: NONE,
    older: null,
    newer: null,
  }
}

function intentOfRow(row: OrderRow): OrderIntent {
  return {
    order_id: row.order_id,
    client_order_id: row.client_order_id,
    account_id: row.account_id,
    market_id: row.market_id,
    outcome_id: row.outcome_id,
    side: row.side as OrderIntent['side'],
    limit_price: row.limit_price,
    quantity: row.quantity,
    time_in_force: row.time_in_force as OrderIntent['time_in_force'],
    expires_at: row.expires_at,
    post_only: row.post_only,
    reduce_only: row.reduce_only,
    cancel_on_pause: row.cancel_on_pause,
    self_trade_prevention: row.self_trade_prevention as OrderIntent['self_trade_prevention'],
    maximum_fee: row.maximum_fee,
    maximum_notional: row.maximum_notional,
    settlement_asset_id: row.settlement_asset_id,
  }
}

/** The request that brought it has been answered: its id is of no more use. */
function originOfRow(row: OrderRow): OrderOrigin {
  return {
    command_id: row.command_id,
    request_id: '',
    signature: {
      signer: row.signer,
      order_nonce: row.order_nonce,
      signature_type: row.signature_type as OrderOrigin['signature']['signature_type'],
      signature_version: row.signature_version,
      order_signature: row.order_signature,
      digest: row.digest,
      contract_call: row.contract_call as OrderOrigin['signature']['contract_call'],
    },
    labels: row.labels as OrderOrigin['labels'],
  }
}
