import { type DecimalString, parseDecimal } from '../../../primitives/decimal.ts'
import { divideHalfEven, toScaled } from '../../../primitives/scaled.ts'
import { roundQuotient } from '../../index/exact/units.ts'

/** Fraction digits of published basis points. */
export const BASIS_POINT_SCALE = 2
/** Units of 0.01 basis points in a whole. */
const UNITS_PER_ONE = 1_000_000

/** Returns (after - before) / before in units of 0.01 basis points, half even; levels in whole units, before above 0. */
export function basisPointUnits(before: number, after: number): number {
  const numerator = (after - before) * UNITS_PER_ONE
  if (Number.isSafeInteger(numerator) && before < 2 ** 52) return roundQuotient(numerator, before)
  return Number(divideHalfEven(BigInt(after - before) * BigInt(UNITS_PER_ONE), BigInt(before)))
}

/** Largest move of a level, as an exact ratio. */
export type LargestMove = { readonly distance: number; readonly before: number }

/** Reports whether a move is larger than another; exact. */
export function isLarger(move: LargestMove, than: LargestMove): boolean {
  return BigInt(move.distance) * BigInt(than.before) > BigInt(than.distance) * BigInt(move.before)
}

/** Reports whether an unrounded move reaches a threshold in basis points. */
export function reaches({ distance, before }: LargestMove, basis_points: DecimalString): boolean {
  const scale = Math.max(0, parseDecimal(basis_points, 'restate.bp').decimalPlaces())
  const threshold = toScaled(basis_points, scale, 'restate.bp')
  return BigInt(distance) * 10_000n * 10n ** BigInt(scale) >= threshold * BigInt(before)
}
