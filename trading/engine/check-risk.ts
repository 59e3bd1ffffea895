import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import { coverOf } from '../ledger/cover.ts'
import { reducible, workingSide } from '../ledger/position.ts'
import { exposureOf, isReduceOnly } from '../market/ladder.ts'
import { type AccountPolicy, openOrderLimits } from '../order/account-policy.ts'
import type { Order, Position } from '../order/order.ts'
import { orderErrors, type Rejection } from '../order/order-errors.ts'
import type { OrderIntent } from '../order/order-intent.ts'
import { isFrozen } from '../order/protection.ts'
import { floorAtScale } from '../order/written-decimal.ts'
import { checkCaps } from './check-caps.ts'
import type { Measured } from './check-terms.ts'
import { MARK_SCALE, type Outcome } from './state.ts'

/** Side and price in the book that an order rests on. */
export type BookTerms = Pick<Order, 'side' | 'limit_price'>

export type RiskInput = {
  readonly intent: OrderIntent
  /** Signed price and quantity. */
  readonly measured: Measured
  readonly book_terms: BookTerms
  /** On whose book the order rests. */
  readonly outcome: Outcome
  readonly position: Position
  readonly policy: AccountPolicy
  /** Number of working orders that the order replaces. */
  readonly replaced: 0 | 1
  readonly now: Micros
}

/**
 * Checks stage 7 without collateral, which is checked by reserving it: a freeze, signed caps, price band, reduce_only, shorting, position
 * limit, number of open orders.
 * @returns the quantity that may execute, less than the signed one where reduce_only cuts it; or the first failing rule
 */
export function checkRisk(input: RiskInput): number | Rejection {
  const capped = checkFrozen(input) ?? ofCaps(input) ?? checkBand(input)
  if (capped !== null) return capped
  if (input.position.terms.complementary) return checkLadder(input)
  const quantity = input.intent.reduce_only ? cutToReduce(input) : input.measured.quantity
  if (typeof quantity !== 'number') return quantity
  return checkShorting(input, quantity) ?? checkLimit(input, quantity) ?? checkOpenOrders(input) ?? quantity
}

/** Checks an order of a complementary market, whose holdings cover it in the queue of its side. */
function checkLadder(input: RiskInput): number | Rejection {
  const { intent, measured, position } = input
  const covered = Math.min(coverOf(position, input.book_terms, input.now), measured.quantity)
  const is_cut = isReduceOnly(position.terms, intent)
  const refused = is_cut ? refuseToReduce(input, covered) : null
  if (refused !== null) return refused
  const quantity = is_cut ? covered : measured.quantity
  const limited = covered === quantity ? null : checkLadderLimit(input, quantity)
  return limited ?? checkOpenOrders(input) ?? quantity
}

/** Checks what an order may reduce. A FOK is never cut, because it fills its signed quantity or nothing. */
function refuseToReduce({ intent, measured, position, policy }: RiskInput, reducing: number): Rejection | null {
  const largest = fromScaled(BigInt(reducing), position.terms.quantity_scale)
  if (reducing === 0) return orderErrors.nothing_to_reduce(intent.quantity, largest)
  const may_cut = intent.time_in_force !== 'FOK' && policy.reduce_only_crossing === 'cap'
  return reducing === measured.quantity || may_cut ? null : orderErrors.reduces_too_much(intent.quantity, largest)
}

/** Checks the position limit against the larger of what the orders of either side could make of the exposure. */
function checkLadderLimit({ book_terms: { side }, position, policy }: RiskInput, quantity: number): Rejection | null {
  if (policy.position_limit === null) return null
  const exposure = exposureOf(position)
  const [bought, sold] = side === 'BUY' ? [quantity, 0] : [0, quantity]
  const long = exposure + position.buys.remaining + bought
  const short = position.sells.remaining + sold - exposure
  return refuseAbove(policy.position_limit, position, Math.max(long, short))
}

function refuseAbove(position_limit: string, { terms }: Position, reached: number): Rejection | null {
  if (reached <= floorAtScale(position_limit, terms.quantity_scale)) return null
  return orderErrors.above_position_limit(fromScaled(BigInt(reached), terms.quantity_scale), position_limit)
}

function checkFrozen({ position: { protection, market_id }, now }: RiskInput): Rejection | null {
  if (protection === null || !isFrozen(protection, now)) return null
  return orderErrors.frozen(market_id, formatMicros(protection.frozen_until!))
}

function ofCaps({ intent, measured, outcome: { market } }: RiskInput): Rejection | null {
  return checkCaps(intent, measured, market.terms, market.fees)
}

/** Checks the price band around the last mark; without a mark there is no band. */
function checkBand({ intent, book_terms, outcome, policy }: RiskInput): Rejection | null {
  if (policy.price_band === null || outcome.mark === null) return null
  const band = floorAtScale(policy.price_band, MARK_SCALE)
  const price = book_terms.limit_price * 10 ** (MARK_SCALE - outcome.market.terms.price_scale)
  const worse = book_terms.side === 'BUY' ? price - outcome.mark : outcome.mark - price
  if (worse <= band) return null
  const is_mirrored = intent.outcome_id !== outcome.outcome_id
  const mark = fromScaled(BigInt(is_mirrored ? 10 ** MARK_SCALE - outcome.mark : outcome.mark), MARK_SCALE)
  return orderErrors.outside_price_band(intent.limit_price, policy.price_band, mark)
}

function cutToReduce(input: RiskInput): number | Rejection {
  const { intent, measured, position } = input
  const left = reducible(position, intent.side) - workingSide(position, intent.side).reduce_only_remaining
  const quantity = Math.min(Math.max(left, 0), measured.quantity)
  return refuseToReduce(input, quantity) ?? quantity
}

function checkShorting({ intent, position }: RiskInput, quantity: number): Rejection | null {
  if (intent.side === 'BUY' || position.terms.shorting_permitted) return null
  const free = Math.max(position.net_quantity - position.sells.remaining, 0)
  if (quantity <= free) return null
  return orderErrors.short_not_permitted(intent.quantity, fromScaled(BigInt(free), position.terms.quantity_scale))
}

/** Checks the number of working orders; FOK and FAK never rest, so they are not limited. */
function checkOpenOrders({ intent, position: { open_orders }, policy, replaced }: RiskInput): Rejection | null {
  const { time_in_force, market_id } = intent
  if (time_in_force === 'FOK' || time_in_force === 'FAK') return null
  const { max_open_orders, max_open_orders_per_market } = openOrderLimits(policy)
  if (open_orders.account.count - replaced >= max_open_orders) return orderErrors.too_many_orders(max_open_orders, null)
  if (open_orders.market.count - replaced < max_open_orders_per_market) return null
  return orderErrors.too_many_orders(max_open_orders_per_market, market_id)
}

/** Checks the position limit against |net| plus the open orders of the worse side. */
function checkLimit({ intent, position, policy }: RiskInput, quantity: number): Rejection | null {
  if (policy.position_limit === null) return null
  const [bought, sold] = intent.side === 'BUY' ? [quantity, 0] : [0, quantity]
  const long = Math.abs(position.net_quantity + position.buys.remaining + bought)
  const short = Math.abs(position.net_quantity - position.sells.remaining - sold)
  const reached = intent.side === 'BUY' ? long : short
  return intent.reduce_only ? null : refuseAbove(policy.position_limit, position, reached)
}
