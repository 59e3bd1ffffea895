import { Decimal, type DecimalString } from '../primitives/decimal.ts'
import { fractionDigits } from '../primitives/scaled-number.ts'

/**
 * Order of two decimal strings: negative, zero or positive. Published values of one kind have the same number of fraction
 * digits; then, and without a sign, the longer text is the larger one and equal lengths compare as texts.
 */
export function compareDecimals(a: DecimalString, b: DecimalString): number {
  if (a === b) return 0
  if (a.startsWith('-') || b.startsWith('-') || fractionDigits(a) !== fractionDigits(b)) return new Decimal(a).cmp(b)
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : 1
}
