/** A source of whole numbers that a seed determines. */
export type Random = {
  /** A whole number in [0, below); `below` from 1 to 2^31. */
  int(below: number): number
  /** True in `of_ten_thousand` out of 10,000 cases. */
  chance(of_ten_thousand: number): boolean
  /** `length` lower-case hex digits. */
  hex(length: number): string
}

/** SplitMix32: 32-bit integer arithmetic only, so every machine gives the same numbers. Not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  const int = (below: number) => next() % below
  return {
    int,
    chance: (of_ten_thousand) => int(10_000) < of_ten_thousand,
    hex: (length) => Array.from({ length }, () => int(16).toString(16)).join(''),
  }
}
