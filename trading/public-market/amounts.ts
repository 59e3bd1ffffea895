import type { DecimalString } from '../../primitives/decimal.ts'
import { fromScaled, pow10 } from '../../primitives/scaled.ts'
import type { PublicScales } from './public-market.ts'

/** Fraction digits that every price and quantity is written with; a market with finer increments uses its own scale. */
const PRICE_DIGITS = 9
const QUANTITY_DIGITS = 6

/** Returns a price of a market as it is published. */
export function priceText({ price_scale }: PublicScales, price: number): DecimalString {
  return textAt(price, price_scale, PRICE_DIGITS)
}

/** Returns a quantity of a market as it is published. */
export function quantityText({ quantity_scale }: PublicScales, quantity: number): DecimalString {
  return textAt(quantity, quantity_scale, QUANTITY_DIGITS)
}

function textAt(value: number, scale: number, digits: number): DecimalString {
  return fromScaled(BigInt(value) * pow10(Math.max(0, digits - scale)), Math.max(scale, digits))
}
