import { isEnding } from '../ledger/cover.ts'
import { ladderPrice } from '../market/ladder.ts'
import type { Ending, Matches, Permit, Trial } from '../matching/taker.ts'
import type { Order } from '../order/order.ts'
import { ANY_QUANTITY, allowanceOf } from '../order/protection.ts'
import { endReduced, trimReduceOnly } from './enforce-reduce-only.ts'
import { executeFill } from './execute-fill.ts'
import { executeLadderFill } from './execute-ladder-fill.ts'
import type { Execution } from './execution.ts'
import { followMarket } from './follow-market.ts'
import { permitMatch, TriedMatches } from './permit-match.ts'
import { endByEngine } from './planned-ends.ts'
import { countFill } from './protect-maker.ts'
import type { Outcome } from './state.ts'
import { dismiss, endOrder, leaveBook, moveOrder, rest } from './working-orders.ts'

/** Executes an admitted order: matches what it can, then rests or ends it by its time in force. */
export function executeOrder(
  execution: Execution,
  { order, outcome }: { readonly order: Order; readonly outcome: Outcome },
): void {
  moveOrder(execution, order, 'validated')
  const ending = outcome.book.execute(order, new BookedMatches(execution, outcome, order))
  execution.touchLevels(outcome)
  if (ending === 'unfillable') endOrder(execution, order, 'canceled', 'FOK_NOT_FILLED')
  else if (ending === 'filled') finishFilled(execution, order)
  else settleRemainder(execution, outcome, order, ending)
}

function settleRemainder(execution: Execution, outcome: Outcome, order: Order, ending: Ending): void {
  const has_filled = order.filled_quantity > 0
  if (has_filled) moveOrder(execution, order, 'partially_filled')
  if (ending === 'prevented') endOrder(execution, order, 'canceled', 'SELF_TRADE_PREVENTION')
  else if (ending === 'unbookable') endOrder(execution, order, 'canceled', 'RISK_ACTION')
  else if (ending === 'unfilled') endOrder(execution, order, 'canceled', has_filled ? 'FAK_REMAINDER' : 'FAK_NO_FILL')
  else {
    rest(execution, outcome, order)
    if (!has_filled) moveOrder(execution, order, 'open')
  }
}

/**
 * Ends an order with nothing remaining. One that was cut to what reduces the position has not filled its signed quantity; what an
 * adjustment took off a fill does not count here.
 */
function finishFilled(execution: Execution, order: Order): void {
  dismiss(execution, order)
  if (!order.reduce_only || order.canceled_quantity === 0) {
    moveOrder(execution, order, 'filled')
    return
  }
  moveOrder(execution, order, 'partially_filled')
  moveOrder(execution, order, 'canceled', 'REDUCE_ONLY')
}

/** Books and publishes the book's decisions about one taker. */
class BookedMatches implements Matches {
  readonly #execution: Execution
  readonly #outcome: Outcome
  readonly #taker: Order

  constructor(execution: Execution, outcome: Outcome, taker: Order) {
    this.#execution = execution
    this.#outcome = outcome
    this.#taker = taker
  }

  permits(slot: number, quantity: number): Permit {
    return permitMatch(this.#taker, this.#outcome.resting[slot]!, quantity)
  }

  allowance(slot: number): number {
    const { protection } = this.#outcome.resting[slot]!.position
    return protection === null ? ANY_QUANTITY : allowanceOf(protection, this.#execution.now).quantity
  }

  tries(): Trial {
    return new TriedMatches(this.#execution, this.#outcome, this.#taker, 0)
  }

  isEnding(slot: number): boolean {
    return isEnding(this.#outcome.resting[slot]!, this.#execution.now)
  }

  ended(slot: number): void {
    const [execution, maker] = [this.#execution, this.#outcome.resting[slot]!]
    leaveBook(maker)
    endByEngine(execution, maker, 'RISK_ACTION')
  }

  filled(slot: number, quantity: number, left: number): void {
    const maker = this.#outcome.resting[slot]!
    followMarket(this.#execution, maker)
    const execute = maker.terms.complementary ? executeLadderFill : executeFill
    execute(this.#execution, this.#outcome, this.#taker, maker, quantity)
    if (left > 0) moveOrder(this.#execution, maker, 'partially_filled')
    else {
      leaveBook(maker)
      finishFilled(this.#execution, maker)
    }
    countFill(this.#execution, maker, quantity)
    if (!maker.terms.complementary) return
    for (const { position } of [maker, this.#taker]) trimReduceOnly(this.#execution, this.#outcome, position)
  }

  prevented(slot: number, quantity: number, maker_ends: boolean): void {
    const [execution, taker, maker] = [this.#execution, this.#taker, this.#outcome.resting[slot]!]
    const engine_sequence = execution.nextSequence()
    execution.publish({
      engine_sequence,
      at: execution.now,
      kind: 'prevented_match',
      prevented_match_id: `ptm_${engine_sequence}`,
      account_id: taker.position.account_id,
      outcome_id: taker.intent.outcome_id,
      taker_order_id: taker.order_id,
      maker_order_id: maker.order_id,
      mode: taker.intent.self_trade_prevention,
      price: ladderPrice(taker.terms, maker.limit_price, taker.is_mirrored),
      quantity,
    })
    if (!maker_ends) return
    leaveBook(maker)
    endByEngine(execution, maker, 'SELF_TRADE_PREVENTION')
  }

  reduced(slot: number): void {
    endReduced(this.#execution, this.#outcome, slot)
  }
}
