import { fromScaled } from '../../primitives/scaled.ts'
import { type FeeSchedule, feeBuffer, NO_FEES, worstFeeBase } from '../ledger/fees.ts'
import { type MarketTerms, notional } from '../market/market-terms.ts'
import { orderErrors, type Rejection } from '../order/order-errors.ts'
import type { OrderIntent } from '../order/order-intent.ts'
import { floorAtScale } from '../order/written-decimal.ts'
import type { Measured } from './check-terms.ts'

/** The part of an intent that is compared with its caps; a question about the past may have none. */
export type CappedTerms = Pick<OrderIntent, 'side'> & Partial<Pick<OrderIntent, 'maximum_notional' | 'maximum_fee'>>

/**
 * Checks an order against its signed caps: price x quantity, and the greatest fee.
 * @param fees null: no version of the schedule is known, and the fee is not checked
 */
export function checkCaps(
  { side, maximum_notional, maximum_fee }: CappedTerms,
  { limit_price, quantity }: Measured,
  terms: MarketTerms,
  fees: FeeSchedule | null,
): Rejection | null {
  const money = (value: number) => fromScaled(BigInt(value), terms.asset_scale)
  const worth = notional(terms, limit_price, quantity)
  if (maximum_notional !== undefined && worth > floorAtScale(maximum_notional, terms.asset_scale))
    return orderErrors.above_maximum_notional(money(worth), maximum_notional)
  if (maximum_fee === undefined || fees === null) return null
  const fee = feeBuffer(NO_FEES, fees, worstFeeBase(terms, side, limit_price, quantity))
  return fee <= floorAtScale(maximum_fee, terms.asset_scale)
    ? null
    : orderErrors.above_maximum_fee(money(fee), maximum_fee)
}
