import type { DecimalString } from '../../primitives/decimal.ts'
import { toSafe } from '../../primitives/safe-integers.ts'
import { divideHalfEven, fromScaled, pow10, toScaled } from '../../primitives/scaled.ts'

/** Fraction digits of prices and quantities in the warehouse. */
const PRICE_DIGITS = 9
const QUANTITY_DIGITS = 6

/** A price of the engine as the warehouse writes it. @param scale of the market's prices, at most 8 */
export function priceText(price: number, scale: number): DecimalString {
  return textAt(price, scale, PRICE_DIGITS)
}

/** A quantity of the engine as the warehouse writes it; what is finer than 6 digits is rounded half even. */
export function quantityText(quantity: number, scale: number): DecimalString {
  return textAt(quantity, scale, QUANTITY_DIGITS)
}

/** A price or quantity of the warehouse at the scale of its market. @throws {ServiceError} it has more digits */
export function wholeOf(text: DecimalString, scale: number, field: string): number {
  return toSafe(toScaled(text, scale, field))
}

function textAt(value: number, scale: number, digits: number): DecimalString {
  const whole = BigInt(value)
  const stored = scale <= digits ? whole * pow10(digits - scale) : divideHalfEven(whole, pow10(scale - digits))
  return fromScaled(stored, digits)
}
