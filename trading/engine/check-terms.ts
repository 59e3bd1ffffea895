import type { Micros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { MarketTerms } from '../market/market-terms.ts'
import type { OrderIntent } from '../order/order-intent.ts'
import type { Rejection } from '../order/rejection.ts'
import { wholeAtScale } from '../order/written-decimal.ts'

/** Price and quantity of an intent as whole numbers at its market's scales. */
export type Measured = { readonly limit_price: number; readonly quantity: number }

/**
 * Checks stage 6: price and quantity against the market's steps and bounds, time in force against flags and expiry. Returns the
 * first failing rule.
 */
export function checkTerms(intent: OrderIntent, terms: MarketTerms, now: Micros): Measured | Rejection {
  if (intent.settlement_asset_id !== terms.settlement_asset_id) {
    return {
      code: 'ORDER_SETTLEMENT_ASSET_INVALID',
      message: `settlement_asset_id is ${intent.settlement_asset_id}; allowed: ${terms.settlement_asset_id}`,
    }
  }
  const limit_price = wholeAtScale(intent.limit_price, terms.price_scale)
  const quantity = wholeAtScale(intent.quantity, terms.quantity_scale)
  return (
    checkPrice(intent, limit_price, terms) ??
    checkQuantity(intent, quantity, terms) ??
    checkTimeInForce(intent, now) ?? { limit_price: limit_price!, quantity: quantity! }
  )
}

function checkPrice({ limit_price }: OrderIntent, price: number | null, terms: MarketTerms): Rejection | null {
  const { price_min, price_max, price_increment, price_scale } = terms
  const on_grid = price !== null && price % price_increment === 0
  if (on_grid && price >= price_min && price <= price_max) return null
  const print = (value: number) => fromScaled(BigInt(value), price_scale)
  if (!on_grid) {
    const message = `limit_price is ${limit_price}; allowed: a multiple of ${print(price_increment)}`
    return { code: 'ORDER_TICK_SIZE_INVALID', message }
  }
  const message = `limit_price is ${limit_price}; allowed: ${print(price_min)} to ${print(price_max)}`
  return { code: 'ORDER_PRICE_OUT_OF_RANGE', message }
}

function checkQuantity({ quantity: text }: OrderIntent, quantity: number | null, terms: MarketTerms): Rejection | null {
  const { quantity_increment, minimum_quantity, quantity_scale } = terms
  if (quantity !== null && quantity % quantity_increment === 0 && quantity >= minimum_quantity) return null
  const print = (value: number) => fromScaled(BigInt(value), quantity_scale)
  const message = `quantity is ${text}; allowed: a multiple of ${print(quantity_increment)}, at least ${print(minimum_quantity)}`
  return { code: 'ORDER_LOT_SIZE_INVALID', message }
}

function checkTimeInForce({ time_in_force, expires_at, post_only }: OrderIntent, now: Micros): Rejection | null {
  if (time_in_force === 'GTD' && expires_at === null) {
    return incompatible('expires_at is missing; GTD requires an instant')
  }
  if (time_in_force !== 'GTD' && expires_at !== null) {
    return incompatible(`expires_at is given with ${time_in_force}; allowed: with GTD alone`)
  }
  if (expires_at !== null && expires_at <= now) return incompatible('expires_at has passed')
  if (post_only && (time_in_force === 'FOK' || time_in_force === 'FAK')) {
    return incompatible(`post_only is true with ${time_in_force}; allowed: with GTC or GTD`)
  }
  return null
}

function incompatible(message: string): Rejection {
  return { code: 'ORDER_TIF_INCOMPATIBLE', message }
}
