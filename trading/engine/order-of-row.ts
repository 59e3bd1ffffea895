import { invariant } from '../../primitives/errors.ts'
import type { OrderStatus } from '../../vocabulary/order.ts'
import type { FeeSchedule, FeeSeries } from '../ledger/fees.ts'
import { isReduceOnly, ladderPrice, ladderSide } from '../market/ladder.ts'
import { NONE } from '../matching/price-bits.ts'
import type { Order, Position, Transitions } from '../order/order.ts'
import type { OrderIntent, OrderOrigin } from '../order/order-intent.ts'
import { wholeAtScale } from '../order/written-decimal.ts'
import type { OrderRow } from '../projections/rows.ts'

/**
 * Rebuilds a working order from its row; no list holds it yet. The row is kept, and fields that only a change of the order needs
 * are read from it then.
 */
export function orderOfRow(row: OrderRow, position: Position, fees: FeeSchedule): Order {
  return new RestoredOrder(row, position, fees)
}

/** Most orders rest long after a restart, and the signed terms are most of a row but unused by the book. */
class RestoredOrder implements Order {
  readonly #row: OrderRow
  #written: Pick<Order, 'origin' | 'policy' | 'transitions' | 'created_at'> | null = null
  readonly order_id: Order['order_id']
  readonly fees: Order['fees']
  readonly terms: Order['terms']
  readonly position: Order['position']
  readonly is_mirrored: Order['is_mirrored']
  readonly side: Order['side']
  readonly limit_price: Order['limit_price']
  readonly original_quantity: Order['original_quantity']
  readonly expires_at: Order['expires_at']
  readonly reduce_only: Order['reduce_only']
  readonly accepted_sequence: Order['accepted_sequence']
  status: Order['status']
  version: Order['version']
  terminal_reason: Order['terminal_reason'] = null
  remaining_quantity: Order['remaining_quantity']
  filled_quantity: Order['filled_quantity']
  canceled_quantity: Order['canceled_quantity']
  trimmed_quantity: Order['trimmed_quantity']
  filled_notional: Order['filled_notional']
  readonly reserve_fees: Order['reserve_fees']
  readonly proceeds_fees: Order['proceeds_fees']
  adjusted_fees: Order['adjusted_fees']
  reserved_amount: Order['reserved_amount']
  published_reserved_amount: Order['published_reserved_amount']
  uncovered_quantity: Order['uncovered_quantity']
  replaced_by_order_id: Order['replaced_by_order_id']
  planned_end: Order['planned_end'] = null
  cancel: Order['cancel'] = null
  engine_sequence: Order['engine_sequence']
  #updated_at: Order['updated_at'] | null = null
  changed = false
  slot = NONE
  older: Order['older'] = null
  newer: Order['newer'] = null

  constructor(row: OrderRow, position: Position, fees: FeeSchedule) {
    const { terms } = position
    const price = wholeAtScale(row.limit_price, terms.price_scale)
    invariant(price !== null, `limit_price of order ${row.order_id} is one of its market's`)
    const reserve_fees = { ...(row.reserve_fee_base as FeeSeries) }
    const proceeds_fees = { ...(row.proceeds_fee_base as FeeSeries) }
    this.#row = row
    this.order_id = row.order_id
    this.fees = fees
    this.terms = terms
    this.position = position
    this.is_mirrored = row.outcome_id !== position.outcome_id
    this.side = ladderSide(row.side as Order['side'], this.is_mirrored)
    this.limit_price = ladderPrice(terms, price, this.is_mirrored)
    this.original_quantity = row.original_quantity
    this.expires_at = row.expires_at
    this.reduce_only = isReduceOnly(terms, row as OrderIntent)
    this.accepted_sequence = row.accepted_sequence
    this.status = row.status as OrderStatus
    this.version = row.version
    this.remaining_quantity = row.remaining_quantity
    this.filled_quantity = row.filled_quantity
    this.canceled_quantity = row.canceled_quantity
    this.trimmed_quantity = row.trimmed_quantity ?? 0
    this.filled_notional = row.filled_notional
    this.reserve_fees = reserve_fees
    this.proceeds_fees = proceeds_fees
    this.adjusted_fees = row.fees - reserve_fees.charged - proceeds_fees.charged
    this.reserved_amount = row.reserved_amount
    this.published_reserved_amount = row.reserved_amount
    this.uncovered_quantity = row.uncovered_quantity
    this.replaced_by_order_id = row.replaced_by_order_id
    this.engine_sequence = row.engine_sequence
  }

  get intent(): OrderIntent {
    return this.#row
  }

  get origin(): OrderOrigin {
    return this.#wrote().origin
  }

  get policy(): Order['policy'] {
    return this.#wrote().policy
  }

  get transitions(): Transitions {
    return this.#wrote().transitions
  }

  get created_at(): Order['created_at'] {
    return this.#wrote().created_at
  }

  get updated_at(): Order['updated_at'] {
    return this.#updated_at ?? this.#row.updated_at
  }

  set updated_at(at: Order['updated_at']) {
    this.#updated_at = at
  }

  #wrote() {
    this.#written ??= writtenOf(this.#row)
    return this.#written
  }
}

function writtenOf(row: OrderRow) {
  const { policy_id, policy_version, created_at } = row
  return {
    // The request that brought the order has been answered, so its id has no further use.
    origin: {
      command_id: row.command_id,
      request_id: '',
      signature: row,
      labels: row.labels,
      received_at: row.received_at,
      quote_set_id: row.quote_set_id,
    },
    policy: { policy_id, policy_version },
    transitions: { ...(row.transitions as Transitions) },
    created_at,
  }
}
