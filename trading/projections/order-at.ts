import type { Micros } from '../../primitives/instants.ts'
import type { OrderStatus } from '../../vocabulary/order.ts'
import type { OrderEvent } from '../engine/events.ts'
import type { OrderFixed, OrderMoves } from './order.ts'

/** Columns of an order that its events lack, or show only in part. */
export type OrderBase = OrderFixed & Pick<OrderMoves, 'rejection' | 'transitions'>

/**
 * Returns the changing columns of an order as one of its events left them.
 * @param base the order's columns now or at any time since the event
 * @param reached the states that the order reached in the event's batch, up to the event
 */
export function movesAt(
  base: Pick<OrderBase, 'rejection' | 'transitions'>,
  event: OrderEvent,
  reached: ReadonlySet<OrderStatus>,
): OrderMoves {
  return {
    status: event.status,
    version: event.version,
    terminal_reason: event.terminal_reason,
    // The event has only the cause; the row has the rejection as answered.
    rejection: event.rejection === null ? null : base.rejection,
    filled_quantity: event.filled_quantity,
    remaining_quantity: event.remaining_quantity,
    canceled_quantity: event.canceled_quantity,
    trimmed_quantity: event.trimmed_quantity ?? 0,
    filled_notional: event.filled_notional,
    fees: event.fees,
    reserved_amount: event.reserved_amount,
    replaced_by_order_id: event.replaced_by_order_id,
    transitions: transitionsAt(base.transitions, event.at, reached),
    engine_sequence: event.engine_sequence,
    updated_at: event.at,
  }
}

/**
 * Returns the states reached before the batch, and in it up to the event. Every order is received in its first batch, without an
 * event.
 */
function transitionsAt(transitions: unknown, at: Micros, reached: ReadonlySet<OrderStatus>): OrderMoves['transitions'] {
  const by_then: Partial<Record<OrderStatus, Micros>> = {}
  for (const [name, since] of Object.entries(transitions as Partial<Record<OrderStatus, Micros>>)) {
    const status = name as OrderStatus
    if (since < at || (since === at && (status === 'received' || reached.has(status)))) by_then[status] = since
  }
  return by_then
}

/** States that the orders of one batch have reached so far; batches are read in sequence. */
export class ReachedStates {
  #batch_sequence = 0
  readonly #by_order = new Map<string, Set<OrderStatus>>()

  /** Adds an event. @returns the states that its order has reached in its batch, including this one */
  after(batch_sequence: number, { order_id, status }: OrderEvent): ReadonlySet<OrderStatus> {
    if (batch_sequence !== this.#batch_sequence) this.#by_order.clear()
    this.#batch_sequence = batch_sequence
    const reached = this.#by_order.get(order_id) ?? new Set()
    this.#by_order.set(order_id, reached.add(status))
    return reached
  }
}
