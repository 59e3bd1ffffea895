import { Decimal, type DecimalString, formatDecimal, SCALE } from '../../primitives/decimal.ts'

/** Returns after - before of two published levels, 4 decimals, exact; null if either has no level. */
export function levelDifference(before: DecimalString | null, after: DecimalString | null): DecimalString | null {
  if (before === null || after === null) return null
  return formatDecimal(new Decimal(after).minus(before), SCALE.level)
}
