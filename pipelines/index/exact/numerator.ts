import { Decimal } from '../../../primitives/decimal.ts'
import { MARK_ONE, WEIGHT_ONE } from './units.ts'

/**
 * Representation of the centered numerator sum w (x - 500000), by what is proven about it:
 *   float64    every partial sum is below 2^53: the case of all marks in [0, 1], since 10^10 x 500000 = 5e15 < 2^53
 *   two_limbs  x - 500000 = high x 2^19 + low, one sum each: the same for marks up to 4.7e11
 *   bigint     no bound needed
 */
export type NumeratorPath = 'float64' | 'two_limbs' | 'bigint'

export const HALF_MARK = MARK_ONE / 2
const LIMB = 2 ** 19

/** Returns the cheapest path that is exact for weights summing to 1 and marks at most `reach` away from one half. */
export function numeratorPath(reach: number): NumeratorPath {
  if (WEIGHT_ONE * reach < 2 ** 53) return 'float64'
  return WEIGHT_ONE * (reach / LIMB + 1) < 2 ** 53 ? 'two_limbs' : 'bigint'
}

/** Returns S by the formula, 34 digits: the uncentered numerator over the weight used, which is not 0. */
export function shareOf(numerator: number | bigint, used: number): Decimal {
  const weighted = BigInt(numerator) + BigInt(HALF_MARK) * BigInt(used)
  return new Decimal(`${weighted}e-16`).div(new Decimal(`${used}e-10`))
}

/** A running numerator; add and remove are exact on its path. */
export type Numerator = {
  add(w: number, x: number): void
  remove(w: number, x: number): void
  /** Returns a Float64 if the path holds one, else a BigInt. */
  value(): number | bigint
}

/** Creates an empty numerator. */
export function newNumerator(path: NumeratorPath): Numerator {
  return path === 'float64'
    ? new Float64Numerator()
    : path === 'two_limbs'
      ? new LimbNumerator()
      : new BigIntNumerator()
}

class Float64Numerator implements Numerator {
  #sum = 0
  add(w: number, x: number): void {
    this.#sum += w * (x - HALF_MARK)
  }
  remove(w: number, x: number): void {
    this.#sum -= w * (x - HALF_MARK)
  }
  value(): number {
    return this.#sum
  }
}

class LimbNumerator implements Numerator {
  #high = 0
  #low = 0
  add(w: number, x: number): void {
    const high = Math.floor((x - HALF_MARK) / LIMB)
    this.#high += w * high
    this.#low += w * (x - HALF_MARK - high * LIMB)
  }
  remove(w: number, x: number): void {
    this.add(-w, x)
  }
  value(): bigint {
    return BigInt(this.#high) * BigInt(LIMB) + BigInt(this.#low)
  }
}

class BigIntNumerator implements Numerator {
  #sum = 0n
  add(w: number, x: number): void {
    this.#sum += BigInt(w) * BigInt(x - HALF_MARK)
  }
  remove(w: number, x: number): void {
    this.add(-w, x)
  }
  value(): bigint {
    return this.#sum
  }
}
