import type { Micros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import { largestQuantity, type MarketTerms } from '../market/market-terms.ts'
import { orderErrors, type Rejection } from '../order/order-errors.ts'
import type { OrderIntent } from '../order/order-intent.ts'
import { wholeAtScale } from '../order/written-decimal.ts'

/** Price and quantity of an intent as whole numbers at its market's scales. */
export type Measured = { readonly limit_price: number; readonly quantity: number }

/** The part of an intent that stage 6 checks. */
export type CheckedTerms = Pick<
  OrderIntent,
  'limit_price' | 'quantity' | 'time_in_force' | 'expires_at' | 'post_only' | 'settlement_asset_id'
>

/**
 * Checks stage 6: price and quantity against the market's steps and bounds, time in force against flags and expiry. Returns the
 * first failing rule.
 */
export function checkTerms(intent: CheckedTerms, terms: MarketTerms, now: Micros): Measured | Rejection {
  if (intent.settlement_asset_id !== terms.settlement_asset_id) {
    return orderErrors.asset_invalid(intent.settlement_asset_id, terms.settlement_asset_id)
  }
  const limit_price = wholeAtScale(intent.limit_price, terms.price_scale)
  const quantity = wholeAtScale(intent.quantity, terms.quantity_scale)
  return (
    checkPrice(intent, limit_price, terms) ??
    checkQuantity(intent, quantity, terms) ??
    checkTimeInForce(intent, now) ?? { limit_price: limit_price!, quantity: quantity! }
  )
}

function checkPrice({ limit_price }: CheckedTerms, price: number | null, terms: MarketTerms): Rejection | null {
  const { price_min, price_max, price_increment, price_scale } = terms
  const on_grid = price !== null && price % price_increment === 0
  if (on_grid && price >= price_min && price <= price_max) return null
  const print = (value: number) => fromScaled(BigInt(value), price_scale)
  return on_grid
    ? orderErrors.price_out_of_range(limit_price, print(price_min), print(price_max))
    : orderErrors.off_tick(limit_price, print(price_increment))
}

function checkQuantity(
  { quantity: text }: CheckedTerms,
  quantity: number | null,
  terms: MarketTerms,
): Rejection | null {
  const { quantity_increment, minimum_quantity, quantity_scale } = terms
  const largest = largestQuantity(terms)
  const is_lot = quantity !== null && quantity % quantity_increment === 0
  if (is_lot && quantity >= minimum_quantity && quantity <= largest) return null
  const print = (value: number) => fromScaled(BigInt(value), quantity_scale)
  return orderErrors.off_lot(text, print(quantity_increment), print(minimum_quantity), print(largest))
}

function checkTimeInForce({ time_in_force, expires_at, post_only }: CheckedTerms, now: Micros): Rejection | null {
  if (time_in_force === 'GTD' && expires_at === null) {
    return orderErrors.time_in_force('expires_at is missing; GTD requires an instant')
  }
  if (time_in_force !== 'GTD' && expires_at !== null) {
    return orderErrors.time_in_force(`expires_at is given with ${time_in_force}; allowed: with GTD alone`)
  }
  if (expires_at !== null && expires_at <= now) return orderErrors.time_in_force('expires_at has passed')
  if (post_only && (time_in_force === 'FOK' || time_in_force === 'FAK')) {
    return orderErrors.time_in_force(`post_only is true with ${time_in_force}; allowed: with GTC or GTD`)
  }
  return null
}
