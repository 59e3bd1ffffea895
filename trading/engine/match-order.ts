import type { Order, SelfTradeMode, Side } from '../order/order.ts'
import { enforceReduceOnly } from './enforce-reduce-only.ts'
import { executeFill } from './execute-fill.ts'
import type { Execution } from './execution.ts'
import type { Outcome } from './state.ts'
import { dismiss, endOrder, moveOrder, takeOut } from './working-orders.ts'

/** Whether a price of the other side is one that the order accepts. */
export function crosses(side: Side, limit_price: number, price: number): boolean {
  return side === 'BUY' ? price <= limit_price : price >= limit_price
}

/**
 * Executes a taker against the book: best price first, then oldest, each at the resting order's price. An own resting order is
 * dealt with as the taker's instruction says.
 * @returns true where self-trade prevention ended the taker
 */
export function matchOrder(execution: Execution, outcome: Outcome, taker: Order): boolean {
  const { book } = outcome
  while (taker.remaining_quantity > 0) {
    const level = book.bestAgainst(taker.side)
    if (level === null || !crosses(taker.side, taker.limit_price, level.price)) return false
    const maker = level.first!
    if (maker.position === taker.position) {
      if (preventSelfTrade(execution, taker, maker)) return true
      continue
    }
    fillAgainst(execution, outcome, taker, maker)
  }
  return false
}

function fillAgainst(execution: Execution, outcome: Outcome, taker: Order, maker: Order): void {
  const quantity = Math.min(taker.remaining_quantity, maker.remaining_quantity)
  execution.touchLevel(outcome.book.reduce(maker, quantity))
  executeFill(execution, outcome, taker, maker, quantity)
  if (maker.remaining_quantity > 0) moveOrder(execution, maker, 'partially_filled')
  else {
    outcome.book.remove(maker)
    dismiss(execution, maker)
    finishFilled(execution, maker)
  }
  enforceReduceOnly(execution, maker.position, taker)
  enforceReduceOnly(execution, taker.position, taker)
}

/**
 * Ends an order that has nothing left. One that was cut to what reduces the position has not filled all that was signed; what an
 * adjustment took off a fill does not count here.
 */
export function finishFilled(execution: Execution, order: Order): void {
  if (!order.reduce_only || order.canceled_quantity === 0) {
    moveOrder(execution, order, 'filled')
    return
  }
  moveOrder(execution, order, 'partially_filled')
  moveOrder(execution, order, 'canceled', 'REDUCE_ONLY')
}

/** @returns true where the taker is to end */
function preventSelfTrade(execution: Execution, taker: Order, maker: Order): boolean {
  const mode: SelfTradeMode = taker.intent.self_trade_prevention
  const engine_sequence = execution.nextSequence()
  execution.tell({
    engine_sequence,
    at: execution.now,
    kind: 'prevented_match',
    prevented_match_id: `ptm_${engine_sequence}`,
    account_id: taker.position.account_id,
    outcome_id: taker.position.outcome_id,
    taker_order_id: taker.order_id,
    maker_order_id: maker.order_id,
    mode,
    price: maker.limit_price,
    quantity: Math.min(taker.remaining_quantity, maker.remaining_quantity),
  })
  if (mode !== 'cancel_taker') {
    takeOut(execution, maker)
    endOrder(execution, maker, 'canceled', 'SELF_TRADE_PREVENTION')
  }
  return mode !== 'cancel_maker'
}

/** Quantity, and sum of price x quantity, at the scales of the market. */
export type Executable = { readonly quantity: number; readonly value: number }

/**
 * What an order could execute at once, up to its quantity: other accounts' orders at its prices, in the order in which it would
 * meet them. Behind an own order that stops it there is nothing.
 */
export function executableAgainst(outcome: Outcome, taker: Order): Executable {
  const goes_on = taker.intent.self_trade_prevention === 'cancel_maker'
  let [quantity, value] = [0, 0]
  for (const level of outcome.book.levelsAgainst(taker.side)) {
    if (!crosses(taker.side, taker.limit_price, level.price)) break
    for (let maker = level.first; maker !== null; maker = maker.next) {
      if (quantity === taker.remaining_quantity) return { quantity, value }
      if (maker.position !== taker.position) {
        const part = Math.min(maker.remaining_quantity, taker.remaining_quantity - quantity)
        quantity += part
        value += part * level.price
      } else if (!goes_on) return { quantity, value }
    }
  }
  return { quantity, value }
}

/** Whether an order could fill whole at once. */
export function fillsWhole(outcome: Outcome, taker: Order): boolean {
  return executableAgainst(outcome, taker).quantity === taker.remaining_quantity
}
