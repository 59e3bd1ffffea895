import { timesIsSafe } from '../../primitives/safe-integers.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import { feeBuffer, NO_FEES, worstFeeBase } from '../ledger/fees.ts'
import { reducible, workingSide } from '../ledger/position.ts'
import { notional } from '../market/market-terms.ts'
import { type AccountPolicy, openOrderLimits } from '../order/account-policy.ts'
import type { Position } from '../order/order.ts'
import { orderErrors, type Rejection } from '../order/order-errors.ts'
import type { OrderIntent } from '../order/order-intent.ts'
import { floorAtScale } from '../order/written-decimal.ts'
import type { Measured } from './check-terms.ts'
import { MARK_SCALE, type Outcome } from './state.ts'

export type RiskInput = {
  readonly intent: OrderIntent
  readonly measured: Measured
  readonly outcome: Outcome
  readonly position: Position
  readonly policy: AccountPolicy
  /** Number of working orders that the order replaces. */
  readonly replaced: 0 | 1
}

/**
 * Checks stage 7 without collateral, which is checked by reserving it: signed caps, price band, reduce_only, shorting, position
 * limit, number of open orders.
 * @returns the quantity that may execute, less than the signed one where reduce_only cuts it; or the first failing rule
 */
export function checkRisk(input: RiskInput): number | Rejection {
  const capped = checkCaps(input) ?? checkBand(input)
  if (capped !== null) return capped
  const quantity = input.intent.reduce_only ? cutToReduce(input) : input.measured.quantity
  if (typeof quantity !== 'number') return quantity
  return checkShorting(input, quantity) ?? checkLimit(input, quantity) ?? checkOpenOrders(input) ?? quantity
}

function checkCaps({ intent, measured: { limit_price, quantity }, outcome }: RiskInput): Rejection | null {
  const { terms, fees } = outcome.market
  if (!timesIsSafe(terms.one * terms.unit, quantity)) {
    return orderErrors.too_large(intent.quantity)
  }
  const worth = notional(terms, limit_price, quantity)
  if (worth > floorAtScale(intent.maximum_notional, terms.asset_scale)) {
    return orderErrors.above_maximum_notional(fromScaled(BigInt(worth), terms.asset_scale), intent.maximum_notional)
  }
  const fee = feeBuffer(NO_FEES, fees, worstFeeBase(terms, intent.side, limit_price, quantity))
  if (fee <= floorAtScale(intent.maximum_fee, terms.asset_scale)) return null
  return orderErrors.above_maximum_fee(fromScaled(BigInt(fee), terms.asset_scale), intent.maximum_fee)
}

/** Checks the price band around the last mark; without a mark there is no band. */
function checkBand({ intent, measured, outcome, policy }: RiskInput): Rejection | null {
  if (policy.price_band === null || outcome.mark === null) return null
  const band = floorAtScale(policy.price_band, MARK_SCALE)
  const price = measured.limit_price * 10 ** (MARK_SCALE - outcome.market.terms.price_scale)
  const worse = intent.side === 'BUY' ? price - outcome.mark : outcome.mark - price
  if (worse <= band) return null
  const mark = fromScaled(BigInt(outcome.mark), MARK_SCALE)
  return orderErrors.outside_price_band(intent.limit_price, policy.price_band, mark)
}

function cutToReduce({ intent, measured, position, policy }: RiskInput): number | Rejection {
  const left = reducible(position, intent.side) - workingSide(position, intent.side).reduce_only_remaining
  const refused = left <= 0 || (left < measured.quantity && policy.reduce_only_crossing === 'reject')
  if (!refused) return Math.min(left, measured.quantity)
  const reducing = fromScaled(BigInt(Math.max(left, 0)), position.terms.quantity_scale)
  return orderErrors.nothing_to_reduce(intent.quantity, reducing)
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
  const limit = floorAtScale(policy.position_limit, position.terms.quantity_scale)
  const [bought, sold] = intent.side === 'BUY' ? [quantity, 0] : [0, quantity]
  const long = Math.abs(position.net_quantity + position.buys.remaining + bought)
  const short = Math.abs(position.net_quantity - position.sells.remaining - sold)
  const reached = intent.side === 'BUY' ? long : short
  if (reached <= limit || intent.reduce_only) return null
  const could_become = fromScaled(BigInt(reached), position.terms.quantity_scale)
  return orderErrors.above_position_limit(could_become, policy.position_limit)
}
