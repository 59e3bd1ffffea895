import { fromScaled } from '../../primitives/scaled.ts'
import { ORDER_PREVIEW } from '../../protocol/limits.ts'
import type { OrderPreview } from '../../protocol/resources/order-preview.ts'
import type { OrderStatus, TerminalReason } from '../../vocabulary/order.ts'
import { ladderPrice } from '../market/ladder.ts'
import type { Ending, Executable } from '../matching/taker.ts'
import type { Order } from '../order/order.ts'
import type { Execution } from './execution.ts'
import { TriedMatches } from './permit-match.ts'
import type { Admitted } from './place-order.ts'

type PreventionPreview = NonNullable<OrderPreview['self_trade_prevention']>

/** An own resting order that the tried order would meet, and the quantity of that match. */
type Prevented = { readonly own: Order; readonly quantity: number }

/** Result of trying an admitted order: what executes, and the state in which the order would be then. */
export type TriedOrder = {
  readonly found: Executable
  readonly order_status: OrderStatus
  readonly terminal_reason: TerminalReason | null
  readonly self_trade_prevention: PreventionPreview | null
}

/** Tries an admitted order on the book, which it does not change. */
export function tryOrder(execution: Execution, { order, outcome, rise }: Admitted): TriedOrder {
  const matches = new WatchedMatches(execution, outcome, order, rise)
  const found = outcome.book.executable(order, matches)
  // A FOK is tried as a whole before its first match: without enough to fill it, it meets nothing.
  const is_unfillable = found.ending === 'unfillable'
  const executed = is_unfillable ? { ...found, quantity: 0, value: 0 } : found
  const [order_status, terminal_reason] = stateAfter(order, executed)
  const met = is_unfillable ? [] : matches.met
  return {
    found: executed,
    order_status,
    terminal_reason,
    self_trade_prevention: met.length === 0 ? null : preventionOf(order, found.ending, met),
  }
}

/** Keeps which own orders a tried order would meet. */
class WatchedMatches extends TriedMatches {
  readonly met: Prevented[] = []

  override prevented(slot: number, quantity: number): void {
    super.prevented(slot, quantity)
    this.met.push({ own: this.restingAt(slot), quantity })
  }
}

type StateAfter = readonly [OrderStatus, TerminalReason | null]

/** Returns the state of an order after it executed, and why it ended; null: it has not ended, or is filled. */
function stateAfter({ reduce_only, canceled_quantity }: Order, { quantity, ending }: Executable): StateAfter {
  const ends = ENDS[ending]
  if (ending === 'filled') return reduce_only && canceled_quantity > 0 ? ['canceled', 'REDUCE_ONLY'] : ['filled', null]
  if (ending === 'unfilled') return ['canceled', quantity > 0 ? 'FAK_REMAINDER' : 'FAK_NO_FILL']
  if (ends !== null) return ['canceled', ends]
  return [quantity > 0 ? 'partially_filled' : 'open', null]
}

const ENDS = {
  filled: null,
  rests: null,
  unfilled: null,
  unfillable: 'FOK_NOT_FILLED',
  prevented: 'SELF_TRADE_PREVENTION',
  unbookable: 'RISK_ACTION',
} as const satisfies Record<Ending, TerminalReason | null>

function preventionOf(order: Order, ending: Ending, met: readonly Prevented[]): PreventionPreview {
  const mode = order.intent.self_trade_prevention
  const cancels = mode !== 'cancel_taker'
  const listed = met.slice(0, ORDER_PREVIEW.own_orders_listed_max)
  return {
    mode,
    ends_order: ending === 'prevented',
    own_orders: listed.map((one) => ownOrder(order, one, cancels)),
    own_orders_omitted: met.length - listed.length,
    canceled_quantity: shownQuantity(
      order,
      cancels ? met.reduce((sum, { own }) => sum + own.remaining_quantity, 0) : 0,
    ),
  }
}

function ownOrder(
  order: Order,
  { own, quantity }: Prevented,
  cancels: boolean,
): PreventionPreview['own_orders'][number] {
  const { terms, is_mirrored } = order
  const price = ladderPrice(terms, own.limit_price, is_mirrored)
  return {
    order_id: own.order_id,
    client_order_id: own.intent.client_order_id,
    outcome_id: own.intent.outcome_id,
    side: own.intent.side,
    price: fromScaled(BigInt(price), terms.price_scale),
    prevented_quantity: shownQuantity(order, quantity),
    canceled_quantity: shownQuantity(order, cancels ? own.remaining_quantity : 0),
  }
}

function shownQuantity({ terms }: Order, quantity: number): string {
  return fromScaled(BigInt(quantity), terms.quantity_scale)
}
