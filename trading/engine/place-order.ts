import { fromScaled } from '../../primitives/scaled.ts'
import type { Side } from '../../vocabulary/order.ts'
import { availableOf } from '../ledger/balance.ts'
import { emptyFeeSeries, NO_FEES } from '../ledger/fees.ts'
import { isReduceOnly, ladderPrice, ladderSide } from '../market/ladder.ts'
import { NONE } from '../matching/price-bits.ts'
import type { Order, Position } from '../order/order.ts'
import { isRejection, orderErrors, type Rejection } from '../order/order-errors.ts'
import type { IncomingOrder } from '../order/order-intent.ts'
import { rejectedOrderRow } from '../projections/order-row.ts'
import type { OrderRow } from '../projections/rows.ts'
import { type BookTerms, checkRisk } from './check-risk.ts'
import { checkTerms, type Measured } from './check-terms.ts'
import { executeOrder } from './execute-order.ts'
import type { Execution } from './execution.ts'
import { clearFront } from './planned-ends.ts'
import { type Account, ladderOf, type Outcome, positionOf } from './state.ts'
import { confirmEnrolment, enroll, unenroll } from './working-orders.ts'

/** `outcome` is the one on whose book the order rests; `is_mirrored`: the order is signed for the other one. */
type Resolved = { readonly account: Account; readonly outcome: Outcome; readonly is_mirrored: boolean }

/** An order that passed stages 5 to 8 and is enrolled with its account; not booked or published yet. */
export type Admitted = { readonly order: Order; readonly outcome: Outcome; readonly rise: number }

/**
 * Runs stages 5 to 8 of a signed order, then executes it. The first failing rule rejects it, which is recorded; a FOK or FAK that
 * finds nothing is accepted and canceled.
 * @returns the order as it is then, or the record of its rejection
 */
export function placeOrder(execution: Execution, request: IncomingOrder): Order | RejectedOrder {
  return concludePlacing(execution, request, admitOrder(execution, request))
}

/** Executes an admitted order, or records the rejection of a refused one. */
export function concludePlacing(
  execution: Execution,
  request: IncomingOrder,
  admitted: Admitted | Rejection,
): Order | RejectedOrder {
  if (isRejection(admitted)) return recordRejected(execution, request, admitted)
  confirmEnrolment(execution, admitted.order, admitted.rise)
  executeOrder(execution, admitted)
  return admitted.order
}

/**
 * Runs stages 5 to 8; a refusal leaves everything unchanged.
 * @param released what a replaced order no longer needs
 * @param replaced number of working orders that the order replaces
 */
export function admitOrder(
  execution: Execution,
  request: IncomingOrder,
  released = 0,
  replaced: 0 | 1 = 0,
): Admitted | Rejection {
  const { intent } = request
  const resolved = resolve(execution, request)
  if (isRejection(resolved)) return resolved
  const { account, outcome } = resolved
  const measured = checkTerms(intent, outcome.market.terms, execution.now)
  if (isRejection(measured)) return measured
  const book_terms = bookTermsOf(resolved, intent.side, measured)
  const position = positionOf(account, outcome)
  if (intent.post_only) clearFront(execution, outcome, book_terms.side)
  const { policy } = account
  const quantity = checkRisk({ intent, measured, book_terms, outcome, position, policy, replaced, now: execution.now })
  if (isRejection(quantity)) return quantity
  const order = makeOrder(execution, resolved, position, request, book_terms, measured.quantity, quantity)
  return reserveOrder(execution, resolved, order, released)
}

/** Checks collateral by enrolling the order, and post_only after that. */
function reserveOrder(
  execution: Execution,
  { outcome }: Resolved,
  order: Order,
  released: number,
): Admitted | Rejection {
  const available = availableOf(order.position.money) + released
  const rise = enroll(execution, order, order.original_quantity - order.canceled_quantity)
  const refused = rise > available ? insufficient(order, rise, available) : checkPostOnly(outcome, order)
  if (refused === null) return { order, outcome, rise: rise - released }
  unenroll(execution, order)
  return refused
}

function resolve({ state }: Execution, { intent, is_published_market = false }: IncomingOrder): Resolved | Rejection {
  const { account_id, market_id, outcome_id } = intent
  const account = state.accounts.get(account_id)
  if (account === undefined || account.blocked) return orderErrors.account_blocked(account_id)
  const market = state.markets.get(market_id)
  if (market === undefined) {
    return is_published_market ? orderErrors.market_elsewhere(market_id) : orderErrors.market_unknown(market_id)
  }
  const outcome = market.outcomes.get(outcome_id)
  if (outcome === undefined) return orderErrors.outcome_unknown(outcome_id, market_id)
  const { is_mirrored } = outcome
  if (market.status === 'open') return { account, outcome: ladderOf(outcome), is_mirrored }
  return orderErrors.market_closed(market_id, market.status)
}

function bookTermsOf({ outcome: { market }, is_mirrored }: Resolved, side: Side, { limit_price }: Measured): BookTerms {
  return { side: ladderSide(side, is_mirrored), limit_price: ladderPrice(market.terms, limit_price, is_mirrored) }
}

function makeOrder(
  { state, now }: Execution,
  { account: { policy }, outcome: { market }, is_mirrored }: Resolved,
  position: Position,
  { intent, origin }: IncomingOrder,
  { side, limit_price }: BookTerms,
  original_quantity: number,
  working: number,
): Order {
  return {
    order_id: intent.order_id,
    intent,
    origin,
    policy,
    fees: market.fees,
    terms: market.terms,
    position,
    is_mirrored,
    side,
    limit_price,
    original_quantity,
    expires_at: intent.expires_at,
    reduce_only: isReduceOnly(market.terms, intent),
    accepted_sequence: state.engine_sequence + 1,
    created_at: now,
    status: 'received',
    version: 1,
    terminal_reason: null,
    remaining_quantity: 0,
    filled_quantity: 0,
    canceled_quantity: original_quantity - working,
    trimmed_quantity: 0,
    filled_notional: 0,
    reserve_fees: emptyFeeSeries(),
    proceeds_fees: intent.side === 'BUY' && !market.terms.complementary ? NO_FEES : emptyFeeSeries(),
    adjusted_fees: 0,
    reserved_amount: 0,
    published_reserved_amount: 0,
    uncovered_quantity: 0,
    replaced_by_order_id: null,
    planned_end: null,
    cancel: null,
    transitions: { received: now, validated: undefined, open: undefined },
    engine_sequence: state.engine_sequence,
    updated_at: now,
    changed: false,
    slot: NONE,
    older: null,
    newer: null,
  }
}

function insufficient({ terms }: Order, rise: number, available: number): Rejection {
  const print = (amount: number) => fromScaled(BigInt(amount), terms.asset_scale)
  return orderErrors.insufficient_collateral(print(rise), terms.settlement_asset_id, print(available))
}

/** Checked before self-trade prevention: an own resting order counts as one to cross with. */
function checkPostOnly({ book }: Outcome, { intent: { post_only }, side, limit_price }: Order): Rejection | null {
  if (!post_only || !book.wouldTake(side, limit_price)) return null
  return orderErrors.would_take()
}

/** A rejected order with its record. */
export type RejectedOrder = { readonly rejection: Rejection; readonly row: OrderRow }

/** Records and publishes a rejected order. */
function recordRejected(execution: Execution, request: IncomingOrder, rejection: Rejection): RejectedOrder {
  const engine_sequence = execution.nextSequence()
  const row = rejectedOrderRow(execution, request, rejection, engine_sequence)
  execution.changes.order_rows.set(row.order_id, row)
  execution.publish({
    engine_sequence,
    at: execution.now,
    kind: 'order',
    account_id: row.account_id,
    order_id: row.order_id,
    status: 'rejected',
    version: row.version,
    terminal_reason: null,
    filled_quantity: 0,
    remaining_quantity: 0,
    canceled_quantity: row.canceled_quantity,
    filled_notional: 0,
    fees: 0,
    reserved_amount: 0,
    replaced_by_order_id: null,
    rejection,
  })
  return { rejection, row }
}
