import { sha256Hex } from '../../primitives/ids.ts'

/** Whole numbers determined by a seed and labels: 32-bit integer arithmetic only, so every machine agrees. */
export type Random = {
  /** Returns a whole number in [0, count); `count` from 1 to 2^32. */
  below(count: number): number
  /** Returns a whole number in [low, high]. */
  between(low: number, high: number): number
  /** Returns true in `of_million` out of 1,000,000 cases. */
  chance(of_million: number): boolean
  /** Returns a roughly bell-shaped number around 0, never beyond 3 × `scale`; standard deviation about `scale`. */
  step(scale: number): number
  /** Returns `digits` decimal digits, at most 9. */
  digits(digits: number): string
}

/**
 * Creates xoshiro128** seeded with the SHA-256 of the labels: other labels give an independent stream, so adding a market or a
 * venue changes nothing elsewhere. Not for secrets.
 */
export function createRandom(...labels: readonly (string | number)[]): Random {
  const seed = sha256Hex(labels.join('\u001f'))
  const word = (index: number) => Number.parseInt(seed.slice(index * 8, index * 8 + 8), 16) | 0
  let [a, b, c, d] = [word(0), word(1), word(2), word(3)]
  const next = (): number => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return result >>> 0
  }
  const below = (count: number) => next() % count
  const between = (low: number, high: number) => low + below(high - low + 1)
  return {
    below,
    between,
    chance: (of_million) => below(1_000_000) < of_million,
    step: (scale) => between(-scale, scale) + between(-scale, scale) + between(-scale, scale),
    digits: (digits) => String(below(10 ** digits)).padStart(digits, '0'),
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
