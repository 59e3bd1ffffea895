import type { DecimalString } from '../../primitives/decimal.ts'
import { toSafe } from '../../primitives/safe-integers.ts'
import { fromScaled, quantize, toScaled } from '../../primitives/scaled.ts'
import { quantityText } from '../../trading/public-market/amounts.ts'
import type { PublicScales } from '../../trading/public-market/public-market.ts'
import { QUANTITY } from '../../warehouse/tables/columns.ts'

/** Returns a quantity of a market as the warehouse stores it; digits beyond the column's scale are rounded half even. */
export function storedQuantity(scales: PublicScales, quantity: number): DecimalString {
  const text = quantityText(scales, quantity)
  return scales.quantity_scale <= QUANTITY.scale ? text : fromScaled(quantize(text, QUANTITY.scale), QUANTITY.scale)
}

/** Returns a stored price or quantity as a whole number at `scale`. @throws {ServiceError} it has more digits */
export function wholeOf(text: DecimalString, scale: number, field: string): number {
  return toSafe(toScaled(text, scale, field))
}
