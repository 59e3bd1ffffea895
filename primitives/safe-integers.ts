import { InvariantError } from './errors.ts'
import { divideHalfEven } from './scaled.ts'

/**
 * Exact arithmetic on whole numbers that stay below 2^53 in size: amounts in the smallest unit of an asset, prices and quantities
 * at the scale of their market. Faster than bigint where millions of orders pass; a result that would not be exact throws.
 */

/** Returns a + b, exact. @throws {InvariantError} if the sum is not a safe integer */
export function plus(a: number, b: number): number {
  return checked(a + b, '+', a, b)
}

/** Returns a - b, exact. @throws {InvariantError} if the difference is not a safe integer */
export function minus(a: number, b: number): number {
  return checked(a - b, '-', a, b)
}

/** Returns a x b, exact. @throws {InvariantError} if the product is not a safe integer */
export function times(a: number, b: number): number {
  return checked(a * b, 'x', a, b)
}

/** Returns a x b / divisor rounded half even; the product may be of any size. divisor > 0 */
export function mulDivHalfEven(a: number, b: number, divisor: number): number {
  const product = a * b
  if (!Number.isSafeInteger(product)) return toSafe(divideHalfEven(BigInt(a) * BigInt(b), BigInt(divisor)))
  const { quotient, rest } = floorDivide(product, divisor)
  if (rest * 2 === divisor) return quotient % 2 === 0 ? quotient : quotient + 1
  return rest * 2 > divisor ? quotient + 1 : quotient
}

/** Returns a x b / divisor rounded up to the next whole number; the product may be of any size. divisor > 0 */
export function mulDivUp(a: number, b: number, divisor: number): number {
  const product = a * b
  if (Number.isSafeInteger(product)) {
    const { quotient, rest } = floorDivide(product, divisor)
    return rest === 0 ? quotient : quotient + 1
  }
  const [exact, by] = [BigInt(a) * BigInt(b), BigInt(divisor)]
  return toSafe(exact / by + (exact > 0n && exact % by !== 0n ? 1n : 0n))
}

/** Divides by the remainder, which is exact: the rounded quotient of two large numbers may be one too many. */
function floorDivide(value: number, divisor: number): { readonly quotient: number; readonly rest: number } {
  const signed = value % divisor
  const rest = signed < 0 ? signed + divisor : signed
  return { quotient: (value - rest) / divisor, rest }
}

/** Converts to a number. @throws {InvariantError} if it is not a safe integer */
export function toSafe(value: bigint): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new InvariantError(`${value} is not a safe integer`)
}

function checked(result: number, sign: string, a: number, b: number): number {
  if (Number.isSafeInteger(result)) return result
  throw new InvariantError(`${a} ${sign} ${b} is not a safe integer`)
}
