import type { Micros } from '../../primitives/instants.ts'
import type { OrderStatus } from '../../vocabulary/order.ts'
import type { OrderEvent } from '../engine/events.ts'
import type { OrderFixed, OrderMoves } from './order.ts'

/** What the events of an order do not say, or not alone. */
export type OrderBase = OrderFixed & Pick<OrderMoves, 'rejection' | 'transitions'>

/**
 * What moves of an order as one of its events left it.
 * @param base as it is now or was at any time since the event
 * @param reached the states that it reached in the batch of the event, up to the event
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
    // As it was answered: the event has the cause alone.
    rejection: event.rejection === null ? null : base.rejection,
    filled_quantity: event.filled_quantity,
    remaining_quantity: event.remaining_quantity,
    canceled_quantity: event.canceled_quantity,
    filled_notional: event.filled_notional,
    fees: event.fees,
    reserved_amount: event.reserved_amount,
    replaced_by_order_id: event.replaced_by_order_id,
    transitions: transitionsAt(base.transitions, event.at, reached),
    engine_sequence: event.engine_sequence,
    updated_at: event.at,
  }
}

/** States reached before the batch, and in it up to the event. Every order is received with its first batch, which no event says. */
function transitionsAt(transitions: unknown, at: Micros, reached: ReadonlySet<OrderStatus>): OrderMoves['transitions'] {
  const by_then: Partial<Record<OrderStatus, Micros>> = {}
  for (const [name, since] of Object.entries(transitions as Partial<Record<OrderStatus, Micros>>)) {
    const status = name as OrderStatus
    if (since < at || (since === at && (status === 'received' || reached.has(status)))) by_then[status] = since
  }
  return by_then
}

/** Which states the orders of one batch have reached so far; batches come one after the other. */
export class ReachedStates {
  #batch_sequence = 0
  readonly #by_order = new Map<string, Set<OrderStatus>>()

  /** Takes an event in. @returns what its order has reached in its batch, with it */
  after(batch_sequence: number, { order_id, status }: OrderEvent): ReadonlySet<OrderStatus> {
    if (batch_sequence !== this.#batch_sequence) this.#by_order.clear()
    this.#batch_sequence = batch_sequence
    const reached = this.#by_order.get(order_id) ?? new Set()
    this.#by_order.set(order_id, reached.add(status))
    return reached
  }
}
